"""The supervisor with small processes in the place of gunicorn and Celery: each has a child, which keeps its
output open, and says something now and then. `python -m tests.setup.small_portal`"""

import os
import socket
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

SELF = "tests.setup.small_portal"


class AnswersNothing(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(204)
        self.end_headers()


class SmallServer(HTTPServer):
    def __init__(self, host: str, port: int) -> None:
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        super().__init__((host, port), AnswersNothing)


def play(address: str) -> None:
    """Be one of the processes; with an address, the web server."""
    is_child = os.fork() == 0
    if address and not is_child:
        host, _, port = address.rpartition(":")
        Thread(target=SmallServer(host.strip("[]"), int(port)).serve_forever, daemon=True).start()
    while True:
        print("still here", flush=True)
        time.sleep(0.3)


def supervise() -> int:
    from doiportal.supervisor import process_commands
    from doiportal.supervisor.__main__ import main

    process_commands.IMPORTED = ()
    process_commands.PREPARE = f"{SELF} prepare"
    process_commands.WEB = f"{SELF} web {{host}}:{{port}}"
    process_commands.WORKER = f"{SELF} worker"
    return main()


if __name__ == "__main__":
    role, address, *_ = [*sys.argv[1:], "", ""]
    if not role:
        sys.exit(supervise())
    if role != "prepare":
        play(address if role == "web" else "")

"""docker/nginx.conf with the rules and the start of docker/front.sh, before a portal. TRUSTED_PROXY names one address
of this machine, and all others are strangers. `make compose-test` starts it in a container."""

import json
import socket
import socketserver
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import requests

from tests.portal_processes import ROOT, inherit_environment
from tests.services_plugin import free_port
from tests.setup.nginx.front import Front, adapt, folder_for_nginx, nginx, two_ports
from tests.setup.portal import serving
from tests.waiting import wait_until

pytestmark = pytest.mark.slow

HOST = "dois.library.example"
SERVER, STRANGER = "127.0.0.7", "127.0.0.8"
FORWARDED = {"X-Forwarded-For": f"192.0.2.66, 198.51.100.7, {SERVER}", "X-Forwarded-Proto": "https"}


def run_start_script(folder: Path, trusted: str) -> subprocess.CompletedProcess[str]:
    """Run front.sh with `true` in place of nginx. What it writes is in the folder."""
    script = folder / "front.sh"
    script.write_text((ROOT / "docker/front.sh").read_text().replace(" /tmp/", f" {folder}/"))
    environment = {**inherit_environment(), "TRUSTED_PROXY": trusted}
    return subprocess.run(["sh", script, "true"], env=environment, capture_output=True, text=True, check=False)


def write_configuration(folder: Path, http: int, health: int, web: str, *, trusted: str = "") -> str:
    """The file with the folders and ports of the test, and what front.sh writes for it."""
    assert run_start_script(folder, trusted).returncode == 0
    text = (ROOT / "docker/nginx.conf").read_text().replace(" /tmp/", f" {folder}/")
    changes = {
        "listen 8080 ": f"listen {http} ",
        "listen [::]:8080 ": f"listen [::]:{http} ",
        "listen 127.0.0.1:8081;": f"listen 127.0.0.1:{health};",
        "default web:8000;": f"default {web};",
        "/etc/nginx/doiportal-rules.conf": f"{ROOT}/deploy/nginx/rules.conf",
    }
    return adapt(text, changes)


@contextmanager
def front_with(folder: Path, trusted: str) -> Iterator[Front]:
    told = {"TRUSTED_PROXIES": "127.0.0.1", "ALLOWED_HOSTS": HOST}
    http, health = two_ports()
    with serving(folder, **told) as portal, folder_for_nginx() as around:
        web = f"127.0.0.1:{portal.port}"
        with nginx(around, write_configuration(around, http, health, web, trusted=trusted), http, health):
            yield Front(around, portal, HOST, http)


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    """One that believes SERVER."""
    with front_with(tmp_path_factory.mktemp("portal"), SERVER) as running:
        yield running


@pytest.fixture(scope="module")
def front_of_nobody(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    """One without TRUSTED_PROXY."""
    with front_with(tmp_path_factory.mktemp("portal"), "") as running:
        yield running


@pytest.mark.parametrize(("path", "suffix"), [("a%2Fb", "a/b"), ("a//b", "a//b"), ("a%2Cb", "a,b")])
def test_a_name_arrives_as_it_was_sent(front: Front, path: str, suffix: str) -> None:
    assert json.loads(front.ask(f"/api/handles/10.5555/{path}")[2])["handle"] == f"10.5555/{suffix}"


def find_scheme(front: Front, sender: str, host: str = "127.0.0.1") -> str:
    """Return the scheme of the portal's own links, as this sender sees them."""
    with front.visitor(sender) as visitor:
        index = visitor.get(f"http://{host}:{front.http}/api/v1/", headers=FORWARDED, timeout=30).json()
    return str(index["jobs"]).removesuffix(f"://{HOST}/api/v1/jobs")


@pytest.mark.parametrize(
    ("sender", "host", "scheme"),
    [(SERVER, "127.0.0.1", "https"), (STRANGER, "127.0.0.1", "http"), ("::1", "[::1]", "http")],
)
def test_the_named_server_says_the_scheme_and_nobody_else_does(
    front: Front, sender: str, host: str, scheme: str
) -> None:
    assert find_scheme(front, sender, host) == scheme


def test_the_named_server_says_who_asks_and_what_stands_before_it_in_the_header_does_not_count(front: Front) -> None:
    with front.visitor(SERVER) as visitor:
        root = f"http://127.0.0.1:{front.http}"
        assert front.who_failed_to_log_in(visitor, root, "forger", **FORWARDED) == "198.51.100.7"


def test_another_sender_in_a_private_network_names_no_requester(front: Front) -> None:
    with front.visitor(STRANGER) as visitor:
        root = f"http://127.0.0.1:{front.http}"
        headers = {**FORWARDED, "Origin": f"http://{HOST}"}
        assert front.who_failed_to_log_in(visitor, root, "stranger", **headers) == STRANGER


def test_without_a_named_server_nobody_names_a_requester_or_a_scheme(front_of_nobody: Front) -> None:
    assert find_scheme(front_of_nobody, SERVER) == "http"
    with front_of_nobody.visitor(SERVER) as visitor:
        root = f"http://127.0.0.1:{front_of_nobody.http}"
        headers = {**FORWARDED, "Origin": f"http://{HOST}"}
        assert front_of_nobody.who_failed_to_log_in(visitor, root, "nobody", **headers) == SERVER


@pytest.mark.parametrize("trusted", ["10.0.0.0/8; include /etc/passwd", "caddy", "10.0.0.1 10.0.0.2"])
def test_what_is_no_address_stops_the_start_and_is_named(tmp_path: Path, trusted: str) -> None:
    done = run_start_script(tmp_path, trusted)
    assert done.returncode == 1
    assert done.stderr.startswith("TRUSTED_PROXY must be one IP address or network")
    assert not (tmp_path / "start.conf").exists()


class Names(socketserver.ThreadingUDPServer):
    """A name server, like that of Docker: every name has these IPv4 addresses."""

    def __init__(self, *addresses: str) -> None:
        self.addresses = addresses
        super().__init__(("127.0.0.1", 0), _Answer)


class _Answer(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        query, reply = self.request
        assert isinstance(self.server, Names)
        question = query[12 : query.index(b"\0", 12) + 5]
        found = self.server.addresses if question.endswith(b"\0\1\0\1") else ()
        head = query[:2] + b"\x81\x80" + b"\0\1" + len(found).to_bytes(2, "big") + bytes(4)
        record = b"\xc0\x0c" + b"\0\1\0\1" + (600).to_bytes(4, "big") + b"\0\4"  # as Docker's: for ten minutes
        reply.sendto(head + question + b"".join(record + socket.inet_aton(one) for one in found), self.client_address)


class _WebServer(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.end_headers()
        self.wfile.write(self.server.server_address[0].encode())  # type: ignore[union-attr]

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@contextmanager
def running(server: socketserver.BaseServer) -> Iterator[None]:
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()


def test_requests_go_to_all_web_servers_also_to_one_that_is_started_later_and_to_none_that_is_gone() -> None:
    """--scale web=3: the name has the addresses of the moment."""
    http, health, port = *two_ports(), free_port()
    first, second, third = (ThreadingHTTPServer((f"127.0.0.{place}", port), _WebServer) for place in (11, 12, 13))
    names = Names("127.0.0.11", "127.0.0.12")

    def ask() -> str:
        answer = requests.get(f"http://127.0.0.1:{http}/", timeout=10)
        assert answer.status_code == 200, answer.text
        return answer.text

    def ask_often() -> set[str]:
        return {ask() for _ in range(30)}

    with running(names), running(second), running(third), folder_for_nginx() as folder:
        text = write_configuration(folder, http, health, f"web:{port}")
        start = folder / "start.conf"
        lines = [line for line in start.read_text().splitlines() if not line.startswith("resolver ")]
        start.write_text("\n".join([f"resolver 127.0.0.1:{names.server_address[1]} valid=5s;", *lines]))
        with nginx(folder, text, http, health):
            with running(first):
                assert ask_often() == {"127.0.0.11", "127.0.0.12"}
            assert ask_often() == {"127.0.0.12"}, "one that is gone is passed over before its name is"
            names.addresses = ("127.0.0.12", "127.0.0.13")
            wait_until("the new server gets requests", ask_often, lambda seen: seen == {"127.0.0.12", "127.0.0.13"})

"""`python -m doiportal.supervisor`. Exit codes: 0 ended by the user, 1 a process died, 2 could not start."""

import argparse
import gc
import importlib
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TextIO

import django
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from doiportal.env import host_in_url
from doiportal.logs.lines import add_process
from doiportal.supervisor import network_probes, process_commands
from doiportal.supervisor.child_processes import Children
from doiportal.supervisor.data_folder_lock import DataFolderInUse, hold_data_folder
from doiportal.supervisor.process_commands import ProcessCommand
from doiportal.supervisor.sample_proxy import bind_sample_proxy

FILES_IN_MEMORY = "/dev/shm"  # noqa: S108 - on Linux; the folder in it has a random name


class Stop(BaseException):
    """Ctrl-C, or a signal to end."""


class ProcessFailed(Exception):
    """A process has ended; the message says which and how."""


def main() -> int:
    """Return the exit code of `supervise`."""
    parser = argparse.ArgumentParser(prog="python -m doiportal.supervisor", description=__doc__)
    parser.add_argument("--end-with-parent", action="store_true", help="end when the program that started this ends")
    return supervise(os.getppid() if parser.parse_args().end_with_parent else None)


def supervise(parent: int | None = None) -> int:
    """Run the portal until it is ended, or until `parent` is no longer the parent of this process. Return the exit
    code."""
    try:
        host, port = settings.HOST, settings.PORT
    except ImproperlyConfigured as error:
        return refuse(str(error))
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    us = f"the doiportal at {find_address(host, port)} (process {os.getpid()})"
    try:
        with (
            hold_data_folder(settings.DOIPORTAL_DATA_DIR, us, lambda what: say(f"doiportal: {what}")),
            make_metrics_folder(),
        ):
            return supervise_in_folder(host, port, parent)
    except DataFolderInUse as error:
        return refuse(str(error))
    except Stop:  # before any process was started
        return 0


@contextmanager
def make_metrics_folder() -> Iterator[None]:
    """Give the processes a folder for their counts inside `with`, unless the user has named one. It is in memory where
    the system has files there: prometheus_client maps its files, so a full disk would end a process that counts."""
    place = FILES_IN_MEMORY if os.access(FILES_IN_MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="doiportal-metrics-", dir=place, ignore_cleanup_errors=True) as folder:
        if not settings.METRICS_DIR:
            settings.METRICS_DIR = os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        yield


def supervise_in_folder(host: str, port: int, parent: int | None) -> int:
    """Run the portal in a data folder that this process has locked. Return the exit code."""
    if trouble := network_probes.find_port_trouble(host, port):
        return refuse(
            f"cannot listen on {host} port {port}: {trouble}. Choose another port with the variable PORT: "
            f"PORT={port + 1}"
        )
    children = Children(Path(settings.BASE_DIR), format_line)
    held = ExitStack()
    try:
        run(children, held, host, port, parent)
    except Stop:
        with suppress(OSError):  # perhaps it ends because the reader of its output has left
            say("\ndoiportal: ending, in ten seconds at most. Lists continue at the next start. Ctrl-C ends it now.")
    except ProcessFailed as failure:
        say(f"doiportal: {failure}; ending the rest", sys.stderr)
        return 1
    finally:
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a second Ctrl-C ends the wait
        children.end_all()
        held.close()  # last: the processes need it until they have ended
    return 0


def refuse(why: str) -> int:
    print(f"doiportal: {why}", file=sys.stderr, flush=True)
    return 2


def format_line(process: str, printed: str) -> str:
    """Return a line that a process printed, with the name of the process."""
    return add_process(process, printed) if settings.LOG_FORMAT == "json" else f"{process:<7}| {printed}"


def say(text: str, stream: TextIO = sys.stdout) -> None:
    """Print a text of our own, with LOG_FORMAT=json as one line."""
    shown = format_line("supervisor", " ".join(text.split())) if settings.LOG_FORMAT == "json" else text
    print(shown, file=stream, flush=True)


def stop(_number: int, _frame: object) -> None:
    raise Stop


def run(children: Children, held: ExitStack, host: str, port: int, parent: int | None) -> None:
    """Run the portal until `parent` is no longer the parent. Raises ProcessFailed and Stop. `held`: what must live as
    long as the processes."""
    # All processes are forks of this one: their code is imported once, and they share its memory.
    django.setup()
    for module in process_commands.IMPORTED:
        importlib.import_module(module)
    gc.freeze()
    sample_proxy = bind_sample_proxy() if prepare(children) else None
    if sample_proxy:
        say(
            "\ndoiportal: https://doi.org cannot be reached, and DOI_PROXY_URL is not set. SAMPLE DATA: the answers\n"
            "come from the sample proxy on this machine and say nothing about real DOIs; every page and result\n"
            f"says so. The sample DOI proxy listens at {sample_proxy.url}\n"
        )
    children.start(*process_commands.list_portal_processes(host, port))
    if sample_proxy:  # a fork would copy the locks that a thread holds
        held.enter_context(sample_proxy)
    wait_until_answers(children, host, port)
    address = find_address(host, port)
    say(f"\ndoiportal is at {address}  (Ctrl-C ends it)\nIts data is in {settings.DOIPORTAL_DATA_DIR}\n")
    while parent is None or os.getppid() == parent:
        watch(children)


def prepare(children: Children) -> bool:
    """Make the tables and static files. Return whether the sample proxy is needed: the user named no proxy, and doi.org
    cannot be reached."""
    processes = [ProcessCommand("setup", process_commands.PREPARE)]
    if not os.environ.get("DOI_PROXY_URL", "").strip():
        processes.append(ProcessCommand("network", process_commands.REACH_DOI_ORG))
    setup, *unreachable = children.run(*processes)
    if setup:
        raise ProcessFailed(f"setup {describe_exit(setup)}")
    return any(unreachable)


def watch(children: Children) -> None:
    """Watch the processes for a moment. Raises ProcessFailed if one has ended."""
    time.sleep(0.2)
    if dead := children.ended():
        raise ProcessFailed(f"{dead[0]} {describe_exit(dead[1])}")


def describe_exit(code: int) -> str:
    return f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"


def find_address(host: str, port: int) -> str:
    """Return the address of the portal for a browser on this machine."""
    return f"http://{host_in_url(network_probes.find_reachable_host(host))}:{port}{settings.URL_PREFIX}/"


def wait_until_answers(children: Children, host: str, port: int) -> None:
    while not network_probes.is_answering(host, port):
        watch(children)


if __name__ == "__main__":
    sys.exit(main())

"""Redis as the broker and the cache, when it goes away or hangs."""

import itertools
import logging
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from kombu import Connection, Consumer, Message, Queue
from kombu.common import ignore_errors

from doiportal.broker import kombu_transports
from doiportal.supervisor import process_commands
from resolver.proxy.limits import RedisBudget
from resolver.proxy.limits.proxy_health import ProxySignal, ProxySignalKind
from tests.faults.servers import Redis
from tests.setup.test_compose import ROOT, SERVICES
from tests.setup.test_settings import run
from tests.waiting import wait_until

ASK = """
import time
from concurrent.futures import ThreadPoolExecutor
from django.core.cache import cache
from doiportal import celery

def ask(call):
    began = time.monotonic()
    try:
        call()
    except Exception as error:
        return type(error).__name__, time.monotonic() - began < 60

with ThreadPoolExecutor() as pool:
    print(*pool.map(ask, (lambda: cache.get("a"), lambda: celery.app.send_task("a"))))
"""


def test_a_worker_that_holds_a_message_outlives_its_redis(tmp_path: Path) -> None:
    held: list[Message] = []
    with Redis(tmp_path) as server:
        connection = Connection(server.url)
        assert isinstance(connection.transport, kombu_transports.RedisTransport)
        with connection.channel() as sending:
            connection.Producer(sending).publish("work", routing_key="celery", declare=[Queue("celery")])
        # A worker listens on two: for work, and for those who ask how it is.
        for channel, name in ((connection.default_channel, "celery"), (connection.channel(), "control")):
            Consumer(channel, [Queue(name)], on_message=held.append).consume()
        connection.drain_events(timeout=5)
        with pytest.raises(TimeoutError):
            connection.drain_events(timeout=0.1)
        server.kill()

        # What Celery does when it notices (consumer.on_connection_error_after_connected), and when the work is done.
        connection.collect()
        ignore_errors(connection, connection.close)
        held[0].ack_log_error(logging.getLogger(), connection.connection_errors)
        assert not held[0].acknowledged


@pytest.mark.slow
def test_the_scheduler_answers_the_health_check_of_its_container_unless_it_hangs(tmp_path: Path) -> None:
    check = SERVICES["beat"]["healthcheck"]["test"][1].replace("$$(cat /etc/hostname)", socket.gethostname())
    programs = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    with Redis(tmp_path) as server:
        environment = {"PATH": programs, "REDIS_URL": server.url, "DOIPORTAL_DATA_DIR": str(tmp_path / "data")}
        options: dict[str, Any] = {"shell": True, "cwd": ROOT, "env": environment, "stdout": subprocess.DEVNULL}

        def ask() -> bool:
            return subprocess.run(check, check=False, **options).returncode == 0

        with subprocess.Popen(f"exec {process_commands.BEAT}", **options) as beat:
            try:
                wait_until("it answers", ask)
                beat.send_signal(signal.SIGSTOP)
                assert not ask()
            finally:
                beat.kill()  # one that is stopped notices nothing else


def test_a_redis_that_hangs_holds_no_message_and_no_look_into_the_cache_for_long(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        done = run(tmp_path, ASK, REDIS_URL=f"redis://127.0.0.1:{silent.getsockname()[1]}/0")
    assert done.stdout == "('TimeoutError', True) ('OperationalError', True)\n", done.stderr


def test_of_the_pages_only_the_first_waits_for_a_redis_that_hangs() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        budget = RedisBudget(f"redis://127.0.0.1:{silent.getsockname()[1]}/0?socket_timeout=0.2", 4, 10.0)
        assert budget.get_barred_since() is None
        assert count_connections(silent) >= 1
        assert [budget.get_barred_since() for _ in range(2)] == [None, None]
        assert count_connections(silent) == 0, "they don't ask it"
        budget.close()


def count_connections(server: socket.socket) -> int:
    """Count the connections that came since the last time."""
    server.setblocking(False)
    for count in itertools.count():
        try:
            server.accept()[0].close()
        except BlockingIOError:
            return count
    raise AssertionError


def test_after_a_redis_has_answered_again_pages_tell_the_health(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("resolver.proxy.limits.redis_budget.SILENT_REDIS_SECONDS", 0.0)
    refusal = ProxySignal(ProxySignalKind.REFUSED, reason="HTTP 403")
    with Redis(tmp_path) as server:
        budget = RedisBudget(server.url, 4, 10.0)
        budget.record(refusal, 1.0)
        server.kill()
        assert budget.read_health().refused == 0
        server.start()
        budget.record(refusal, 1.0)
        assert budget.read_health().refused == 1
        budget.close()

"""What kombu has wrong, shown at kombu itself. Once a test fails here, kombu has mended that: take our part for it
out of doiportal/broker/kombu_transports.py, and the test with it."""

import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest
from kombu import Connection, Consumer, Exchange, Message, Queue
from kombu.common import ignore_errors
from kombu.transport import filesystem, redis

from doiportal.broker import kombu_transports
from tests.faults.servers import Redis


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "messages").mkdir()
    return tmp_path / "messages"


@pytest.fixture
def broker(tmp_path: Path, folder: Path) -> Iterator[Connection]:
    options = {"data_folder_in": folder, "data_folder_out": folder, "control_folder": tmp_path / "control"}
    with Connection(transport=filesystem.Transport, transport_options=options) as connection:
        yield connection


def test_the_workarounds_name_the_version_of_kombu_that_is_installed() -> None:
    assert f"kombu {version('kombu')} has wrong" in str(kombu_transports.__doc__)


PUT = """
import sys, resource
from kombu import Connection
from kombu.transport import filesystem
options = {"data_folder_in": sys.argv[1], "data_folder_out": sys.argv[1], "control_folder": sys.argv[2]}
with Connection(transport=filesystem.Transport, transport_options=options) as connection:
    with connection.SimpleQueue("celery") as queue:
        resource.setrlimit(resource.RLIMIT_FSIZE, (16, resource.RLIM_INFINITY))
        queue.put("more than there is room for")
"""


def test_kombu_leaves_half_a_message_behind_where_the_disk_is_full(tmp_path: Path, folder: Path) -> None:
    command = [sys.executable, "-c", PUT, folder, tmp_path / "control"]
    subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
    assert [path.stat().st_size for path in folder.iterdir()] == [16]


@pytest.mark.parametrize("content", [b"", b'{"body": "e30'])
def test_kombu_stumbles_over_half_a_message(broker: Connection, folder: Path, content: bytes) -> None:
    (folder / "0_half.celery.msg").write_bytes(content)
    with broker.SimpleQueue("celery") as queue, pytest.raises(json.JSONDecodeError):
        queue.get(timeout=1)


def test_kombu_stumbles_over_a_damaged_file_of_bindings(broker: Connection, tmp_path: Path) -> None:
    (tmp_path / "control").mkdir()
    (tmp_path / "control/bindings.exchange").write_bytes(b"[")
    with pytest.raises(json.JSONDecodeError):
        Queue("bindings", Exchange("bindings"), "bindings")(broker.default_channel).declare()


def test_kombu_ends_a_worker_that_holds_a_message_when_its_redis_goes_away(tmp_path: Path) -> None:
    held: list[Message] = []
    with Redis(tmp_path) as server:
        connection = Connection(server.url, transport=redis.Transport)
        with connection.channel() as sending:
            connection.Producer(sending).publish("work", routing_key="celery", declare=[Queue("celery")])
        for channel, name in ((connection.default_channel, "celery"), (connection.channel(), "control")):
            Consumer(channel, [Queue(name)], on_message=held.append).consume()
        connection.drain_events(timeout=5)
        with pytest.raises(TimeoutError):
            connection.drain_events(timeout=0.1)
        server.kill()
        with pytest.raises(AttributeError):
            notice(connection, held[0])


def notice(connection: Connection, held: Message) -> None:
    """What Celery does when the connection is lost, and when the work is done."""
    connection.collect()
    ignore_errors(connection, connection.close)
    held.ack_log_error(logging.getLogger(), connection.connection_errors)

"""The broker made of files, through kombu as Celery uses it."""

import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from kombu import Connection

from doiportal.broker.kombu_transports import FILES


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Connection]:
    (tmp_path / "messages").mkdir()
    folder = str(tmp_path / "messages")
    options = {"data_folder_in": folder, "data_folder_out": folder}
    with Connection(f"{FILES}://localhost", transport_options=options) as connection:
        yield connection


@pytest.fixture
def messages(tmp_path: Path) -> Path:
    return tmp_path / "messages"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_messages_come_out_in_the_order_in_which_they_went_in_and_only_once(broker: Connection, messages: Path):
    with broker.SimpleQueue("celery") as queue, broker.SimpleQueue("another") as another:
        for number in range(5):
            queue.put({"number": number})
        another.put({"number": "another"})
        assert len(names(messages)) == 6
        assert [queue.get(timeout=1).payload["number"] for _ in range(5)] == [0, 1, 2, 3, 4]
        with pytest.raises(queue.Empty):
            queue.get(timeout=0.1)
        assert another.get(timeout=1).payload == {"number": "another"}
    assert names(messages) == []


@pytest.mark.parametrize("content", [b"", b'{"body": "e30', b"\xff\xfe"])
def test_half_a_message_is_dropped_and_the_next_one_is_taken(broker: Connection, messages: Path, content: bytes):
    (messages / "0_half.celery.msg").write_bytes(content)
    with broker.SimpleQueue("celery") as queue:
        queue.put("whole")
        assert queue.get(timeout=1).payload == "whole"
    assert names(messages) == []


PUT = """
import sys, resource
from kombu import Connection
from kombu.exceptions import OperationalError
from doiportal.broker import kombu_transports
resource.setrlimit(resource.RLIMIT_FSIZE, (16, resource.RLIM_INFINITY))
options = {"data_folder_in": sys.argv[1], "data_folder_out": sys.argv[1]}
with Connection(f"{kombu_transports.FILES}://localhost", transport_options=options) as connection:
    with connection.SimpleQueue("celery") as queue:
        try:
            queue.put("more than there is room for", retry=True, retry_policy={"max_retries": 1})
        except OperationalError:
            print("refused")
"""


def test_where_there_is_no_room_the_message_is_refused_and_nothing_is_left(messages: Path, broker: Connection):
    command = [sys.executable, "-c", PUT, str(messages)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=30)
    assert done.stdout == "refused\n"
    assert names(messages) == []
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY, "only the other process was bound"

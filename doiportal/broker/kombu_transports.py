"""Celery's brokers, made of files or in Redis: kombu's, so that no full disk, kill or lost connection stops a worker.

What kombu 5.7.0 has wrong (tests/setup/test_kombu_faults.py fails when it is repaired, and this can go):

- the file broker writes into the very file that a worker may be reading, and leaves half a message if the disk is full;
- half a message, or an empty one, ends the worker that takes it; so does a damaged file of bindings;
- a worker that loses its connection to Redis gives its messages back over the closed connection, without an address.
  That is an AttributeError, which nothing expects: the worker stops for good."""

import json
import logging
import uuid
from pathlib import Path
from queue import Empty
from time import time_ns
from typing import Any

from kombu.exceptions import ChannelError
from kombu.transport import TRANSPORT_ALIASES, filesystem, redis, virtual
from kombu.utils.json import dumps, loads
from redis.exceptions import ConnectionError as ConnectionLost

FILES = "doiportal-files"  # the scheme of the broker's address
log = logging.getLogger(__name__)


class FileChannel(filesystem.Channel):
    """Messages of a queue are the files of one folder, named by time and queue. A file appears whole or not at all, and
    a message belongs to the worker that removes its file."""

    def _put(self, queue: str, payload: Any, **_: Any) -> None:  # type: ignore[override]  # kombu's own two disagree
        """Raises ChannelError if the file cannot be written; then nothing is left behind."""
        path = Path(self.data_folder_out, f"{time_ns()}_{uuid.uuid4()}.{queue}.msg")
        half = path.with_suffix(".half")
        try:
            half.touch(mode=0o600)
            half.write_text(dumps(payload))
            half.replace(path)
        except OSError as error:
            half.unlink(missing_ok=True)
            raise ChannelError(f"the message cannot be written to {path}") from error

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        """Return the oldest message. Raises Empty."""
        ending = f".{queue}.msg"
        for path in sorted(Path(self.data_folder_in).iterdir()):
            if path.name.endswith(ending) and (text := _take(path)) is not None:
                try:
                    return loads(text)
                except json.JSONDecodeError:
                    # Work is not lost with it: the sweep looks into the database.
                    log.warning("A message that cannot be read was dropped: %s", path.name)
        raise Empty

    # Each process declares what it uses, and messages go straight to their queue: no file of bindings can be damaged.
    get_table = virtual.Channel.get_table
    _delete = virtual.Channel._delete

    def _queue_bind(self, *_: Any) -> None: ...


def _take(path: Path) -> str | None:
    """Return the content of a file that this process has removed; None if another was faster."""
    try:
        text = path.read_text(errors="replace")
        path.unlink()
    except OSError:
        return None
    return text


class FileTransport(filesystem.Transport):
    """Known to Celery by FILES."""

    Channel = FileChannel


class RedisChannel(redis.Channel):
    """Messages that cannot be given back are Redis's to give to another worker, or the sweep's to send again."""

    def _get_pool(self, asynchronous: bool = False) -> Any:
        """Raises ConnectionLost, which all callers expect, if the connection was taken down."""
        if self.connection.client is None:
            raise ConnectionLost("the connection to the broker is closed")
        return super()._get_pool(asynchronous)


class RedisTransport(redis.Transport):
    """Known to Celery as redis and rediss."""

    Channel = RedisChannel


TRANSPORT_ALIASES[FILES] = f"{__name__}:FileTransport"
TRANSPORT_ALIASES.update(dict.fromkeys(("redis", "rediss"), f"{__name__}:RedisTransport"))

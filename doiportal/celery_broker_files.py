"""The broker made of files: kombu's, so that neither a full disk nor a kill leaves a file that stops all workers.

What kombu 5.7.0 has wrong (tests/setup/test_kombu_faults.py fails when it is mended, and this can go):

- it writes into the very file that a worker may be reading, and leaves half a message behind where the disk is full;
- half a message, or an empty one, ends the worker that takes it;
- so does a damaged file of bindings.

Here a file appears whole or not at all, whoever removes a message has it, and one that cannot be read is dropped with
a word in the log.
"""

import json
import logging
import uuid
from pathlib import Path
from queue import Empty
from time import time_ns
from typing import Any

from kombu.exceptions import ChannelError
from kombu.transport import TRANSPORT_ALIASES, filesystem, virtual
from kombu.utils.json import dumps, loads

SCHEME = "doiportal-files"
log = logging.getLogger(__name__)


class Channel(filesystem.Channel):
    """Messages of a queue are the files of one folder, named by time and queue."""

    def _put(self, queue: str, payload: Any, **_: Any) -> None:  # type: ignore[override]  # kombu's own two disagree
        """Raises ChannelError where the file cannot be written; then nothing is left behind."""
        path = Path(self.data_folder_out, f"{time_ns()}_{uuid.uuid4()}.{queue}.msg")
        half = path.with_suffix(".half")
        try:
            half.write_text(dumps(payload))
            half.replace(path)
        except OSError as error:
            half.unlink(missing_ok=True)
            raise ChannelError(f"the message cannot be written to {path}") from error

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        """The oldest message; raises Empty."""
        ending = f".{queue}.msg"
        for path in sorted(Path(self.data_folder_in).iterdir()):
            if path.name.endswith(ending) and (text := _taken(path)) is not None:
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


def _taken(path: Path) -> str | None:
    """What stood in the file, for the one who removes it; None for all others."""
    try:
        text = path.read_text(errors="replace")
        path.unlink()
    except OSError:
        return None
    return text


class Transport(filesystem.Transport):
    """Known to Celery by `SCHEME`."""

    Channel = Channel


TRANSPORT_ALIASES[SCHEME] = f"{__name__}:Transport"

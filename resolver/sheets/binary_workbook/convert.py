"""XLS and XLSB are read once, by a process of their own, into a table beside the file."""

import errno
import fcntl
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path
from typing import IO, Literal

from resolver.domain.message import Message
from resolver.sheets.errors import UnreadableFile

BinaryKind = Literal["xls", "xlsb"]

MEMORY = 1 << 30  # bytes of the address space of the process
SECONDS = 20  # of the processor
LONGEST = 45  # seconds until the process is ended: a web server in front may give up after 75
LONGEST_WAIT = 20  # seconds for another process to end
_PAUSE = 0.05
_BUSY = Message("Other workbooks of this kind are being read. Try again in a minute.")
_CODE = Path(__file__).parents[3]


class ConversionStatus(IntEnum):
    """The exit statuses of the process, unless a signal ended it."""

    WELL = 0
    LOCKED = 3
    DAMAGED = 4
    TOO_LARGE = 5
    NO_ROOM = 6


_REASONS = {
    ConversionStatus.LOCKED: Message("The workbook has a password. Save it without one."),
    ConversionStatus.DAMAGED: Message("The workbook is damaged. Save it again as XLSX or as CSV."),
    ConversionStatus.TOO_LARGE: Message(
        "The workbook is damaged, or too large to read safely. Save it as XLSX or as CSV."
    ),
}


def ensure_converted(path: Path, kind: BinaryKind, max_bytes: int) -> Path:
    """Return the table of the workbook, made at the first reading in its folder, of at most so many bytes.

    Raises UnreadableFile if the workbook can't be read within the bounds, OSError if there is no room.
    """
    table = path.with_name(f"{path.name}.rows")
    if not table.exists():
        with _turn(), tempfile.TemporaryDirectory(dir=path.parent) as folder:
            named, draft = Path(folder, f"workbook.{kind}"), Path(folder, "rows")
            named.symlink_to(path.resolve())  # the library reports a password only if the name has the kind
            with draft.open("wb") as out:
                _refuse(_run(named, out, max_bytes))
            draft.replace(table)
    return table


@contextmanager
def _turn() -> Iterator[None]:
    """One at a time on this machine, since each may take MEMORY. Raises UnreadableFile after LONGEST_WAIT seconds."""
    until = time.monotonic() + LONGEST_WAIT
    with Path(__file__).open("rb") as lock:
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > until:
                    raise UnreadableFile(_BUSY) from None
                time.sleep(_PAUSE)
        yield


def _run(path: Path, out: IO[bytes], max_bytes: int) -> int:
    """Run the process that writes the table. Return its exit status, or the negative number of a signal.

    It gets no secrets of this process, and is killed after LONGEST seconds.
    """
    bounds = map(str, (MEMORY, SECONDS, max_bytes))
    try:
        return subprocess.run(  # noqa: S603  (our own module)
            [sys.executable, "-P", "-m", "resolver.sheets.binary_workbook.calamine_process", str(path), *bounds],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.DEVNULL,
            env={"PYTHONPATH": str(_CODE)},
            start_new_session=True,
            timeout=LONGEST,
            check=False,
        ).returncode
    except subprocess.TimeoutExpired:
        return ConversionStatus.TOO_LARGE


def _refuse(status: int) -> None:
    """Raise the error that a status means, unless it is success. A signal ends what exceeds the bounds."""
    if status == ConversionStatus.WELL:
        return
    if status == ConversionStatus.NO_ROOM:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    try:
        reason = _REASONS[ConversionStatus(status) if status > 0 else ConversionStatus.TOO_LARGE]
    except ValueError:
        raise RuntimeError(f"The process that reads XLS and XLSB ended with status {status}.") from None
    raise UnreadableFile(reason)

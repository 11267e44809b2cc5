"""XLS and XLSB, converted once into a table beside the file, by a process with bounds."""

import fcntl
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from doi_reading import Message
from resolver.sheets.binary_workbook.calamine_table import Conversion, write_table
from resolver.sheets.bounded_process.bounds import LARGEST_MEMORY, is_bounded
from resolver.sheets.bounded_process.call import BOUNDS, call_bounded
from resolver.sheets.errors import UnreadableFile

LONGEST_WAIT = 20  # seconds for another process to end
_BUSY = Message("Other workbooks of this kind are being read. Try again in a minute.")
_TOO_LARGE = Message("The workbook is damaged, or too large to read safely. Save it as XLSX or as CSV.")
_REASONS = {
    Conversion.LOCKED: Message("The workbook has a password. Save it without one."),
    Conversion.DAMAGED: Message("The workbook is damaged. Save it again as XLSX or as CSV."),
    Conversion.TOO_LARGE: _TOO_LARGE,
}


def ensure_converted(path: Path, kind: str, max_bytes: int) -> Path:
    """Return the table of the workbook, of the kind `xls` or `xlsb`. It is made at the first reading in its folder, of
    at most so many bytes. A process with bounds makes it itself, any other lets one do it.

    Raises UnreadableFile if the workbook can't be read within the bounds, OSError if there is no room.
    """
    table = path.with_name(f"{path.name}.rows")
    if not table.exists():
        with _turn(), tempfile.TemporaryDirectory(dir=path.parent) as folder:
            named, draft = Path(folder, f"workbook.{kind}"), Path(folder, "rows")
            named.symlink_to(path.resolve())  # the library reports a password only if the name has the kind
            ended = _convert({"book": str(named), "table": str(draft), "size": max_bytes, "memory": LARGEST_MEMORY})
            if ended != Conversion.WELL:
                raise UnreadableFile(_REASONS[ended])
            draft.replace(table)
    return table


def _convert(arguments: dict[str, Any]) -> Conversion:
    if is_bounded():
        return write_table(**arguments)
    bounds = replace(BOUNDS, memory=LARGEST_MEMORY)
    return Conversion(call_bounded(write_table, arguments, bounds=bounds, refusal=_TOO_LARGE))


@contextmanager
def _turn() -> Iterator[None]:
    """One at a time on this machine, since each may take so much memory. Raises UnreadableFile after LONGEST_WAIT
    seconds."""
    until = time.monotonic() + LONGEST_WAIT
    with Path(__file__).open("rb") as lock:
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > until:
                    raise UnreadableFile(_BUSY) from None
                time.sleep(0.05)
        yield

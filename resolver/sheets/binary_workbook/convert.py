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
from resolver.sheets.binary_workbook.converted_table import TOO_LARGE, write_table
from resolver.sheets.bounded_process.bounds import LARGEST_MEMORY, is_bounded
from resolver.sheets.bounded_process.call import BOUNDS, call_bounded
from resolver.sheets.errors import UnreadableFile

MAX_WAIT_SECONDS = 20  # for another process to end
_BUSY = Message("Other workbooks of this kind are being read. Try again in a minute.")


def ensure_converted(path: Path, kind: str, max_bytes: int) -> Path:
    """Return the table of the workbook, of the kind `xls` or `xlsb`. It is made at the first reading in its folder, of
    at most so many bytes, by this process if that has bounds, else by one that has. Raises UnreadableFile if it can't
    be read within the bounds, OSError if there is no room."""
    table = path.with_name(f"{path.name}.rows")
    if not table.exists():
        with _wait_for_turn(), tempfile.TemporaryDirectory(dir=path.parent) as folder:
            named, draft = Path(folder, f"workbook.{kind}"), Path(folder, "rows")
            named.symlink_to(path.resolve())  # the library reports a password only if the name has the kind
            arguments: dict[str, Any] = {
                "book": str(named),
                "table": str(draft),
                "size": max_bytes,
                "memory": LARGEST_MEMORY,
            }
            if is_bounded():
                write_table(**arguments)
            else:
                bounds = replace(BOUNDS, memory=LARGEST_MEMORY)
                call_bounded(write_table, arguments, bounds=bounds, refusal=TOO_LARGE)
            draft.replace(table)
    return table


@contextmanager
def _wait_for_turn() -> Iterator[None]:
    """Let one process of this machine convert at a time, as each may take so much memory. Raises UnreadableFile after
    MAX_WAIT_SECONDS."""
    until = time.monotonic() + MAX_WAIT_SECONDS
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

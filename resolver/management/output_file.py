"""The --output of a command: standard output, or a file whose extension is the format (.csv .tsv .jsonl .xlsx)."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from django.core.management.base import CommandError

from resolver.sheets.output.csv import csv_lines, jsonl_lines
from resolver.sheets.output.result_row import ResultRow
from resolver.sheets.output.xlsx import TooManyColumns, xlsx_file

BROKEN_PIPE = 141  # what a shell reports for a program that a closed pipe ended


class Destination:
    """The destination of the results. A file appears whole or not at all, so a failed run keeps an earlier one."""

    def __init__(self, name: str | None, draft: Path | None) -> None:
        self.name = name
        self._draft = draft

    @property
    def is_workbook(self) -> bool:
        """Whether it is a file that can hold a number or a date as such."""
        return self._draft is not None and Path(str(self.name)).suffix.lower() == ".xlsx"

    def write(self, header: Sequence[str], rows: Iterable[ResultRow]) -> None:
        """Write all rows. Ends the command with exit status 2 if this fails."""
        try:
            if self.name is None:
                _write_stream(sys.stdout.buffer, "", header, rows)
            elif self._draft is None:
                with Path(self.name).open("wb") as stream:
                    _write_stream(stream, Path(self.name).suffix.lower(), header, rows)
            else:
                self._write_file(Path(self.name), self._draft, header, rows)
        except BrokenPipeError:
            # The reader of the output has left (`| head`), which is no error. Python would complain at its last flush.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise SystemExit(BROKEN_PIPE) from None
        except TooManyColumns as error:
            raise CommandError(str(error), returncode=2) from error
        except OSError as error:
            raise _unwritable(self.name or "standard output", error) from error

    @staticmethod
    def _write_file(path: Path, draft: Path, header: Sequence[str], rows: Iterable[ResultRow]) -> None:
        if path.suffix.lower() == ".xlsx":
            xlsx_file(header, rows, draft)
        else:
            with draft.open("wb") as stream:
                _write_stream(stream, path.suffix.lower(), header, rows)
        if path.exists():
            shutil.copymode(path, draft)
        draft.replace(path)


@contextmanager
def destination(name: str | None, source_name: str) -> Iterator[Destination]:
    """Yield the destination of the results. It is tested before the work starts: exit status 2 if it isn't writable."""
    if name in (None, "-"):
        yield Destination(None, None)
        return
    path = Path(str(name))
    if path.exists() and Path(source_name).exists() and path.samefile(source_name):
        raise CommandError("FILE and OUT are the same file: the results would replace your list.", returncode=2)
    if path.exists() and not path.is_file() and not path.is_dir():  # a device or a named pipe: written directly
        yield Destination(name, None)
        return
    try:
        if path.is_dir():
            raise IsADirectoryError(21, "it is a folder")
        if path.exists():
            with path.open("ab"):
                pass
        handle, draft_name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise _unwritable(str(name), error) from error
    mask = os.umask(0)
    os.umask(mask)
    os.fchmod(handle, 0o666 & ~mask)
    os.close(handle)
    draft = Path(draft_name)
    try:
        yield Destination(name, draft)
    finally:
        draft.unlink(missing_ok=True)


def _write_stream(stream: BinaryIO, suffix: str, header: Sequence[str], rows: Iterable[ResultRow]) -> None:
    if suffix in (".jsonl", ".ndjson"):
        blocks = jsonl_lines(header, rows)
    else:
        blocks = csv_lines(header, rows, delimiter="\t" if suffix == ".tsv" else ",")
    stream.writelines(blocks)
    stream.flush()


def _unwritable(name: str, error: OSError) -> CommandError:
    return CommandError(f"Cannot write {name}: {error.strerror or error}.", returncode=2)

"""The --output of a command: standard output, or a file whose extension is the format (.csv .tsv .jsonl .xlsx)."""

import os
import secrets
import shutil
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from django.core.management.base import CommandError

from resolver.sheets.output.export_formats import CSV, JSON_LINES, XLSX
from resolver.sheets.output.result_table import ResultTable
from resolver.sheets.output.xlsx import TooManyColumns

FORMATS = {".jsonl": JSON_LINES, ".ndjson": JSON_LINES, ".xlsx": XLSX}  # by the ending; any other is CSV
# Endings of other formats. CSV in such a file can't be opened, or looks like a damaged file.
OTHER_FORMATS = {".gz", ".json", ".ods", ".parquet", ".xls", ".xlsb", ".xlsm", ".xml", ".zip"}


class OutputFile:
    """The destination of the results. A file appears whole or not at all, so a failed run keeps an earlier one."""

    def __init__(self, name: str | None, draft: Path | None = None) -> None:
        self.name = name
        self._draft = draft
        self._suffix = Path(name or "").suffix.lower()
        self._form = FORMATS.get(self._suffix, CSV)

    @property
    def has_values(self) -> bool:
        """Whether it can hold a number or a date as such."""
        return self._form.has_values

    def write(self, table: ResultTable) -> None:
        """Write the table. Ends the command with exit status 2 on failure."""
        delimiter = "\t" if self._suffix == ".tsv" else ","
        self.write_blocks(self._form.write(table, delimiter))

    def write_blocks(self, blocks: Iterable[bytes]) -> None:
        """Write these bytes. Ends the command with exit status 2 on failure."""
        try:
            if self.name is None:
                _write_stream(sys.stdout.buffer, blocks)
                return
            path = Path(self.name)
            with (self._draft or path).open("wb") as stream:
                _write_stream(stream, blocks)
            if self._draft is not None:
                if path.exists():
                    shutil.copymode(path, self._draft)
                self._draft.replace(path)
        except BrokenPipeError:
            # The reader of the output has left (`| head`), which is no error. Python would complain at its last flush.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise SystemExit(128 + signal.SIGPIPE) from None  # as shells report it
        except TooManyColumns as error:
            raise CommandError(str(error), returncode=2) from error
        except OSError as error:
            raise build_write_error(self.name or "standard output", error) from error


def _write_stream(stream: BinaryIO, blocks: Iterable[bytes]) -> None:
    stream.writelines(blocks)
    stream.flush()


def refuse_other_format(name: str | None) -> None:
    """End the command with exit status 2 if the ending of --output is that of another format."""
    ending = Path(name or "").suffix.lower()
    if ending in OTHER_FORMATS:
        raise CommandError(
            f"--output: results can't be written as {ending}. "
            "Choose a name that ends with .csv, .tsv, .jsonl or .xlsx.",
            returncode=2,
        )


@contextmanager
def open_output_file(name: str | None, source_name: str) -> Iterator[OutputFile]:
    """Yield the destination of the results. It is tested before the work starts: exit status 2 if it isn't writable."""
    if name in (None, "-"):
        yield OutputFile(None)
        return
    path = Path(str(name))
    try:
        if path.exists() and Path(source_name).exists() and path.samefile(source_name):
            raise CommandError("FILE and OUT are the same file: the results would replace your list.", returncode=2)
        is_written_directly = path.exists() and not path.is_file() and not path.is_dir()  # a device or a named pipe
    except OSError as error:
        raise build_write_error(str(name), error) from error
    if is_written_directly:
        yield OutputFile(name)
        return
    try:
        if path.is_dir():
            raise IsADirectoryError(21, "it is a folder")
        if path.exists():
            path.open("ab").close()
        draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        draft.open("xb").close()
    except OSError as error:
        raise build_write_error(str(name), error) from error
    try:
        yield OutputFile(name, draft)
    finally:
        draft.unlink(missing_ok=True)


def build_write_error(name: str | Path, error: OSError) -> CommandError:
    """Return the error of a command that can't write this file, with exit status 2."""
    return CommandError(f"Cannot write {name}: {error.strerror or error}.", returncode=2)

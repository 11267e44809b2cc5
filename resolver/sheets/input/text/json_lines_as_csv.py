"""JSON lines: an object on each line, whose members are the columns of a table."""

import csv
import io
import json
import re
from collections.abc import Iterator
from typing import IO, Any

from doi_reading import Message
from resolver.sheets.errors import UnreadableFile

_MAX_MEMBERS = 1000  # different ones, each a column
_NO_OBJECT = Message("This isn't a JSON object.")
_BEGINS = re.compile(rb"(?:\xef\xbb\xbf)?[ \t\r\n]*\{")


class JsonLinesTable:
    """The CSV of a file with JSON lines. Numbers stay as they are written, null is an empty cell, and a list or an
    object inside a member is a cell with its JSON. An object that repeats a member is refused: one of its values would
    be lost. `longest_line`: bytes."""

    def __init__(self, file: IO[bytes], longest_line: int) -> None:
        self._file, self._longest = file, longest_line

    @staticmethod
    def fits(file: IO[bytes]) -> bool:
        """Return whether the first line is an object."""
        file.seek(0)
        head = file.read(1000)
        file.seek(0)
        return _BEGINS.match(head) is not None

    def chunks(self) -> Iterator[bytes]:
        """Yield the CSV, in UTF-8, with the names of the members as its first row. Reads the file twice. Raises
        UnreadableFile with the line."""
        columns: dict[str, None] = {}
        for line, row in self._read_objects():
            columns.update(dict.fromkeys(row))
            if len(columns) > _MAX_MEMBERS:
                reason = Message("The objects have more than {count} different members.", count=_MAX_MEMBERS)
                raise UnreadableFile(reason, line)
        written = io.StringIO(newline="")
        writer = csv.writer(written, quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writerow(columns)
        yield b"\xef\xbb\xbf"
        for _, row in self._read_objects():
            writer.writerow([_show(row.get(name)) for name in columns])
            if written.tell() > 1 << 18:  # characters
                yield _take(written)
        yield _take(written)

    def _read_objects(self) -> Iterator[tuple[int, dict[str, Any]]]:
        self._file.seek(0)
        line = 0
        while text := self._file.readline(self._longest + 1):
            line += 1
            if len(text) > self._longest:
                raise UnreadableFile(Message("The line is longer than {count} bytes.", count=self._longest), line)
            if text := text.removeprefix(b"\xef\xbb\xbf" if line == 1 else b"").strip():
                yield line, _read(text, line)


def _read(text: bytes, line: int) -> dict[str, Any]:
    """Return the members, those that are lists or objects as their JSON. Raises UnreadableFile."""
    try:
        row = json.loads(
            text, parse_int=_Number, parse_float=_Number, parse_constant=_Number, object_pairs_hook=_build_object
        )
        if isinstance(row, dict):
            return {name: _write(value) if isinstance(value, list | dict) else value for name, value in row.items()}
    except _DuplicateMember as error:
        reason = Message("The member {name} appears twice in one object. Rename one.", name=str(error))
        raise UnreadableFile(reason, line) from error
    except (ValueError, RecursionError) as error:
        raise UnreadableFile(_NO_OBJECT, line) from error
    raise UnreadableFile(_NO_OBJECT, line)


class _Number(str):
    """A number as it is written."""

    __slots__ = ()


class _DuplicateMember(ValueError):
    """Its text is the name of the member."""


def _build_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    built: dict[str, Any] = {}
    for name, value in pairs:
        if name in built:
            raise _DuplicateMember(name[:100])
        built[name] = value
    return built


def _write(value: Any) -> str:
    """Return the value as JSON, its numbers as they were written."""
    match value:
        case _Number():
            return str(value)
        case dict():
            return "{" + ", ".join([f"{_write(name)}: {_write(inner)}" for name, inner in value.items()]) + "}"
        case list():
            return "[" + ", ".join([_write(inner) for inner in value]) + "]"
        case _:
            return json.dumps(value, ensure_ascii=False)


def _show(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value)


def _take(written: io.StringIO) -> bytes:
    text = written.getvalue()
    written.seek(0)
    written.truncate()
    # A lone surrogate has no bytes in UTF-8; it becomes U+FFFD, as in the results.
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace").encode()

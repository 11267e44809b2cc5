"""The text of a file and back: what isn't changed keeps its bytes."""

import codecs
import os
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

MOST_BYTES = 10_000_000
"""Bytes of a file; a larger one is refused."""
_BINARY = (b"%PDF-", b"PK\x03\x04", b"\x1f\x8b", b"\x89PNG", b"\xd0\xcf\x11\xe0")
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


class RefusedFile(Exception):
    """The file can't be read or written. The text says why."""


class WrongFormat(RefusedFile):
    """The text isn't of the format of the file's name."""


@dataclass(frozen=True, slots=True)
class FileText:
    """The text of a file, with the byte order mark before it and the charset of its bytes."""

    text: str
    mark: bytes = b""
    charset: str = "utf-8"

    @property
    def is_unicode(self) -> bool:
        """Return whether the charset is known. Bytes that aren't UTF-8 are kept, but what they mean is uncertain."""
        return self.charset != "latin-1"

    def encode(self, text: str) -> bytes:
        """Return the bytes of another text in this file's charset."""
        return self.mark + text.encode(self.charset)


def read_text(stream: BinaryIO) -> FileText:
    """Read a file. Raises RefusedFile if it is too large, binary, or damaged UTF-16."""
    data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise RefusedFile(f"it has more than {MOST_BYTES:,} bytes; split it")
    if data.startswith(_BINARY):
        raise RefusedFile("it is a binary file; export it as text")
    for mark, charset in _MARKS:
        if data.startswith(mark):
            try:
                return FileText(data[len(mark) :].decode(charset), mark, charset)
            except UnicodeDecodeError as error:
                raise RefusedFile(f"its byte order mark says {charset}, but its bytes aren't: {error.reason}") from None
    if b"\0" in data:
        raise RefusedFile("it is a binary file; export it as text")
    try:
        return FileText(data.decode("utf-8"))
    except UnicodeDecodeError:
        return FileText(data.decode("latin-1"), charset="latin-1")


def replace_file(path: Path, data: bytes) -> None:
    """Replace the content of a file in one step; its mode and a symbolic link stay. Raises RefusedFile."""
    target = path.resolve()
    if not target.is_file():
        raise RefusedFile("it isn't a file that can be replaced")
    try:
        mode = stat.S_IMODE(target.stat().st_mode)
        handle, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", dir=target.parent)
        made = Path(name)
        try:
            with os.fdopen(handle, "wb") as out:
                out.write(data)
                out.flush()
                os.fsync(out.fileno())
            made.chmod(mode)
            made.replace(target)
        except BaseException:
            made.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise RefusedFile(f"it can't be written: {error.strerror or error}") from error

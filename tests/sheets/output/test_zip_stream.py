"""A ZIP archive that is sent while it is written."""

import io
import zipfile
from collections.abc import Iterator

import pytest

from resolver.sheets.output.zip_stream import generate_zip


def test_an_archive_holds_its_files() -> None:
    sent = b"".join(generate_zip([("a.txt", [b"one ", b"two"]), ("b/ü.txt", []), ("c", iter([b"x" * 100_000]))]))
    archive = zipfile.ZipFile(io.BytesIO(sent))
    assert archive.testzip() is None
    assert {name: archive.read(name) for name in archive.namelist()} == {
        "a.txt": b"one two",
        "b/ü.txt": b"",
        "c": b"x" * 100_000,
    }


def test_an_archive_leaves_before_its_last_file_is_read() -> None:
    read: list[int] = []

    def blocks() -> Iterator[bytes]:
        for number in range(100):
            read.append(number)
            yield bytes(range(256)) * 1_000

    archive = generate_zip([("long", blocks())])
    next(archive)
    assert len(read) < 5


def test_an_archive_in_which_a_file_failed_is_damaged_for_every_program() -> None:
    def blocks() -> Iterator[bytes]:
        yield b"x" * 1_000_000
        raise RuntimeError

    sent = []
    with pytest.raises(RuntimeError):
        sent.extend(generate_zip([("a", [b"whole"]), ("b", blocks())]))
    with pytest.raises(zipfile.BadZipFile):
        zipfile.ZipFile(io.BytesIO(b"".join(sent)))

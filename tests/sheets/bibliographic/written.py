"""A file read and written back, as text and numbers for tests."""

import io
from collections.abc import Mapping

from resolver.sheets.bibliographic.formats import FORMATS
from resolver.sheets.bibliographic.record import BibliographicRecord, Place
from resolver.sheets.bibliographic.write_back import write_back
from resolver.sheets.left_out import Leave, LeftOut


def read(kind: str, data: bytes) -> list[BibliographicRecord]:
    """Return the records of the file."""
    form = FORMATS[kind]
    return list(form.read(io.BytesIO(data), frozenset(form.fields)))


def places(kind: str, data: bytes) -> list[Place]:
    """Return the places of the file."""
    return [place for record in read(kind, data) for place in record.places]


def written(kind: str, data: bytes, names: Mapping[int, str]) -> bytes:
    """Return the file with these names in the places of these numbers."""
    return _write(kind, data, names)


def added(kind: str, data: bytes, names: Mapping[int, str]) -> bytes:
    """Return the file with these names; records without a place are counted too."""
    return _write(kind, data, names, with_missing=True)


def left_out(kind: str, data: bytes, names: Mapping[int, str], *, with_missing: bool = False) -> list[LeftOut]:
    """Return the names that the file can't hold."""
    found: list[LeftOut] = []
    _write(kind, data, names, found.append, with_missing=with_missing)
    return found


def _write(
    kind: str, data: bytes, names: Mapping[int, str], leave: Leave = lambda left: None, *, with_missing: bool = False
) -> bytes:
    form = FORMATS[kind]
    numbered, fields = sorted(names.items()), frozenset(form.fields)
    return b"".join(write_back(form, lambda: io.BytesIO(data), fields, numbered, leave, with_missing=with_missing))

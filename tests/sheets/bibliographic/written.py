"""A file read and written back, as text and numbers for tests."""

import io
from collections.abc import Mapping

from resolver.sheets.bibliographic.formats import FORMATS
from resolver.sheets.bibliographic.record import BibliographicRecord, Place
from resolver.sheets.bibliographic.write_back import write_back
from resolver.sheets.left_out import LeftOut


def read(kind: str, data: bytes) -> list[BibliographicRecord]:
    """Return the records of the file."""
    form = FORMATS[kind]
    return list(form.read(io.BytesIO(data), frozenset(form.fields)))


def places(kind: str, data: bytes) -> list[Place]:
    """Return the places of the file."""
    return [place for record in read(kind, data) for place in record.places]


def written(kind: str, data: bytes, names: Mapping[int, str]) -> bytes:
    """Return the file with these names in the places of these numbers."""
    form = FORMATS[kind]
    return b"".join(write_back(form, lambda: io.BytesIO(data), frozenset(form.fields), sorted(names.items())))


def left_out(kind: str, data: bytes, names: Mapping[int, str]) -> list[LeftOut]:
    """Return the names that the file can't hold."""
    form = FORMATS[kind]
    found: list[LeftOut] = []
    list(write_back(form, lambda: io.BytesIO(data), frozenset(form.fields), sorted(names.items()), found.append))
    return found

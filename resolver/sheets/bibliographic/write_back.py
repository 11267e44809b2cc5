"""The uploaded file again, with DOIs put where people accepted them, and every other byte as it was."""

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from resolver.sheets.bibliographic.places import new_text
from resolver.sheets.bibliographic.record import BibliographicRecord, Edit, NotWritable, Place, RecordFormat

_PIECE = 1 << 16
_NO_MORE = (0, "")


def write_back(
    form: RecordFormat, opened: tuple[BinaryIO, BinaryIO], fields: frozenset[str], names: Iterable[tuple[int, str]]
) -> Iterator[bytes]:
    """Yield the file with the names put in. `opened` is the file opened twice, `names` has the numbers of places in
    order, each with the accepted name; places and damaged records are counted together, from 1. A record that can't
    hold a name stays as it is."""
    places, source = opened
    wanted = iter(names)
    following, name = next(wanted, _NO_MORE)
    number, at = 0, 0
    for record in form.read(places, fields):
        edits: list[Edit] = []
        for place in record.places:
            number += 1
            if number == following:
                edits += _edits(place, name)
                following, name = next(wanted, _NO_MORE)
        number += record.fault is not None
        while following <= number and following:
            following, name = next(wanted, _NO_MORE)
        if not edits:
            continue
        yield from _copy(source, record.start - at)
        raw = source.read(record.end - record.start)
        yield _rebuilt(form, record, raw, edits)
        at = record.end
    yield from _copy(source, None)


def _edits(place: Place, name: str) -> list[Edit]:
    try:
        text = new_text(place, name)
        if text == place.text:
            return []
        first, *others = place.spans
        return [Edit(*first, place.encode(text)), *(Edit(*span, b"") for span in others)]
    except NotWritable:
        return []


def _rebuilt(form: RecordFormat, record: BibliographicRecord, raw: bytes, edits: list[Edit]) -> bytes:
    try:
        return form.rebuild(raw, record.start, sorted(edits, key=lambda edit: edit.start))
    except NotWritable:
        return raw


def _copy(source: BinaryIO, count: int | None) -> Iterator[bytes]:
    """Yield the next `count` bytes, or all that are left."""
    while count is None or count > 0:
        piece = source.read(_PIECE if count is None else min(_PIECE, count))
        if not piece:
            return
        yield piece
        count = None if count is None else count - len(piece)

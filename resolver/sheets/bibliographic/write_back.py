"""The uploaded file with the accepted DOIs written in, and every other byte unchanged."""

import io
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from typing import BinaryIO

from doi_reading import Message
from resolver.sheets.bibliographic.places import READ_OTHERWISE, build_new_text
from resolver.sheets.bibliographic.record import (
    MAX_RECORD_BYTES,
    READ_BYTES,
    RECORD_TOO_LONG,
    BibliographicRecord,
    Edit,
    MissingDoi,
    Place,
    RecordFormat,
    splice,
)
from resolver.sheets.bibliographic.text_codec import NoSuchCharacter, is_utf8
from resolver.sheets.left_out import Leave, LeftOut, NotWritable

_NO_MORE = (0, "")


_Refuse = Callable[[Message], LeftOut]
_Accepted = tuple[Place | MissingDoi, str, _Refuse]
_Edits = list[tuple[_Refuse, list[Edit]]]


def write_back(
    form: RecordFormat,
    open_file: Callable[[], BinaryIO],
    fields: frozenset[str],
    names: Iterable[tuple[int, str]],
    leave: Leave = lambda left: None,
    *,
    with_missing: bool = False,
) -> Iterator[bytes]:
    """Yield the file with the names put in. `names` has the numbers of places in order, each with the accepted name;
    places and damaged records are counted together, from 1. `with_missing` counts records without a place too, and adds
    the name to them. `leave` is called for each name that the file can't hold.
    """
    is_whole_utf8 = cache(partial(_is_utf8, open_file))
    with open_file() as places, open_file() as source:
        at = 0
        for record, accepted in _find_accepted(form.read(places, fields), names, with_missing=with_missing):
            if record.end - record.start > MAX_RECORD_BYTES and not record.places:  # of empty lines
                for *_, refuse in accepted:
                    leave(refuse(RECORD_TOO_LONG))
                continue
            yield from _copy(source, record.start - at)
            raw = source.read(record.end - record.start)
            edits = _build_edits(form, record, raw, accepted, leave, is_whole_utf8)
            yield _rebuild(form, record, raw, edits, leave) if edits else raw
            at = record.end
        yield from _copy(source, None)


def _find_accepted(
    records: Iterable[BibliographicRecord], names: Iterable[tuple[int, str]], *, with_missing: bool
) -> Iterator[tuple[BibliographicRecord, list[_Accepted]]]:
    """Yield the records that have accepted names, and these."""
    wanted = iter(names)
    following, name = next(wanted, _NO_MORE)
    number = 0
    for count, record in enumerate(records, 1):
        called = record.name or str(count)
        accepted: list[_Accepted] = []
        for place in [record.missing] if with_missing and record.missing else record.places:
            number += 1
            if number == following:
                text = place.text if isinstance(place, Place) else ""
                accepted.append((place, name, partial(LeftOut, number, called, place.field, text, name)))
                following, name = next(wanted, _NO_MORE)
        number += record.fault is not None
        while following <= number and following:
            following, name = next(wanted, _NO_MORE)
        if accepted:
            yield record, accepted


def _is_utf8(open_file: Callable[[], BinaryIO]) -> bool:
    with open_file() as file:
        return is_utf8(iter(partial(file.read, READ_BYTES), b""))


def _build_edits(
    form: RecordFormat,
    record: BibliographicRecord,
    raw: bytes,
    accepted: list[_Accepted],
    leave: Leave,
    is_whole_utf8: Callable[[], bool],
) -> _Edits:
    found: _Edits = []
    for place, name, refuse in accepted:
        try:
            if isinstance(place, Place):
                held, edits = place.text.encode(), _edit_place(place, name)
            else:
                held, edits = raw, [_add_name(form, record, place, raw, name)]
            is_guessed = held.isascii() and any(not edit.new.isascii() and is_utf8([edit.new]) for edit in edits)
            if is_guessed and not is_whole_utf8():
                raise NoSuchCharacter(next(sign for sign in name if not sign.isascii()))
            if edits:
                found.append((refuse, edits))
        except NotWritable as error:
            leave(refuse(error.reason))
    return found


def _edit_place(place: Place, name: str) -> list[Edit]:
    text = build_new_text(place, name)
    first, *others = place.spans
    return [] if text == place.text else [Edit(*first, place.encode(text)), *(Edit(*span, b"") for span in others)]


def _add_name(form: RecordFormat, record: BibliographicRecord, missing: MissingDoi, raw: bytes, name: str) -> Edit:
    """Return the edit that adds the name. Raises NotWritable also if the record would be read otherwise then."""
    edit = missing.add(raw, name)
    new = splice(raw, 0, [edit])
    read = list(form.read(io.BytesIO(new), frozenset(form.fields)))
    names = [place.text for each in read for place in each.places if place.role == "name"]
    if names != [name] or [(each.name, each.work) for each in read] != [(record.name, record.work)]:
        raise NotWritable(RECORD_TOO_LONG if len(new) > MAX_RECORD_BYTES else READ_OTHERWISE)
    return Edit(record.start + edit.start, record.start + edit.end, edit.new)


def _rebuild(form: RecordFormat, record: BibliographicRecord, raw: bytes, edits: _Edits, leave: Leave) -> bytes:
    """Return the record with the edits made; as it was if it would become too long."""
    try:
        all_edits = sorted((edit for _, each in edits for edit in each), key=lambda edit: edit.start)
        return form.rebuild(raw, record.start, all_edits)
    except NotWritable as error:
        for refuse, _ in edits:
            leave(refuse(error.reason))
        return raw


def _copy(source: BinaryIO, count: int | None) -> Iterator[bytes]:
    while count is None or count > 0:
        piece = source.read(READ_BYTES if count is None else min(READ_BYTES, count))
        if not piece:
            return
        yield piece
        count = None if count is None else count - len(piece)

"""The uploaded file with the accepted DOIs written in, and every other byte unchanged."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from typing import BinaryIO

from doi_reading import Message
from resolver.sheets.bibliographic.places import build_new_text
from resolver.sheets.bibliographic.record import READ_BYTES, BibliographicRecord, Edit, Place, RecordFormat
from resolver.sheets.bibliographic.text_codec import NoSuchCharacter, is_utf8
from resolver.sheets.left_out import Leave, LeftOut, NotWritable

_NO_MORE = (0, "")


_Refuse = Callable[[Message], LeftOut]
_Accepted = tuple[Place, str, _Refuse]
_Edits = list[tuple[_Refuse, list[Edit]]]


def write_back(
    form: RecordFormat,
    open_file: Callable[[], BinaryIO],
    fields: frozenset[str],
    names: Iterable[tuple[int, str]],
    leave: Leave = lambda left: None,
) -> Iterator[bytes]:
    """Yield the file with the names put in. `names` has the numbers of places in order, each with the accepted name;
    places and damaged records are counted together, from 1. `leave` is called for each name that the file can't hold.
    """
    with open_file() as places, open_file() as source:
        yield from _write_back(form, (places, source), fields, names, leave, cache(partial(_is_utf8, open_file)))


def _write_back(
    form: RecordFormat,
    opened: tuple[BinaryIO, BinaryIO],
    fields: frozenset[str],
    names: Iterable[tuple[int, str]],
    leave: Leave,
    is_whole_utf8: Callable[[], bool],
) -> Iterator[bytes]:
    places, source = opened
    wanted = iter(names)
    following, name = next(wanted, _NO_MORE)
    number, at = 0, 0
    for count, record in enumerate(form.read(places, fields), 1):
        called = record.name or str(count)
        accepted: list[_Accepted] = []
        for place in record.places:
            number += 1
            if number == following:
                accepted.append((place, name, partial(LeftOut, number, called, place.field, place.text, name)))
                following, name = next(wanted, _NO_MORE)
        number += record.fault is not None
        while following <= number and following:
            following, name = next(wanted, _NO_MORE)
        if accepted and (edits := _build_edits(accepted, leave, is_whole_utf8)):
            yield from _copy(source, record.start - at)
            raw = source.read(record.end - record.start)
            yield _rebuild(form, record, raw, edits, leave)
            at = record.end
    yield from _copy(source, None)


def _is_utf8(open_file: Callable[[], BinaryIO]) -> bool:
    with open_file() as file:
        return is_utf8(iter(partial(file.read, READ_BYTES), b""))


def _build_edits(accepted: list[_Accepted], leave: Leave, is_whole_utf8: Callable[[], bool]) -> _Edits:
    found: _Edits = []
    for place, name, refuse in accepted:
        try:
            text = build_new_text(place, name)
            if text != place.text:
                first, *others = place.spans
                new = place.encode(text)
                is_guessed = place.text.isascii() and not new.isascii() and is_utf8([new])
                if is_guessed and not is_whole_utf8():
                    raise NoSuchCharacter(next(sign for sign in text if not sign.isascii()))
                edits = [Edit(*first, new), *(Edit(*span, b"") for span in others)]
                found.append((refuse, edits))
        except NotWritable as error:
            leave(refuse(error.reason))
    return found


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

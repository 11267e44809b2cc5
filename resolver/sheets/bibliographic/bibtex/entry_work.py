"""What a BibTeX entry says of its work: its values as plain text."""

import re
from collections.abc import Iterator, Mapping, Sequence

from resolver.domain.work.row_work import RowWork
from resolver.domain.work.words import decode_latex
from resolver.sheets.bibliographic.bibtex.escapes import unescape
from resolver.sheets.bibliographic.bibtex.fields import EntryField
from resolver.sheets.bibliographic.described_work import AND_OTHERS, build_work
from resolver.sheets.bibliographic.text_codec import decode

_TITLES, _SUBTITLES, _PEOPLE = ("title",), ("subtitle",), ("author", "editor")
_YEARS, _CONTAINERS = ("year", "date"), ("journaltitle", "journal", "booktitle", "shortjournal")
DESCRIBING = frozenset((*_TITLES, *_SUBTITLES, *_PEOPLE, *_YEARS, *_CONTAINERS, "volume", "pages"))
"""The names of the fields that describe the work."""
_READ_CHARACTERS = 20_000  # of a value, with braces and commands: many people may be in it
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)


def read_value(raw: bytes, field: EntryField) -> str:
    """Return the beginning of the field's value as it is written; "" of a journal that is named by a definition alone,
    which isn't read."""
    if field.name in _CONTAINERS and any(not piece.opener for piece in field.pieces):
        return ""
    if len(field.pieces) == 1:
        (piece,) = field.pieces
        return decode(raw[piece.start : piece.end])[0][:_READ_CHARACTERS]
    return " ".join(decode(raw[piece.start : piece.end])[0] for piece in field.pieces)[:_READ_CHARACTERS]


def describe_entry(values: Mapping[str, str]) -> RowWork:
    """Return the work of an entry with these values, as they are written."""
    return build_work(
        title=_find(values, _TITLES),
        subtitle=_find(values, _SUBTITLES),
        authors=_split_names(next(filter(None, map(values.get, _PEOPLE)), "")),
        year=_find(values, _YEARS),
        container=_find(values, _CONTAINERS),
        volume=_find(values, ("volume",)),
        pages=_find(values, ("pages",)),
    )


def _find(values: Mapping[str, str], names: Sequence[str]) -> str:
    return _read_plain(next(filter(None, map(values.get, names)), ""))


def _split_names(text: str) -> Iterator[str]:
    """Yield the names between the words `and`, but for those within braces: `{Simon and Schuster}` is one."""
    begun: list[str] = []
    open_braces = 0
    for part in _AND.split(text):
        begun.append(part)
        open_braces += part.count("{") - part.count("}")
        if open_braces <= 0:
            yield AND_OTHERS if part.strip().lower() == "others" else _read_plain(" and ".join(begun))
            begun, open_braces = [], 0
    yield _read_plain(" and ".join(begun))


def _read_plain(text: str) -> str:
    if "\\" in text or "$" in text:
        text = unescape(text)
    if "\\" in text:
        text = decode_latex(text)
    elif "{" in text or "}" in text:
        text = text.replace("{", "").replace("}", "")
    return text.replace("~", " ")

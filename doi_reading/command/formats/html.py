"""HTML: the values of attributes and the text between tags, with entities decoded once. Scripts have no entities."""

import re
from collections.abc import Iterator

from doi_reading.command.passage import Passage, cut_pieces
from doi_reading.text.html_entities import decode_html_entities
from doi_reading.text.source_text import SourceText

_TAG = re.compile(r"<(?:/?([A-Za-z][A-Za-z0-9:-]{0,60})|!--)")
_REST_OF_TAG = re.compile(r"(?:\"[^\"]*\"|'[^']*'|[^<>\"'])*+")
_VALUE = re.compile(r"\"([^\"]*)\"|'([^']*)'|=\s*([^\s\"'<>=]+)")
_WHITE = re.compile(r"\s")


def find_passages(text: str) -> Iterator[Passage]:
    """Yield texts and values, in order. What looks like a tag and isn't closed is text."""
    done = at = 0
    while tag := _TAG.search(text, at):
        if tag[1] is None:
            at = _find(text, "-->", tag.end())
            continue
        rest = _REST_OF_TAG.match(text, tag.end())
        at = rest.end() if rest else tag.end()
        if text[at : at + 1] != ">":
            continue
        yield from _read_text(text, done, tag.start())
        for value in _VALUE.finditer(text, tag.end(), at):
            yield from _read_text(text, *value.span(value.lastindex or 0))
        at = done = at + 1
        if tag[1].lower() in ("script", "style") and text[tag.start() + 1] != "/":
            at = _find(text, f"</{tag[1]}", done)
            yield Passage(SourceText.of(text).cut(done, at))
            done = at
    yield from _read_text(text, done, len(text))


def _find(text: str, end: str, start: int) -> int:
    found = text.find(end, start)
    return len(text) if found < 0 else found


def _read_text(text: str, start: int, end: int) -> Iterator[Passage]:
    for piece in cut_pieces(SourceText.of(text).cut(start, end), _WHITE):
        yield Passage(decode_html_entities(piece, 1)[0])

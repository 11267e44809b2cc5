"""HTML: the values of attributes and the text between tags, with entities decoded once. Of a script only the strings of
JSON are read, such as those of JSON-LD: a program may build its addresses of parts."""

import re
from collections.abc import Iterator

from doi_reading.command.file_text import WrongFormat
from doi_reading.command.formats.json_strings import find_string_passages
from doi_reading.command.passage import Passage, cut_pieces
from doi_reading.text.html_entities import decode_html_entities
from doi_reading.text.source_text import SourceText

_TAG = re.compile(r"<(?:/?([A-Za-z][A-Za-z0-9:-]{0,60})|!--)")
_REST_OF_TAG = re.compile(r"(?:=\s{0,20}(?:\"[^\"]*\"|'[^']*'|[^\s\"'>][^\s>]*+)?|[^=<>])*+")
"""Quotes are only quotes right after an equals sign: `title=it's`."""
_ATTRIBUTE = re.compile(
    r"(?<![^\s\"'/])([A-Za-z][\w:.-]{0,60})\s{0,20}=\s{0,20}(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>][^\s>]*))"
)
_PROGRAM = re.compile(r"on[a-z]+|style", re.IGNORECASE)
_JSON = re.compile(r"\btype\s*=\s*[\"']?application/(?:[a-z.-]+\+)?json\b", re.IGNORECASE)
_END = {name: re.compile(f"</{name}", re.IGNORECASE) for name in ("script", "style")}
_END_OF_COMMENT = re.compile("-->")
_WHITE = re.compile(r"\s")


def find_passages(text: str) -> Iterator[Passage]:
    """Yield texts and values, in order. What looks like a tag and isn't closed is text."""
    done = at = 0
    while tag := _TAG.search(text, at):
        if tag[1] is None:
            at = _find(_END_OF_COMMENT, text, tag.end())
            continue
        rest = _REST_OF_TAG.match(text, tag.end())
        at = rest.end() if rest else tag.end()
        if text[at : at + 1] != ">":
            continue
        yield from _read_text(text, done, tag.start())
        yield from _read_attributes(text, tag.end(), at)
        done, name = at + 1, tag[1].lower()
        at = _find(_END[name], text, done) if name in _END and text[tag.start() + 1] != "/" else done
        if at > done and _JSON.search(text, tag.end(), done):
            yield from _read_json(text, done, at)
        done = at
    yield from _read_text(text, done, len(text))


def _find(end: re.Pattern[str], text: str, start: int) -> int:
    found = end.search(text, start)
    return found.start() if found else len(text)


def _read_attributes(text: str, start: int, end: int) -> Iterator[Passage]:
    for attribute in _ATTRIBUTE.finditer(text, start, end):
        if not _PROGRAM.fullmatch(attribute[1]):
            value = SourceText.of(text).cut(*attribute.span(attribute.lastindex or 0))
            yield Passage(decode_html_entities(value, 1)[0].strip(), is_value=True)


def _read_json(text: str, start: int, end: int) -> Iterator[Passage]:
    try:
        yield from find_string_passages(SourceText.of(text).cut(start, end))
    except WrongFormat:  # a template, or a script in spite of its type
        return


def _read_text(text: str, start: int, end: int) -> Iterator[Passage]:
    for piece in cut_pieces(SourceText.of(text).cut(start, end), _WHITE):
        yield Passage(decode_html_entities(piece, 1)[0])

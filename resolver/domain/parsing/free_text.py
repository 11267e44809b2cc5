"""DOIs inside other text, as a person would read them: without the sentence's punctuation and brackets."""

import re
from dataclasses import dataclass

from resolver.domain.name.doi import Doi, NotADoi, is_graphic
from resolver.domain.name.encoding import decode_once
from resolver.domain.parsing import locate
from resolver.domain.text import trailing
from resolver.domain.text.source_text import WHITE, WHITE_RUN, SourceText

_ANCHOR = re.compile(
    r"https?://"
    r"|(?<![a-z0-9.-])(?:(?:dx\.|www\.)?doi\.org|hdl\.handle\.net)[:/]"
    r"|urn:doi:|info:doi/"
    rf"|(?<![a-z])(?:doi[:={WHITE}]*)+(?![a-z./-])"
    r"|(?<![0-9])(?<![0-9]\.)10(?:\.|%2e)[0-9]{2,9}(?:\.[0-9]{1,9}){0,4}(?:/|%2f)",
    re.IGNORECASE,
)
_COLON = re.compile(r"(?:https?://)?(?:dx\.|www\.)?doi\.org:(?=10\.)", re.IGNORECASE)
_DOI = r"10\.[0-9]{2,9}(?:\.[0-9]{1,9}){0,4}/[^\s/]"
_NEXT = rf"(?:https?://[^;,|\s]{{1,200}}?/|(?:dx\.|www\.)?doi\.org/|urn:doi:|info:doi/|doi:){_DOI}"
SEPARATOR = re.compile(rf"[;,|]{{1,4}}(?=(?:{_NEXT}|{_DOI}))", re.IGNORECASE)
SEPARATOR_IN_URL = re.compile(r"[;,|]{1,4}(?=https?://[^;,|\s]{1,200}?/" + _DOI + ")", re.IGNORECASE)
"""In a URL a bare `,10.1000/2` is part of the path, and a name that holds it must be read back whole."""
_MARKUP = re.compile(r"</[A-Za-z]|<br\b|\$[0-9a-z]doi\b|<p>|-->|\}\}|\|\s?[A-Za-z_]+\s?=|\]\]|(?<!\\)\\[rnt](?=\W|\Z)")
"""Where HTML, a wiki's template or an escape of JSON goes on after the name."""
_TRIES = 12  # anchors of one word that lead to no name; a word with more is no address, and reading stays linear
_FEWEST = 4  # of them in a long word
_LOOKED_AT = 20_000  # characters that are looked at for all of them together
_BETWEEN = re.compile(rf"[{WHITE};,|]*\Z")
_PREFIX = re.compile(r"10\.(?:[0-9]{4}[0-9.]*|[0-9]{3}\.[0-9]{4,}|97[89]\.[0-9]+)/")
"""What is a prefix without anybody saying so: 10.50/copy is a price, 10.15/bin a version, 10.0.0.0/8 a network."""


class _Separators:
    """Where the next separator stands; what was searched is not searched again, so that reading stays linear."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._searched = (0, 0)
        self._found = 0

    def next(self, start: int, end: int) -> int:
        """Where the first separator between `start` and `end` begins, or `end`. Lookahead stops at `end`, so one right
        before the end of a region is not found."""
        first, last = self._searched
        if last != end or not first <= start <= self._found:
            match = SEPARATOR.search(self._text, start, end)
            self._searched, self._found = (start, end), match.start() if match else end
        return self._found


@dataclass(slots=True)
class Mention:
    """One DOI of the text, where its writing stands in it, and the writing before punctuation was cut."""

    found: locate.LocatedName
    start: int
    end: int
    uncut: SourceText


def find_mentions(body: SourceText) -> list[Mention]:
    """Every DOI that the text mentions, in order."""
    text = body.text
    kept: list[Mention] = []
    closed: dict[int, int] | None = None
    separators = _Separators(text)
    at = word_end = failed = 0
    tries = _TRIES
    while match := _ANCHOR.search(text, at):
        start = match.start()
        name_start = match.end() if _is_label(match.group()) else start
        if name_start >= word_end:  # a word is measured once, however many DOIs are run together in it
            white = WHITE_RUN.search(text, name_start)
            word_end = white.start() if white else len(text)
            failed, tries = 0, max(_FEWEST, min(_TRIES, _LOOKED_AT // (word_end - start)))
        end = word_end
        if start and text[start - 1] in trailing.OPENERS:
            closed = trailing.match_brackets(text) if closed is None else closed
            end = min(end, closed.get(start - 1, end))
        end = separators.next(name_start, end)
        mention = _mention(body, start, end)
        if mention is None:
            labelled = name_start > start
            colon = _COLON.match(text, start)
            at = colon.end() if colon else name_start if labelled else match.end()
            failed += 1
            at = at if failed < tries else end
        else:
            kept.append(mention)
            at = mention.end
        at = max(at, start + 1)
    return kept


def _is_label(anchor: str) -> bool:
    return anchor[:3].lower() == "doi" and anchor[3:4] != "."


def _mention(body: SourceText, start: int, end: int) -> Mention | None:
    uncut = body.part(start, end)
    markup = _MARKUP.search(uncut.text, 1)
    text = uncut.text[: markup.start()] if markup else uncut.text
    cut = trailing.find_sentence_end(text)
    found = locate.locate_name(uncut.part(0, cut))
    if found is None or not _reads(found):
        return None
    return Mention(found, start, start + cut, uncut)


def _reads(found: locate.LocatedName) -> bool:
    """In running text only what is a name, or would be one without characters that nobody sees, is taken."""
    if found.form != "name" and locate.is_short(found):
        return True
    text = decode_found(found)
    try:
        Doi.parse(text if text.isprintable() else "".join(filter(is_graphic, text)))
    except NotADoi:
        return False
    return found.form != "name" or is_prefix(text)


def is_prefix(text: str) -> bool:
    """Whether `text` begins with what is a prefix without anybody saying so."""
    return _PREFIX.match(text) is not None


def decode_found(found: locate.LocatedName) -> str:
    """The name as found, decoded."""
    text = found.raw.text
    if found.coding is locate.Coding.URN:
        text = text.replace(":", "/", 1) if "/" not in text.partition(":")[0] else text
    return decode_once(text).text


def find_surroundings(body: SourceText, found: list[Mention]) -> list[tuple[int, int]]:
    """The spans, in the input, of what is neither a DOI nor what merely separates two."""
    spans = []
    done = 0
    for start, end in [*((m.start, m.end) for m in found), (len(body.text), len(body.text))]:
        gap = body.part(done, start)
        if not _BETWEEN.match(gap.text):
            spans.append(gap.stripped().span())
        done = end
    return spans

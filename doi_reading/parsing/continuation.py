"""How a text continues after its name: behind markup, a line break, an ellipsis or a subscript.

The longer name may be another work: a chapter of a book, a table of an article. So the longer name is tried too, and
the reading without it is in doubt. A raised number after a name is a footnote mark.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from string import punctuation

from doi_reading.late_pattern import compile_late
from doi_reading.name.doi import fold
from doi_reading.repair.divided_names import must_continue
from doi_reading.repair.safe_cut import PART
from doi_reading.tables.suffix_patterns import BOOK_PART, WHOLE, has_whole_shape
from doi_reading.text.html_entities import decode_html_entities
from doi_reading.text.name_continuation import OTHER
from doi_reading.text.name_end import DOTS, PUNCTUATION, find_trailing_debris
from doi_reading.text.source_text import MOST_PLACES, WHITE, SourceText

_MARKUP, _LOW, _BREAK, _STYLE = "\x02", "\x03", "\x04", "\x05"
_SIGNS = {"raised": "", "low": _LOW, "underscore": "_", "break": _BREAK, "style": _STYLE}
_ATTRIBUTES = r"(?:[\s/][^<>]{0,300})?>"
_PIECES = compile_late(
    rf"(?P<raised><sup{_ATTRIBUTES}(?![._/-])(?:[^<>]|<(?!/?sup\b)[^<>]{{0,200}}>){{0,60}}(?:</sup\s?>|\Z)"
    r"|[\u00b9\u00b2\u00b3\u2070\u2074-\u207f]+)"
    rf"|(?P<low></?(?:[a-z]{{1,9}}:)?(?:sub|inf){_ATTRIBUTES}|\[/?sub\]|\\textsubscript\{{|~(?=\w{{1,9}}~)|[\u2080-\u2089]+)"
    r"|(?P<underscore>\\textunderscore(?![a-z])(?:\{\})?)"
    rf"|(?P<break></?(?:br|div|p|wbr){_ATTRIBUTES}|\[br ?/?\])"
    rf"|(?P<style></?(?:a|b|em|font|i|mark|small|span|strong|u){_ATTRIBUTES})"
    rf"|</?[a-z][a-z0-9:_-]{{0,30}}{_ATTRIBUTES}|<!--.{{0,300}}?-->|<\?.{{0,300}}?\?>|_x[0-9a-f]{{4}}_"
    r"|\\{1,4}(?:[nrt](?=[\W_]|\Z)|[a-z]{2,20}(?:\{\}|[ ])?)",
    re.IGNORECASE | re.DOTALL,
)
_BEGINS_PIECE = compile_late(r"[<\\\[~]|_x|[^\x00-\x7f]", re.IGNORECASE)
_MOST_PIECES = 500  # of markup in a text
_LOOK_AHEAD = 200  # characters after the name that are looked at
_GAP = r"(?P<gap>[\W_]{1,60}?)"
_WORD = r"[^\W_][^\s\x02\x04\x05|;,\"'<>]{0,100}"
_SIGNED = compile_late(rf"{_GAP}(?P<joined>(?:[._/-]{{1,2}}[\x02-\x05]{{0,4}}|_[\s\x02-\x05]{{1,4}}){_WORD})")
_PART = compile_late(
    rf"[._/-]{{1,2}}(?:[^\W_]{{1,20}}[._-]{{1,2}}){{0,2}}[^\W_]{{0,20}}?[0-9]|[_-][^\W_]\Z|{BOOK_PART}\b", re.IGNORECASE
)
"""The beginning of a part's own name: `_12`, `.ch12`, `/fig-8`, `_A`, `.index`."""
_SEPARATORS = frozenset("._/-")
_LOWERED = compile_late(rf"(?P<gap>[\s\x02\x04\x05]{{0,9}}\x03[\s\x02-\x05]{{0,9}})(?P<joined>{_WORD})")
_NUMBER = compile_late(r"(?P<gap>[\s\x02\x05]{0,9}\x04[\s\x02\x04\x05]{0,9}|\x02{0,9}\x05[\x02\x05]{0,9})[0-9]")
_WHITE = compile_late(r"([./_:(-]{0,2})\s{1,60}")
_CUT = compile_late(
    r"(?!-{1,3}>|\(\s?\))"
    r"(?:\\{0,4}[-_]{1,3}(?![^\W_]|[-_])|[-_(\u2010-\u2015\u2025\u2212\u00ad]{1,3}(?=\W*\Z)|[ ]{1,2}[-_](?=\W*\Z))"
)
_MARKS = compile_late(r"[\s\x02-\x05]")
_MARKED = compile_late(r"\s{0,9}[\x02-\x05][\s\x02-\x05]{0,40}")
_DIVIDES = compile_late(r"[\s\x02-\x05]|\.{3,}|\u2026")
_PART_ENDS = compile_late(r"\.{3,}|[^\w./:()+-]|[\u2080-\u2089]")
_SUBSCRIPTS = str.maketrans("\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089", "0123456789")


@dataclass(frozen=True, slots=True)
class Continuation:
    """What follows a name in a text. `start`, `end`: the place in the text of what divides the two, or of the
    sign at which the text is cut. `cut`: the end is missing. `names`: the name with what follows, likeliest first."""

    start: int
    end: int
    cut: bool
    names: tuple[str, ...] = ()


class FollowingText:
    """A text in which names are found again, even if signs, white space and markup divide them."""

    def __init__(self, text: str) -> None:
        body, _ = decode_html_entities(SourceText.of(text))
        self._body = _write_markup_short(body.decode()[0])

    @cached_property
    def _places(self) -> tuple[str, list[int]]:
        """All letters and digits of the text in one word, and the place of each."""
        folded = fold(self._body.text)
        places = [at for at, one in enumerate(folded) if one.isalnum()]
        return "".join(filter(str.isalnum, folded)), places

    def find_continuation(self, name: str) -> Continuation | None:
        """Return how the text continues after the name; None if the name ends there, is not found, or belongs to a
        registrant whose parts have no names of their own."""
        if WHOLE.fullmatch(name):
            return None
        found = (self._read_after(name, start, end) for start, end in self._find_places(name))
        return next((one for one in found if one is not None), None)

    def join_parts(self, name: str) -> tuple[str, ...]:
        """Return what a name may be if the markup or ellipsis inside it divides its parts."""
        first = _PART_ENDS.search(name, name.find("/") + 2)
        found = self.find_continuation(name[: first.start()]) if first else None
        return found.names if found else ()

    def find_part(self, name: str) -> str:
        """Return the beginning of the name that the text divides from the rest; "" if it holds the name undivided."""
        for start, end in self._find_places(name):
            if divided := _DIVIDES.search(self._body.text, start, end):
                letters = sum(map(str.isalnum, fold(self._body.text[start : divided.start()])))
                places = [at for at, one in enumerate(name, 1) if one.isalnum()]
                return name[: places[letters - 1]]
        return ""

    def ends_with(self, name: str) -> bool:
        """Return whether nothing but footnote marks and the end of a sentence follows the name."""
        rests = (self._body.text[end : end + _LOOK_AHEAD] for _start, end in self._find_places(name))
        return any(not rest.strip(f"{WHITE}{PUNCTUATION})]") for rest in rests)

    def find_spans(self, name: str) -> list[tuple[int, int]]:
        """Return where the input holds the name, with what divides it."""
        return [self._body.span(start, end) for start, end in self._find_places(name)]

    def _find_places(self, name: str) -> list[tuple[int, int]]:
        letters, places = self._places
        wanted = "".join(filter(str.isalnum, fold(name)))
        signs = name[len(name.rstrip(punctuation)) :][:10]  # a bound keeps the pattern short
        tail = re.compile(r"[\W_]{0,4}?".join(map(re.escape, signs)))
        found: list[tuple[int, int]] = []
        at = letters.find(wanted) if wanted else -1
        while at >= 0 and len(found) < MOST_PLACES:
            start, end = places[at], places[at + len(wanted) - 1] + 1
            text = self._body.text
            if not text[start - 1 : start].isdigit() and not text[end : end + 1].isalnum():
                closed = tail.match(text, end)
                found.append((start, closed.end() if closed else end))
            at = letters.find(wanted, at + 1)
        return found

    def _read_after(self, name: str, start: int, end: int) -> Continuation | None:
        text = self._body.text
        rest = text[end : end + _LOOK_AHEAD]
        dots = DOTS.match(rest)
        dots = dots if dots and dots.end() < 5 else None  # more dots lead to the next column
        signed = _SIGNED.match(rest, dots.end() - 1 if dots else 0)
        if signed and not dots and _SEPARATORS.issuperset(signed["gap"]):
            signed = None
        joined = _clean(signed["joined"]) if signed else ""
        part = _PART.match(joined) or (signed and _MARKED.fullmatch(signed["gap"]) and PART.match(joined))
        names = (name + joined,) if part and not OTHER.match(joined.lstrip("._/-")) else ()
        if dots:
            return self._build(end, dots.end(), names, cut=True)
        if signed and names:
            return self._build(end, signed.end("gap"), names)
        if lowered := _LOWERED.match(rest):
            word = _clean(lowered["joined"])
            glued = () if name[-1].isdigit() and word.isdigit() else (name + word,)  # two numbers never become one
            return self._build(end, lowered.end("gap"), (f"{name}_{word}", *glued))
        if number := _NUMBER.match(rest):
            return self._build(end, number.end("gap"))
        if (white := _WHITE.match(rest)) and _continues_after_white(name, white[1], rest[white.end(1) :]):
            return self._build(end, white.end())
        cut = _CUT.match(rest)
        if cut and not ("_" in cut[0] and "_" in "".join(text[:start].split()[-1:])):  # Markdown: _10.1000/182_
            return self._build(end, cut.end(), cut=True)
        return None

    def _build(self, start: int, length: int, names: tuple[str, ...] = (), *, cut: bool = False) -> Continuation:
        return Continuation(*self._body.span(start, start + length), cut, names)


def _write_markup_short(body: SourceText) -> SourceText:
    """Return the text with one sign for each tag, and without footnote marks."""
    if not _BEGINS_PIECE.search(body.text):  # as in most texts: looking for the pieces takes time
        return body
    pieces: list[tuple[int, int, str]] = []
    for match in _PIECES.finditer(body.text):
        kind = match.lastgroup
        sign = _SIGNS.get(kind or "", _MARKUP)
        if (number := match[0].translate(_SUBSCRIPTS)) != match[0]:
            sign = f"{_LOW}{number}"
        pieces.append((*match.span(), sign))
        if len(pieces) == _MOST_PIECES:
            break
    return body.with_replaced(pieces)


def _clean(joined: str) -> str:
    plain = _MARKS.sub("", joined)
    return plain[: find_trailing_debris(plain)]


def _continues_after_white(name: str, sign: str, following: str) -> bool:
    words = following.split(maxsplit=1)
    numbered = bool(words) and any(map(str.isdigit, words[0]))
    return numbered and not has_whole_shape(name) and must_continue(name + sign, following)

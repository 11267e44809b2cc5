"""Texts in which a DOI shows only when some damage is undone. None of these has a name: what shows is a candidate."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import partial

from resolver.domain.message import Message, join
from resolver.domain.name.doi import is_graphic
from resolver.domain.name.encoding import decode_once
from resolver.domain.parsing import checks, free_text, locate
from resolver.domain.parsing.reading import TOLD, Reading, read_name, read_no_name
from resolver.domain.problems.problem import Problem, problem
from resolver.domain.repair import propose_repairs
from resolver.domain.repair.prefixes import repair_prefix
from resolver.domain.tables import publisher_urls
from resolver.domain.text import homoglyphs, trailing
from resolver.domain.text.source_text import WHITE, WHITE_RUN, SourceText

Reader = Callable[[str, SourceText], Reading]
Disguise = Callable[[str, SourceText, Reader], Reading | None]

_ESCAPED = re.compile(r"\\+")
_LINK = re.compile(r"<a\b[^<>]{0,200}?//([0-9]+:[A-Za-z]+)/?[^<>]{0,200}>|</?a\b[^<>]{0,400}>", re.IGNORECASE)
_DRIVE = re.compile(r"[A-Za-z]:\\")
_ENCODED = re.compile(r"10(?:\.|%2e)[0-9]{4,9}%(?:25)+2f", re.IGNORECASE)
_SPACE = f"[{WHITE}]{{0,3}}"
_DIVIDED = re.compile(
    rf"(?:https?{_SPACE}:{_SPACE}/{_SPACE}/{_SPACE})?(?:dx{_SPACE}\.{_SPACE})?(?:doi{_SPACE}\.{_SPACE}org{_SPACE}/{_SPACE})?"
    rf"(?<![0-9])(?P<name>1{_SPACE}0{_SPACE}\.{_SPACE}(?P<code>[0-9](?:{_SPACE}[0-9]){{3,4}}){_SPACE}/{_SPACE})(?=[^/{WHITE}])",
    re.IGNORECASE,
)
_PARTED = re.compile(
    rf"1{_SPACE}0{_SPACE}\.[0-9.{WHITE}]{{0,12}}[{WHITE}]/|[0-9]{_SPACE}/[{WHITE}]"
    rf"|10{_SPACE}\.[{WHITE}]|1[{WHITE}]0|10[{WHITE}]\.|10\.[0-9]{{0,9}}[{WHITE}][0-9]"
)
"""A quick look: is there white space in what may be a prefix?"""
_SPACED = 4
_WORDS = 8  # of what follows a divided prefix; a name in more pieces is a sentence
_AFTER_LABEL = re.compile(rf"doi(?:\.org)?[:/{WHITE}]{{1,3}}([0-9OolI.][^{WHITE}]{{7,200}})", re.IGNORECASE)
_AN_ADDRESS = re.compile(r"(?:https?:)?//|www\.", re.IGNORECASE)


def invisible_code(characters: str) -> str:
    """The code for characters that nobody sees: the controls have one of their own (S2, E3)."""
    return "control-character" if unicodedata.category(characters[0]) == "Cc" else "non-graphic"


def _strange(text: str, body: SourceText, _read: Reader) -> Reading | None:
    """A form that only shows when invisible characters are gone and look-alikes are what they look like."""
    if body.text.isascii() and body.text.isprintable():
        return None
    hidden = [
        index for index, character in enumerate(body.text) if not character.isprintable() and not is_graphic(character)
    ]
    alike = homoglyphs.find_homoglyphs(body.text)
    pieces = [(index, index + 1, "") for index in hidden] + [(index, index + 1, plain) for index, plain in alike]
    found = locate.locate_name(body.with_replaced(sorted(pieces))) if pieces else None
    name = free_text.decode_found(found) if found else ""
    if found is None or not (free_text.is_prefix(name) if found.form == "name" else name.startswith("10.")):
        return None
    told = [_hidden(body, index) for index in hidden[:TOLD]]
    for index, plain in alike[:TOLD]:
        start, end = body.span(index, index + 1)
        told.append(problem("look-alike", start, end, characters=f"“{body.text[index]}”", plain=f"“{plain}”"))
    if all(body.text[index] in WHITE for index in hidden):
        # What looks like 10.1000/ and is not must be an error, or nobody would see why there is no name.
        code = "registrant-code" if body.text.find("10.") >= 0 else "directory-code"
        told.insert(0, problem(code, told[0].start, told[0].end))
    return read_no_name(read_name(text, found), told, Message("with the ordinary characters that it seems to have"))


def _hidden(body: SourceText, index: int) -> Problem:
    character = body.text[index]
    code = "inner-space" if character in WHITE else invisible_code(character)
    return problem(code, *body.span(index, index + 1), characters=checks.show_characters(character))


def remove_links(body: SourceText) -> SourceText | None:
    """The text of a SICI without the HTML links in it; None where there are none."""
    if ";2" not in body.text or "<a" not in body.text:
        return None
    pieces = [
        (*match.span(), f"<{match.group(1)}>" if match.group(1) else "") for match in _LINK.finditer(body.text)
    ]  # fmt: skip
    return body.with_replaced(pieces) if pieces else None


def _escaped(text: str, body: SourceText, read: Reader) -> Reading | None:
    """Backslashes of LaTeX, JSON or Markdown before the signs of a name."""
    spans = [match.span() for match in _ESCAPED.finditer(body.text)]
    if not spans:
        return None
    if _DRIVE.match(body.text):
        return None
    told = [problem("registrant-code", *body.span(*spans[0]))]
    ways = (("", Message("without the backslashes")), ("/", Message("with slashes in place of the backslashes")))
    for sign, reason in ways:
        reading = read(text, body.with_replaced([(start, end, sign) for start, end in spans]))
        if reading.doi:
            return read_no_name(reading, told, reason)
    return None


def _encoded(text: str, body: SourceText, read: Reader) -> Reading | None:
    """A name within text that was percent-encoded more than once: `id=doi:10.1016%252fj.conb.2012.11.006`."""
    match = _ENCODED.search(body.text)
    if not match:
        return None
    told = [problem("double-encoded", *body.span(*match.span()), characters="%25")]
    for _ in range(3):
        body = body.decoded()[0]
    reading = read(text, body)
    return read_no_name(reading, told, Message("decoded more than once")) if reading.form != "none" else None


def find_divided_prefix(text: str) -> re.Match[str] | None:
    """Where white space stands within a prefix or around its slash."""
    if not _PARTED.search(text):
        return None
    return next((match for match in _DIVIDED.finditer(text) if WHITE_RUN.search(match.group("name"))), None)


def read_divided(text: str, body: SourceText, match: re.Match[str]) -> Reading:
    """White space within the prefix or around its slash: `https:// doi. org/ 10. 1007/ s00382- 022- 06390-2.`"""
    prefix = "10." + WHITE_RUN.sub("", match.group("code"))
    end = match.end()
    words = body.text[end : end + 300].split()[:_WORDS]
    start = match.start()
    spaces = [(start + at.start(), start + at.end()) for at in WHITE_RUN.finditer(match.group())]
    written = body.text.find("1", start)
    parted = WHITE_RUN.search(body.text, written, match.end("code"))
    code = "registrant-code" if parted else "missing-suffix"
    told = [problem(code, *body.span(written, match.end("code")))]
    if len(spaces) > _SPACED:
        spaces = [(spaces[0][0], spaces[-1][1])]  # a name spaced out letter by letter: one mark, and one sentence
    told += [one for space in spaces for one in checks.check_white_space("inner-space", body, *space)]

    def offers() -> Iterator[tuple[str, Message]]:
        for count in likely_word_counts(words):
            name = decode_once(f"{prefix}/{''.join(words[:count])}").text
            joined = homoglyphs.replace_homoglyphs(name[: trailing.find_debris(name)])
            divided = Message("joined where white space divides it")
            yield joined, divided
            if count == count_likely_words(words):
                yield from ((better, join(", ", divided, why)) for better, why in propose_repairs(joined))

    return Reading(text, "text", problems=tuple(told), offers=offers)


def count_likely_words(words: list[str]) -> int:
    """How many of the words belong to one name: a word goes on where the one before it ends in a sign, where it begins
    with a figure or a SICI's bracket, and where names are spaced out letter by letter."""
    count = 1
    while count < len(words) and (
        words[count - 1][-1] in ".-_/(:<>"
        or words[count][0].isdigit()
        or words[count][0] in "<>"
        or len(words[count]) == 1
    ):
        count += 1
    return count


def likely_word_counts(words: list[str]) -> Iterator[int]:
    """The likeliest number of words, then others; but none that ends in the middle of a number, since what a number
    cut short stands for may be another work."""
    first = count_likely_words(words)
    yield first
    for count in range(len(words), 0, -1):
        inside = count < len(words) and words[count - 1][-1].isdigit() and words[count][0].isdigit()
        goes_on = count < len(words) and words[count - 1][-1] in ".-_/(:<>"
        if count != first and not inside and not goes_on:
            yield count


def _labelled(text: str, body: SourceText, _read: Reader) -> Reading | None:
    """A damaged prefix that a label or resolver names a DOI: `see doi:10,1136/bmj.n71.`"""
    for match in _AFTER_LABEL.finditer(body.text):
        word = match.group(1)
        name = repair_prefix(word[: trailing.find_punctuation(word, trailing.SENTENCE)], labelled=True)
        if name:
            prefix = word.partition("/")[0]
            code = "registrant-code" if prefix.startswith("10.") else "directory-code"
            told = [problem(code, *body.span(match.start(1), match.start(1) + len(prefix)))]
            offers = [(name, Message("with the prefix written as usual")), *propose_repairs(name)]
            return Reading(text, "text", problems=tuple(told), offers=partial(iter, offers))
    return None


def _renamed(text: str, body: SourceText, _read: Reader) -> Reading | None:
    """The address of a publisher that has the parts of the name in it, but not the name."""
    names = publisher_urls.names_in_address(body.text) if _AN_ADDRESS.match(body.text) else []
    if not names:
        return None
    offers = [(name, Message("the name that the publisher registers for such an address")) for name in names]
    return Reading(text, "none", problems=(problem("no-doi", *body.span()),), offers=lambda: offers)


DISGUISES: tuple[tuple[str, Disguise], ...] = (
    ("10.1242/\u200bbio.2014, or a prefix with look-alikes", _strange),
    ("10.1016\\/j.actpsy.2023.104049", _escaped),
    ("id=doi:10.1016%252fj.conb.2012.11.006", _encoded),
    ("see doi:10,1136/bmj.n71.", _labelled),
    ("https://www.nature.com/articles/s41586-020-2649-2", _renamed),
)
"""In the order in which they are tried, each with an example."""


def read_undisguised(text: str, body: SourceText, read: Reader) -> Reading | None:
    """The reading under the first disguise that comes off; None where nothing is under any. `read` reads an excerpt."""
    for _example, disguise in DISGUISES:
        reading = disguise(text, body, read)
        if reading is not None:
            return reading
    return None

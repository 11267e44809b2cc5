"""Texts in which a DOI shows only when some damage is undone. None of these has a name: what shows is a candidate."""

import re
import unicodedata
from collections.abc import Callable, Iterator

from resolver.domain import checks, endings, forms, lookalikes, prose, publishers
from resolver.domain.doi import is_graphic
from resolver.domain.encoding import decode_once
from resolver.domain.excerpt import WHITE, WHITE_RUN, Excerpt
from resolver.domain.problems import problem
from resolver.domain.single import Reading, no_name, one_name

Reader = Callable[[str, Excerpt], Reading]
Disguise = Callable[[str, Excerpt, Reader], Reading | None]

_ESCAPED = re.compile(r"\\+")
_DRIVE = re.compile(r"[A-Za-z]:\\")
_ENCODED = re.compile(r"10(?:\.|%2e)[0-9]{4,9}%(?:25)+2f", re.IGNORECASE)
_SPACE = f"[{WHITE}]{{0,3}}"
_DIVIDED = re.compile(
    rf"(?:https?{_SPACE}:{_SPACE}/{_SPACE}/{_SPACE})?(?:dx{_SPACE}\.{_SPACE})?(?:doi{_SPACE}\.{_SPACE}org{_SPACE}/{_SPACE})?"
    rf"(?<![0-9])(?P<name>1{_SPACE}0{_SPACE}\.{_SPACE}(?P<code>[0-9](?:{_SPACE}[0-9]){{3,4}}){_SPACE}/{_SPACE})(?=[^/{WHITE}])",
    re.IGNORECASE,
)
_WORDS = 8  # of what follows a divided prefix; a name in more pieces is a sentence
_AN_ADDRESS = re.compile(r"(?:https?:)?//|www\.", re.IGNORECASE)


def invisible(characters: str) -> str:
    """The code for characters that nobody sees: the controls have one of their own (S2, E3)."""
    return "control-character" if unicodedata.category(characters[0]) == "Cc" else "non-graphic"


def _strange(text: str, body: Excerpt, _read: Reader) -> Reading | None:
    """A form that only shows when invisible characters are gone and look-alikes are what they look like."""
    if body.text.isascii() and body.text.isprintable():
        return None
    told, pieces = [], []
    for index, character in enumerate(body.text):
        if not is_graphic(character):
            code = "inner-space" if character in WHITE else invisible(character)
            told.append(problem(code, *body.span(index, index + 1), characters=checks.shown(character)))
            pieces.append((index, index + 1, ""))
    for index, plain in lookalikes.find(body.text):
        characters = body.text[index]
        told.append(problem("look-alike", *body.span(index, index + 1), characters=characters, plain=plain))
        pieces.append((index, index + 1, plain))
    found = forms.find(body.with_replaced(sorted(pieces))) if pieces else None
    name = prose.forms_text(found) if found else ""
    if found is None or not (prose.is_prefix(name) if found.form == "name" else name.startswith("10.")):
        return None
    if all(one.severity != "error" for one in told):
        # What looks like 10.1000/ and is not must be an error, or nobody would see why there is no name.
        code = "registrant-code" if body.text.find("10.") >= 0 else "directory-code"
        told.insert(0, problem(code, told[0].start, told[0].end))
    return no_name(one_name(text, found), told, "with the ordinary characters that it seems to have")


def _escaped(text: str, body: Excerpt, read: Reader) -> Reading | None:
    """Backslashes of LaTeX, JSON or Markdown before the signs of a name."""
    spans = [match.span() for match in _ESCAPED.finditer(body.text)]
    if not spans:
        return None
    if _DRIVE.match(body.text):
        return None
    told = [problem("registrant-code", *body.span(*spans[0]))]
    for sign, reason in (("", "without the backslashes"), ("/", "with slashes in place of the backslashes")):
        reading = read(text, body.with_replaced([(start, end, sign) for start, end in spans]))
        if reading.doi:
            return no_name(reading, told, reason)
    return None


def _encoded(text: str, body: Excerpt, read: Reader) -> Reading | None:
    """A name within text that was percent-encoded more than once: `id=doi:10.1016%252fj.conb.2012.11.006`."""
    match = _ENCODED.search(body.text)
    if not match:
        return None
    told = [problem("double-encoded", *body.span(*match.span()), characters="%25")]
    for _ in range(3):
        body = body.decoded()[0]
    reading = read(text, body)
    return no_name(reading, told, "decoded more than once") if reading.doi else None


def division(text: str) -> re.Match[str] | None:
    """Where white space stands within a prefix or around its slash."""
    return next((match for match in _DIVIDED.finditer(text) if WHITE_RUN.search(match.group("name"))), None)


def divided(text: str, body: Excerpt, match: re.Match[str]) -> Reading:
    """White space within the prefix or around its slash: `https:// doi. org/ 10. 1007/ s00382- 022- 06390-2.`"""
    prefix = "10." + WHITE_RUN.sub("", match.group("code"))
    end = match.end()
    words = body.text[end : end + 300].split()[:_WORDS]
    start = match.start()
    spaces = [body.span(start + at.start(), start + at.end()) for at in WHITE_RUN.finditer(match.group())]
    written = body.text.find("1", start)
    parted = WHITE_RUN.search(body.text, written, match.end("code"))
    code = "registrant-code" if parted else "missing-suffix"
    told = [problem(code, *body.span(written, match.end("code")))]
    told += [problem("inner-space", *span) for span in spaces[:50]]

    def offers() -> Iterator[tuple[str, str]]:
        for count in _likely(words):
            name = decode_once(f"{prefix}/{''.join(words[:count])}").text
            yield lookalikes.plain(name[: endings.debris(name)]), "joined where white space divides it"

    return Reading(text, "text", problems=tuple(told), offers=offers)


def _likely(words: list[str]) -> list[int]:
    """How many of the words may belong to the name, likeliest first: a word goes on where the one before it ends in
    a sign, or begins with a figure."""
    count = 1
    while count < len(words) and (words[count - 1][-1] in ".-_/(:" or words[count][0].isdigit()):
        count += 1
    return [count, *(other for other in range(len(words), 0, -1) if other != count)]


def _renamed(text: str, body: Excerpt, _read: Reader) -> Reading | None:
    """The address of a publisher that has the parts of the name in it, but not the name."""
    names = publishers.named_by(body.text) if _AN_ADDRESS.match(body.text) else []
    if not names:
        return None
    offers = [(name, "the name that the publisher registers for such an address") for name in names]
    return Reading(text, "none", problems=(problem("no-doi", *body.span()),), offers=lambda: offers)


DISGUISES: tuple[tuple[str, Disguise], ...] = (
    ("10.1242/\u200bbio.2014, or a prefix with look-alikes", _strange),
    ("10.1016\\/j.actpsy.2023.104049", _escaped),
    ("id=doi:10.1016%252fj.conb.2012.11.006", _encoded),
    ("https://www.nature.com/articles/s41586-020-2649-2", _renamed),
)
"""In the order in which they are tried, each with an example."""


def undone(text: str, body: Excerpt, read: Reader) -> Reading | None:
    """The reading under the first disguise that comes off; None where nothing is under any. `read` reads an excerpt."""
    for _example, disguise in DISGUISES:
        reading = disguise(text, body, read)
        if reading is not None:
            return reading
    return None

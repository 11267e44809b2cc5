"""Texts in which a DOI shows only after some damage is undone: they have no name, only candidates."""

import re
from collections.abc import Callable
from functools import partial
from itertools import islice

from doi_reading.message import Message, join_messages
from doi_reading.name.doi import is_graphic
from doi_reading.parsing import checks, free_text
from doi_reading.parsing.candidates import Offers
from doi_reading.parsing.locate import locate_name
from doi_reading.parsing.name_reading import read_name
from doi_reading.parsing.reading import MOST_PROBLEMS, Reading
from doi_reading.problems.problem import Problem, make_problem, shorten, show_characters
from doi_reading.repair.prefixes import SLASH_IN_FILE_NAME, repair_prefix
from doi_reading.repair.rules import propose_repairs
from doi_reading.tables import publisher_urls
from doi_reading.tables.registrant_codes import KNOWN
from doi_reading.text import homoglyphs, name_end
from doi_reading.text.source_text import WHITE, SourceText

Reader = Callable[[str, SourceText], Reading]
Disguise = Callable[[str, SourceText, Reader], Reading | None]

_ESCAPED = re.compile(r"\\+")
_LINK = re.compile(r"<a\b[^<>]{0,200}?//([0-9]+:[A-Za-z]+)/?[^<>]{0,200}>|</?a\b[^<>]{0,400}>", re.IGNORECASE)
_FILE_PART = re.compile(r"[_-](?=[a-z]+[0-9]*\.[a-z]{2,4}\Z)|\.(?=[a-z]{2,4}\Z)|\.{2,}", re.IGNORECASE)
_MOST_FILE_NAMES = 20
_DRIVE = re.compile(r"[A-Za-z]:\\")
_ENCODED = re.compile(r"10(?:\.|%2e)[0-9]{4,9}(?:\\|%(?:25)*5c)?%(?:25)+2f", re.IGNORECASE)
_AFTER_LABEL = re.compile(rf"doi(?:\.org)?[:/{WHITE}]{{1,3}}([0-9OolI.][^{WHITE}]{{7,200}})", re.IGNORECASE)
_WIDE_SIGN = re.compile("[\uff0e\uff0f]")
_WIDE = re.compile(rf"(?:(?![0-9])\d)+|{_WIDE_SIGN.pattern}")
_ORDINARY = Message("with ordinary characters in place of look-alikes")
_SIGN = r"[^\s,;/\\|]"
_IN_FILE_NAME = re.compile(
    rf"(?<![0-9A-Za-z])(?<![0-9]\.)10\.([0-9]{{4,9}})"
    rf"([.]|{SLASH_IN_FILE_NAME}"
    rf"| (?=[A-Za-z]{_SIGN}{{0,90}}[0-9]{{4}})(?={_SIGN}{{0,90}}[.()-]))"
    rf"(?=[A-Za-z(]|[0-9]{{4,}})({_SIGN}{{5,100}})"
)
"""A space may also be that between a number and a word, so it counts only before what looks like a suffix."""
_ONLY_IN_FILE_NAMES = frozenset({"@", "=", "~", "#", "$", "__", "--"})
_SURE_SUFFIX = r"(?=[A-Za-z0-9(])(?=[^/\s]*[A-Za-z(]|[0-9][0-9/.-]{8})"
_AFTER_NUMBER = re.compile(
    rf"(?<=[0-9]{{2}})(\.)10\.([0-9]{{4,5}})/{_SURE_SUFFIX}"
    rf"|[-\u2010-\u2015\u2212:][ ]?[0-9]{{1,6}}?()10\.([0-9]{{4,5}})/{_SURE_SUFFIX}"
)
"""A full stop, or nothing, between a number and a name."""
_RESOLVER = re.compile(r"https?:?//(?:dx\.|www\.)?doi\.org/", re.IGNORECASE)


def _read_strange(text: str, body: SourceText, read: Reader) -> Reading | None:
    """A form that shows only without invisible characters, and with the characters that look-alikes look like."""
    if body.text.isascii() and body.text.isprintable():
        return None
    hidden = [index for index, one in enumerate(body.text) if not one.isprintable() and not is_graphic(one)]
    alike = homoglyphs.find_homoglyphs(body.text)
    digits = dict(homoglyphs.find_foreign_digits(body.text))
    pieces = sorted({**dict.fromkeys(hidden, ""), **digits, **dict(alike)}.items())
    clear = body.with_replaced([(at, at + 1, new) for at, new in pieces]) if pieces else None
    found = locate_name(clear) if clear else None
    if clear and (digits or _WIDE_SIGN.search(body.text)) and (found is None or found.rest):
        return _read_wide_digits(text, body, clear, read)
    name = found.decoded if found else ""
    if found is None or not (free_text.has_evident_prefix(name) if found.form == "name" else name.startswith("10.")):
        return None
    problems = [_describe_hidden(body, index) for index in hidden[:MOST_PROBLEMS]]
    for index, plain in alike[:MOST_PROBLEMS]:
        start, end = body.span(index, index + 1)
        problems.append(make_problem("look-alike", start, end, characters=f"“{body.text[index]}”", plain=f"“{plain}”"))
    if all(body.text[index] in WHITE for index in hidden):
        # The text looks like 10.1000/ but isn't: without an error nothing would explain that there is no name.
        code = "registrant-code" if "10." in body.text else "directory-code"
        span = (problems[0].start, problems[0].end) if problems else body.span(pieces[0][0], pieces[0][0] + 1)
        problems.insert(0, make_problem(code, *span))
    return read_name(text, found).without_name(problems, _ORDINARY)


def _read_wide_digits(text: str, body: SourceText, plain: SourceText, read: Reader) -> Reading | None:
    """A name with full-width digits, or with those of another script, in running text."""
    mentions = free_text.find_mentions(plain)
    reading = free_text.read_mentions(text, plain, mentions) if mentions else read(text, plain)
    if reading.doi is None and not reading.candidates:
        return None
    wide = next(match.span() for match in _WIDE.finditer(body.text))
    problems = [make_problem("directory-code", *body.span(*wide))]
    characters = body.text[slice(*wide)]
    if (plain_ones := homoglyphs.replace_homoglyphs(characters)) != characters:
        shown = [f"“{shorten(one)}”" for one in (characters, plain_ones)]
        problems.append(make_problem("look-alike", *body.span(*wide), characters=shown[0], plain=shown[1]))
    return reading.without_name(problems, _ORDINARY)


def _describe_hidden(body: SourceText, index: int) -> Problem:
    character = body.text[index]
    code = "inner-space" if character in WHITE else checks.classify_invisible(character)
    return make_problem(code, *body.span(index, index + 1), characters=show_characters(character))


def remove_sici_links(body: SourceText) -> SourceText | None:
    """Return the text of a SICI without the HTML links in it; None if there are none."""
    if ";2" not in body.text or "<a" not in body.text:
        return None
    links = _LINK.finditer(body.text)
    pieces = [(*match.span(), f"<{match.group(1)}>" if match.group(1) else "") for match in links]
    return body.with_replaced(pieces) if pieces else None


def _read_escaped(text: str, body: SourceText, read: Reader) -> Reading | None:
    """Backslashes of LaTeX, JSON or Markdown before the signs of a name."""
    spans = [match.span() for match in _ESCAPED.finditer(body.text)]
    if not spans or _DRIVE.match(body.text):
        return None
    ways = (("", Message("without the backslashes")), ("/", Message("with slashes in place of the backslashes")))
    for sign, reason in ways:
        reading = read(text, body.with_replaced([(start, end, sign) for start, end in spans]))
        if reading.doi:
            return reading.without_name([make_problem("registrant-code", *body.span(*spans[0]))], reason)
    return None


def _read_encoded(text: str, body: SourceText, read: Reader) -> Reading | None:
    """A name in a text that was percent-encoded more than once: `id=doi:10.1016%252fj.conb.2012.11.006`."""
    match = _ENCODED.search(body.text)
    if not match:
        return None
    problems = [make_problem("double-encoded", *body.span(*match.span()), characters="%25")]
    for _ in range(3):
        body = body.decode()[0]
    reading = read(text, body)
    return reading.without_name(problems, Message("decoded more than once")) if reading.form != "none" else None


def _read_labelled(text: str, body: SourceText, _read: Reader) -> Reading | None:
    """A damaged prefix after a label or resolver: `see doi:10,1136/bmj.n71.`"""
    for match in _AFTER_LABEL.finditer(body.text):
        word = match.group(1)
        name = repair_prefix(word[: name_end.find_trailing_punctuation(word, name_end.SENTENCE)], labelled=True)
        if name:
            prefix = word.partition("/")[0]
            code = "registrant-code" if prefix.startswith("10.") else "directory-code"
            found = make_problem(code, *body.span(match.start(1), match.start(1) + len(prefix)))
            offers = [(name, Message("with the prefix written as usual")), *propose_repairs(name)]
            return Reading(text, "text", problems=(found,), offers=partial(iter, offers))
    return None


def _read_publisher_address(text: str, body: SourceText, _read: Reader) -> Reading | None:
    """The address of a publisher that holds the parts of the name, but not the name; of several in a text, none."""
    names = publisher_urls.find_names_in_address(body.text)
    if not names:
        return None
    offers = [(name, Message("the name that the publisher registers for such an address")) for name in names]
    return Reading(text, "none", problems=(make_problem("no-doi", *body.span()),), offers=lambda: offers)


def _read_file_name(text: str, body: SourceText, _read: Reader) -> Reading | None:
    """A name of a known registrant without its slash, in a file name, in a badge, or with a space in place of it; of
    any registrant, if it is the whole text and has a sign that is only in file names."""
    for match in islice(_IN_FILE_NAME.finditer(body.text), _MOST_FILE_NAMES):
        if match[1] in KNOWN or (match[2] in _ONLY_IN_FILE_NAMES and match[0] == body.text):
            name = f"10.{match[1]}/{match[3]}"
            name = name[: name_end.find_trailing_punctuation(name, name_end.SENTENCE)]
            ends = [file.start() for file in _FILE_PART.finditer(name)][:3]
            offers = [(name, Message("with a slash after the number of a known registrant"))]
            offers += [(name[:end], Message("without the rest of the file name")) for end in reversed(ends)]
            found = make_problem("missing-suffix", *body.span(*match.span()))
            return Reading(text, "text", problems=(found,), offers=partial(_add_repairs, offers))
    return None


def _add_repairs(offers: list[tuple[str, Message]]) -> Offers:
    for name, reason in offers:
        yield name, reason
        yield from ((better, join_messages(", ", reason, why)) for better, why in islice(propose_repairs(name), 2))


def _read_split_by_resolver(text: str, body: SourceText, read: Reader) -> Reading | None:
    """A resolver that was inserted into the name: `https://doi.org/1https://doi.org/0.1000/182`."""
    spans = [match.span() for match in islice(_RESOLVER.finditer(body.text), 4)]
    if len(spans) < 2 or spans[0][0] > 0:
        return None
    reading = read(text, body.with_replaced([(start, end, "") for start, end in spans]))
    if reading.doi is None or reading.form != "name":
        return None
    found = make_problem("directory-code", *body.span(spans[0][1], spans[1][0]))
    twice = make_problem("repeated-prefix", *body.span(*spans[1]))
    return reading.without_name([found, twice], Message("without the resolver in it"))


def _read_after_number(text: str, body: SourceText, read: Reader) -> Reading | None:
    """A name right after a year, a page or a volume, or the full stop of one: `2015.10.1000/182`, `1-1210.1000/182`."""
    found = islice(_AFTER_NUMBER.finditer(body.text), _MOST_FILE_NAMES)
    known = [one for one in found if (one[2] or one[4]) in KNOWN]
    if not known:
        return None
    spans = [one.span(1 if one[2] else 3) for one in known]
    reading = read(text, body.with_replaced([(*span, " ") for span in spans]))
    if reading.doi is None and not reading.candidates:
        return None
    start = spans[0][0] if known[0][2] else known[0].start() + 1
    code = make_problem("directory-code", *body.span(start, max(spans[0][1], start + 1)))
    return reading.without_name([code], Message("without the number before it"))


DISGUISES: tuple[tuple[str, Disguise], ...] = (
    ("10.1242/\u200bbio.2014, or a prefix with look-alikes", _read_strange),
    ("10.1016\\/j.actpsy.2023.104049", _read_escaped),
    ("id=doi:10.1016%252fj.conb.2012.11.006", _read_encoded),
    ("see doi:10,1136/bmj.n71.", _read_labelled),
    ("https://www.nature.com/articles/s41586-020-2649-2", _read_publisher_address),
    ("papers/10.1016_j.cose.2024.103824.pdf", _read_file_name),
    ("https://doi.org/1https://doi.org/0.14746/eip.2023.2.8", _read_split_by_resolver),
    ("J. Names 2015.10.1016/j.cell.2015.01.001", _read_after_number),
)
"""The disguises in the order in which they are tried, each with an example."""


def read_disguised(text: str, body: SourceText, read: Reader) -> Reading | None:
    """Return the reading under the first disguise that fits; None if none does. `read` reads an excerpt."""
    readings = (disguise(text, body, read) for _example, disguise in DISGUISES)
    return next((reading for reading in readings if reading is not None), None)

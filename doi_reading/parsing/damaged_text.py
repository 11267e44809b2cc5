"""Texts in which a DOI shows only after some damage is undone: they have no name, only candidates."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice

from doi_reading.late_pattern import compile_late
from doi_reading.message import Message
from doi_reading.name.doi import is_graphic
from doi_reading.parsing import checks
from doi_reading.parsing.candidates import offer_joined, offer_repaired
from doi_reading.parsing.free_text import find_mentions, read_mentions
from doi_reading.parsing.locate import has_evident_prefix, locate_name
from doi_reading.parsing.name_reading import read_name
from doi_reading.parsing.reading import Reading
from doi_reading.problems.problem import MOST_PROBLEMS, Problem, make_problem, shorten, show_characters
from doi_reading.repair.divided_names import LOOK_AHEAD
from doi_reading.repair.prefixes import SLASH_IN_FILE_NAME, repair_prefix
from doi_reading.repair.rules import propose_repairs
from doi_reading.tables import publisher_urls
from doi_reading.tables.registrant_codes import KNOWN
from doi_reading.text import homoglyphs, name_end
from doi_reading.text.source_text import MOST_PLACES, WHITE, WHITE_RUN, SourceText


def _has_name(reading: Reading) -> bool:
    return reading.doi is not None


def _has_name_or_candidates(reading: Reading) -> bool:
    return reading.doi is not None or bool(reading.candidates)


@dataclass(slots=True)
class Undisguised:
    """An excerpt without a disguise. `problems` and `reason` describe the disguise, `shows_name` says whether the
    reading of the excerpt proves it."""

    excerpt: SourceText
    problems: list[Problem]
    reason: Message
    shows_name: Callable[[Reading], bool] = _has_name_or_candidates


Disguise = Callable[[SourceText], Iterable[Undisguised | Reading]]
"""Yields what may be behind a disguise, likeliest first: excerpts to be read, or a reading."""

_ESCAPED = compile_late(r"\\+")
_FILE_PART = compile_late(r"[_-](?=[a-z]+[0-9]*\.[a-z]{2,4}\Z)|\.(?=[a-z]{2,4}\Z)|\.{2,}", re.IGNORECASE)
_DRIVE = compile_late(r"[A-Za-z]:\\")
_ENCODED = compile_late(r"10(?:\.|%2e)[0-9]{4,9}(?:\\|%(?:25)*5c)?%(?:25)+2f", re.IGNORECASE)
_AFTER_LABEL = compile_late(rf"doi(?:\.org)?[:/{WHITE}]{{1,3}}([0-9OolI.][^{WHITE}]{{7,200}})", re.IGNORECASE)
_WIDE_SIGN = compile_late("[\uff0e\uff0f]")
_WIDE = compile_late(rf"(?:(?![0-9])\d)+|{_WIDE_SIGN.pattern}")
_ORDINARY = Message("with ordinary characters in place of look-alikes")
_SIGN = r"[^\s,;/\\|]"
_IN_FILE_NAME = compile_late(
    rf"(?<![0-9A-Za-z])(?<![0-9]\.)10\.([0-9]{{4,9}})"
    rf"([.]|{SLASH_IN_FILE_NAME}"
    rf"| (?=[A-Za-z]{_SIGN}{{0,90}}[0-9]{{4}})(?={_SIGN}{{0,90}}[.()-]))"
    rf"(?=[A-Za-z(]|[0-9]{{4,}})({_SIGN}{{5,100}})"
)
"""A space may also be that between a number and a word, so it counts only before what looks like a suffix."""
_ONLY_IN_FILE_NAMES = frozenset({"@", "=", "~", "#", "$", "__", "--"})
_SURE_SUFFIX = r"(?=[A-Za-z0-9(])(?=[^/\s]*[A-Za-z(]|[0-9][0-9/.-]{8})"
_AFTER_NUMBER = compile_late(
    rf"(?<=[0-9]{{2}})(\.)10\.([0-9]{{4,5}})/{_SURE_SUFFIX}"
    rf"|[-\u2010-\u2015\u2212:][ ]?[0-9]{{1,6}}?()10\.([0-9]{{4,5}})/{_SURE_SUFFIX}"
)
"""A full stop, or nothing, between a number and a name."""
_RESOLVER = compile_late(r"https?:?//(?:dx\.|www\.)?doi\.org/", re.IGNORECASE)
_SPACE = f"[{WHITE}]{{0,3}}"
_DIVIDED = compile_late(
    rf"(?:https?{_SPACE}:{_SPACE}/{_SPACE}/{_SPACE})?(?:dx{_SPACE}\.{_SPACE})?(?:doi{_SPACE}\.{_SPACE}org{_SPACE}/{_SPACE})?"
    rf"(?<![0-9])(?P<name>1{_SPACE}0{_SPACE}\.{_SPACE}(?P<code>[0-9](?:{_SPACE}[0-9]){{3,4}}){_SPACE}/{_SPACE})(?=[^/{WHITE}])",
    re.IGNORECASE,
)
_PARTED = compile_late(
    rf"1{_SPACE}0{_SPACE}\.[0-9.{WHITE}]{{0,12}}[{WHITE}]/|[0-9]{_SPACE}/[{WHITE}]"
    rf"|10{_SPACE}\.[{WHITE}]|1[{WHITE}]0|10[{WHITE}]\.|10\.[0-9]{{0,9}}[{WHITE}][0-9]"
)
"""A quick look: is there white space in what may be a prefix?"""


def _undo_strange(excerpt: SourceText) -> Iterator[Undisguised | Reading]:
    """A form that shows only without invisible characters, and with the characters that look-alikes look like."""
    text = excerpt.text
    if text.isascii() and text.isprintable():
        return
    hidden = [index for index, one in enumerate(text) if not one.isprintable() and not is_graphic(one)]
    alike = homoglyphs.find_homoglyphs(text)
    digits = dict(homoglyphs.find_foreign_digits(text))
    pieces = sorted({**dict.fromkeys(hidden, ""), **digits, **dict(alike)}.items())
    if not pieces:
        return
    clear = excerpt.with_replaced([(at, at + 1, new) for at, new in pieces])
    located = locate_name(clear)
    if (digits or _WIDE_SIGN.search(text)) and (located is None or located.rest):
        yield from _undo_wide_digits(excerpt, clear)
        return
    name = located.decoded if located else ""
    if located is None or not (has_evident_prefix(name) if located.form == "name" else name.startswith("10.")):
        return
    problems = [_describe_hidden(excerpt, index) for index in hidden[:MOST_PROBLEMS]]
    for index, plain in alike[:MOST_PROBLEMS]:
        problems.append(_describe_look_alike(excerpt, (index, index + 1), text[index], plain))
    if all(text[index] in WHITE for index in hidden):
        # The text looks like 10.1000/ but isn't: without an error nothing would explain that there is no name.
        code = "registrant-code" if "10." in text else "directory-code"
        span = (problems[0].start, problems[0].end) if problems else excerpt.span(pieces[0][0], pieces[0][0] + 1)
        problems.insert(0, make_problem(code, *span))
    yield read_name(located).without_name(problems, _ORDINARY)


def _undo_wide_digits(excerpt: SourceText, clear: SourceText) -> Iterator[Undisguised | Reading]:
    """A name with full-width digits, or with those of another script, in running text."""
    wide = next(match.span() for match in _WIDE.finditer(excerpt.text))
    problems = [make_problem("directory-code", *excerpt.span(*wide))]
    characters = excerpt.text[slice(*wide)]
    if (plain := homoglyphs.replace_homoglyphs(characters)) != characters:
        problems.append(_describe_look_alike(excerpt, wide, shorten(characters), shorten(plain)))
    mentions = find_mentions(clear)
    if not mentions:
        yield Undisguised(clear, problems, _ORDINARY)
    elif _has_name_or_candidates(reading := read_mentions(clear, mentions)):
        yield reading.without_name(problems, _ORDINARY)


def _describe_look_alike(excerpt: SourceText, at: tuple[int, int], characters: str, plain: str) -> Problem:
    return make_problem("look-alike", *excerpt.span(*at), characters=f"“{characters}”", plain=f"“{plain}”")


def _describe_hidden(excerpt: SourceText, index: int) -> Problem:
    character = excerpt.text[index]
    code = "inner-space" if character in WHITE else checks.classify_invisible(character)
    return make_problem(code, *excerpt.span(index, index + 1), characters=show_characters(character))


def _undo_escapes(excerpt: SourceText) -> Iterator[Undisguised]:
    """Backslashes of LaTeX, JSON or Markdown before the signs of a name."""
    spans = [match.span() for match in _ESCAPED.finditer(excerpt.text)]
    if not spans or _DRIVE.match(excerpt.text):
        return
    problems = [make_problem("registrant-code", *excerpt.span(*spans[0]))]
    ways = (("", Message("without the backslashes")), ("/", Message("with slashes in place of the backslashes")))
    for sign, reason in ways:
        yield Undisguised(excerpt.with_replaced([(*span, sign) for span in spans]), problems, reason, _has_name)


def _undo_encoding(excerpt: SourceText) -> Iterator[Undisguised]:
    """A name in a text that was percent-encoded more than once: `id=doi:10.1016%252fj.conb.2012.11.006`."""
    if match := _ENCODED.search(excerpt.text):
        problems = [make_problem("double-encoded", *excerpt.span(*match.span()), characters="%25")]
        for _ in range(3):
            excerpt = excerpt.decode()[0]
        yield Undisguised(excerpt, problems, Message("decoded more than once"), lambda reading: reading.form != "none")


def _read_labelled(excerpt: SourceText) -> Iterator[Reading]:
    """A damaged prefix after a label or resolver: `see doi:10,1136/bmj.n71.`"""
    for match in _AFTER_LABEL.finditer(excerpt.text):
        word = match.group(1)
        name = repair_prefix(word[: name_end.find_trailing_punctuation(word, name_end.SENTENCE)], labelled=True)
        if name:
            prefix = word.partition("/")[0]
            code = "registrant-code" if prefix.startswith("10.") else "directory-code"
            problem = make_problem(code, *excerpt.span(match.start(1), match.start(1) + len(prefix)))
            offers = [(name, Message("with the prefix written as usual")), *propose_repairs(name)]
            yield Reading(excerpt.input, "text", problems=(problem,), offers=partial(iter, offers))
            return


def _read_publisher_address(excerpt: SourceText) -> Iterator[Reading]:
    """The address of a publisher that holds the parts of the name, but not the name; of several in a text, none."""
    if names := publisher_urls.find_names_in_address(excerpt.text):
        offers = [(name, Message("the name that the publisher registers for such an address")) for name in names]
        problem = make_problem("no-doi", *excerpt.span())
        yield Reading(excerpt.input, "none", problems=(problem,), offers=lambda: offers)


def _read_file_name(excerpt: SourceText) -> Iterator[Reading]:
    """A name of a known registrant without its slash, in a file name, in a badge, or with a space in place of it; of
    any registrant, if it is the whole text and has a sign that is only in file names."""
    found = islice(_IN_FILE_NAME.finditer(excerpt.text), MOST_PLACES)
    sure = (one for one in found if one[1] in KNOWN or (one[2] in _ONLY_IN_FILE_NAMES and one[0] == excerpt.text))
    if match := next(sure, None):
        name = f"10.{match[1]}/{match[3]}"
        name = name[: name_end.find_trailing_punctuation(name, name_end.SENTENCE)]
        ends = [file.start() for file in _FILE_PART.finditer(name)][:3]
        offers = [(name, Message("with a slash after the number of a known registrant"))]
        offers += [(name[:end], Message("without the rest of the file name")) for end in reversed(ends)]
        problem = make_problem("missing-suffix", *excerpt.span(*match.span()))
        yield Reading(
            excerpt.input,
            "text",
            problems=(problem,),
            offers=lambda: chain.from_iterable(offer_repaired(*offer, most=2) for offer in offers),
        )


def _undo_resolver_inside(excerpt: SourceText) -> Iterator[Undisguised]:
    """A resolver that was inserted into the name: `https://doi.org/1https://doi.org/0.1000/182`."""
    spans = [match.span() for match in islice(_RESOLVER.finditer(excerpt.text), 4)]
    if len(spans) > 1 and spans[0][0] == 0:
        inserted = make_problem("directory-code", *excerpt.span(spans[0][1], spans[1][0]))
        twice = make_problem("repeated-prefix", *excerpt.span(*spans[1]))
        yield Undisguised(
            excerpt.with_replaced([(*span, "") for span in spans]),
            [inserted, twice],
            Message("without the resolver in it"),
            lambda reading: reading.doi is not None and reading.form == "name",
        )


def _undo_number_before(excerpt: SourceText) -> Iterator[Undisguised]:
    """A name right after a year, a page or a volume, or the full stop of one: `2015.10.1000/182`, `1-1210.1000/182`."""
    found = islice(_AFTER_NUMBER.finditer(excerpt.text), MOST_PLACES)
    known = [one for one in found if (one[2] or one[4]) in KNOWN]
    if known:
        spans = [one.span(1 if one[2] else 3) for one in known]
        start = spans[0][0] if known[0][2] else known[0].start() + 1
        problem = make_problem("directory-code", *excerpt.span(start, max(spans[0][1], start + 1)))
        clear = excerpt.with_replaced([(*span, " ") for span in spans])
        yield Undisguised(clear, [problem], Message("without the number before it"))


DISGUISES: tuple[tuple[str, Disguise], ...] = (
    ("10.1242/\u200bbio.2014, or a prefix with look-alikes", _undo_strange),
    ("10.1016\\/j.actpsy.2023.104049", _undo_escapes),
    ("id=doi:10.1016%252fj.conb.2012.11.006", _undo_encoding),
    ("see doi:10,1136/bmj.n71.", _read_labelled),
    ("https://www.nature.com/articles/s41586-020-2649-2", _read_publisher_address),
    ("papers/10.1016_j.cose.2024.103824.pdf", _read_file_name),
    ("https://doi.org/1https://doi.org/0.14746/eip.2023.2.8", _undo_resolver_inside),
    ("J. Names 2015.10.1016/j.cell.2015.01.001", _undo_number_before),
)
"""The disguises in the order in which they are tried, each with an example."""


def find_divided_prefix(text: str) -> re.Match[str] | None:
    """Return the first prefix with white space in it or around its slash."""
    if not _PARTED.search(text):
        return None
    return next((match for match in _DIVIDED.finditer(text) if WHITE_RUN.search(match.group("name"))), None)


def read_divided(excerpt: SourceText, match: re.Match[str]) -> Reading:
    """Read a text with white space in a prefix or around its slash: `https:// doi. org/ 10. 1007/ s00382- 022- 0`."""
    prefix, start, end = "10." + WHITE_RUN.sub("", match.group("code")), match.start(), match.end()
    spaces = [(start + at.start(), start + at.end()) for at in WHITE_RUN.finditer(match.group())]
    if len(spaces) > 4:
        spaces = [(spaces[0][0], spaces[-1][1])]  # a name spaced out letter by letter has one problem
    first = excerpt.text.find("1", start)
    problems = [one for space in spaces for one in checks.build_white_space_problems("inner-space", excerpt, *space)]
    if WHITE_RUN.search(excerpt.text, first, match.end("code")):
        problems.insert(0, make_problem("registrant-code", *excerpt.span(first, match.end("code"))))

    offers = partial(offer_joined, f"{prefix}/", excerpt.text[end : end + LOOK_AHEAD])
    return Reading(excerpt.input, "text", problems=tuple(problems), offers=offers)

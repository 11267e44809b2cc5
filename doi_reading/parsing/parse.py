"""Read a text: its meaning, problems and candidates (E, U, N, S)."""

import logging
import re
from dataclasses import replace
from functools import partial
from itertools import chain, islice

from doi_reading.message import Message
from doi_reading.name.doi import is_graphic
from doi_reading.parsing import checks, damaged_text, free_text, prefix_with_spaces
from doi_reading.parsing.candidates import Offers
from doi_reading.parsing.cell_hyperlink import combine_with_hyperlink
from doi_reading.parsing.locate import locate_name
from doi_reading.parsing.located_name import Coding, LocatedName
from doi_reading.parsing.name_reading import read_name, read_plain_name
from doi_reading.parsing.reading import MOST_PROBLEMS, FailedReading, Reading
from doi_reading.parsing.separators import find_separator
from doi_reading.parsing.text_cleaning import clean_text
from doi_reading.parsing.unfilled_templates import find_template
from doi_reading.problems.catalogue import is_cut
from doi_reading.problems.problem import Problem, make_problem, show_characters
from doi_reading.tables.other_identifiers import OtherIdentifier, find_other_identifier
from doi_reading.tables.test_prefixes import TEST_ADDRESS
from doi_reading.text import brackets
from doi_reading.text.html_entities import decode_html_entities
from doi_reading.text.name_continuation import may_continue_name
from doi_reading.text.name_end import PUNCTUATION
from doi_reading.text.source_text import BLANK, WHITE, WHITE_RUN, SourceText

_LOG = logging.getLogger(__name__)
_ENDS = frozenset({"", ".", ",", ";", ")", "]", ">", ")."})
"""What may follow a name at the end of a text without a doubt."""
_SET_ASIDE = "#?&"
"""How a part of an address begins that was set aside."""
_DEEPEST = 2  # kinds of damage one inside another that hide a name: a bound keeps reading linear
_LAST = frozenset(brackets.OPENERS.values())
_LINK_WITH_LABEL = re.compile(rf"https?://[^{WHITE}]{{1,300}}[ ]{{1,3}}[^{WHITE}0-9./_:(-]")
"""A link of a wiki between its brackets: an address, and the words that are shown for it."""
_HIDDEN_RUN = re.compile(r"[\x00-\x1f\x7f-\x9f]+|[^\x00-\x1f\x7f-\x9f]+")

LONGEST_TEXT = 10_000
"""Code points of one text, if the caller sets no other bound (S7)."""


def read(text: str, link: str = "", *, longest: int = LONGEST_TEXT) -> Reading:
    """Read `text` as a librarian's cell: one name in any form, or text around it. `link`: the hyperlink of the cell.

    A text of more than `longest` code points is not read: a clear error, never a truncation (S7). An error of the
    library is logged and becomes a problem of this text alone, so that all other texts are read. Raises nothing.
    """
    reading = _read_text(text, longest)
    return combine_with_hyperlink(reading, _read_text(link, longest)) if link else reading


def _read_text(text: str, longest: int) -> Reading:
    if len(text) > longest:
        too_long = make_problem("too-long", longest, len(text), length=len(text), most=longest)
        return Reading(text, "none", problems=(too_long,))
    try:
        return read_plain_name(text) or _read_closely(text)
    except Exception:  # noqa: BLE001  (logged; no reason to lose other people's answers)
        _LOG.exception("A text of %d characters could not be read", len(text))
        return FailedReading.of(text)


def _read_closely(text: str) -> Reading:
    whole, entities = decode_html_entities(SourceText.of(text))
    if not any(is_graphic(character) and character not in BLANK for character in whole.text):
        return Reading(text, "none", problems=(make_problem("empty", 0, len(text)),))
    body, closed = clean_text(whole)
    reading = _read_body(text, body.strip())
    if closed and reading.form != "none":
        reading = replace(reading, problems=(*reading.problems, *closed))
    if unlinked := damaged_text.remove_sici_links(body):
        reading = _offer_without_links(reading, _read_body(text, unlinked.strip()))
    if entities and reading.form != "none":
        reading = _report_entities(reading, entities[:MOST_PROBLEMS])
    reading = _report_continuation(reading, whole.text)
    if template := find_template(whole):
        unfilled = make_problem("template", *template)
        if not reading.others:
            return replace(reading, problems=(unfilled,), offers=tuple)
        reading = replace(reading, problems=(*reading.problems, unfilled))
    if host := TEST_ADDRESS.match(whole.text):
        of_tests = make_problem("test-prefix", *whole.span(*host.span(1)), used=host[1])
        reading = replace(reading, problems=(*reading.problems, of_tests))
    if reading.form == "none" and (identifier := find_other_identifier(text)):
        reading = replace(reading, problems=tuple(_name(identifier, one) for one in reading.problems))
    in_order = tuple(sorted(reading.problems, key=lambda one: one.start))
    return reading if in_order == reading.problems else replace(reading, problems=in_order)


def _report_continuation(reading: Reading, text: str) -> Reading:
    """Report that the text goes on after its name, or that the name was cut, unless that is reported already. `text`:
    the input without HTML entities."""
    codes = {one.code for one in reading.problems}
    if reading.doi is None or is_cut(codes) or "cut-short" in codes:
        return reading
    name = str(reading.doi)
    _, found_it, after = text.partition(name)
    ends = bool(found_it) and (after.strip(WHITE) in _ENDS or (after[0] in _SET_ASIDE and name not in after))
    if ends and name.rstrip(f"{PUNCTUATION})")[-1:].isalnum():
        return reading
    found = reading.following.find_continuation(name)
    if (
        found is None
        or reading.input[found.start] in _SET_ASIDE
        or any(one.code == "leftover" and one.end >= found.start for one in reading.problems)
    ):  # a part of an address that was set aside, or what a program or a copy left
        return reading
    code, characters = ("cut-short" if found.cut else "inner-space"), reading.input[found.start : found.end]
    told = make_problem(code, found.start, found.end, characters=show_characters(characters))
    return replace(reading, problems=(*reading.problems, told))


def _name(identifier: OtherIdentifier, problem: Problem) -> Problem:
    """Say of a text without a DOI which other identifier it is."""
    if problem.code != "no-doi":
        return problem
    return replace(
        problem,
        message=Message(
            "This is {kind}, not a DOI: {identifier}. {advice}",
            kind=identifier.kind,
            identifier=identifier.text,
            advice=identifier.advice,
        ),
    )


def _offer_without_links(reading: Reading, other: Reading) -> Reading:
    """Offer the name without the links that a website made of parts of a SICI."""
    if other.doi is None or other.doi == reading.doi:
        return reading
    first = [(str(other.doi), Message("without the link that a website added to part of it"))]
    return replace(reading, offers=lambda: chain(first, reading.offers()))


def _report_entities(reading: Reading, entities: list[tuple[int, int]]) -> Reading:
    """Report the HTML entities, and offer the text with them undecoded."""
    text = reading.input
    found = tuple(make_problem("html-entity", *span, characters=text[slice(*span)][:20]) for span in entities)

    def offers() -> Offers:
        raw = _read_body(text, SourceText.of(text).strip())
        own = iter(reading.offers())
        yield from islice(own, 1)
        if undecoded := _find_undecoded(raw, entities):
            yield undecoded, Message("with the HTML entity unchanged")
        yield from own
        if raw.others:
            yield from ((one.doi, one.reason) for one in raw.candidates)

    return replace(reading, problems=found + reading.problems, offers=offers)


def _find_undecoded(raw: Reading, entities: list[tuple[int, int]]) -> str:
    """Return the name of a text in which HTML entities were not decoded, whole; "" if it holds none. The # of `&#60;`
    ends no URL here, and the semicolon of an entity ends no sentence."""
    name = str(raw.doi or "")
    hashes = [one.start for one in raw.problems if one.code == "unescaped-hash"]
    if "#" not in name and raw.candidates and any(start < at < end for at in hashes for start, end in entities):
        name = raw.candidates[0].doi
    last = (raw.input[start:end] for start, end in entities)
    return f"{name};" if any(one.endswith(";") and name.endswith(one[:-1]) for one in last) else name


def _read_body(text: str, body: SourceText, depth: int = 0) -> Reading:
    """Read a form, else a text around one, else a form with invisible damage. `depth`: the kinds of damage already
    undone."""
    brackets = _find_brackets(body)
    if brackets is None:
        return _read_inside(text, body, depth)
    opener, closer = brackets
    inner = body.cut(opener + 1, closer).strip()
    mentions = free_text.find_mentions(inner) if _LINK_WITH_LABEL.match(inner.text) else []
    reading = free_text.read_mentions(text, inner, mentions) if mentions else _read_inside(text, inner, depth)
    if reading.form == "none":
        return reading if reading.candidates else replace(reading, problems=(make_problem("no-doi", *body.span()),))
    around = () if any(one.code == "surrounding-text" for one in reading.problems) else brackets
    problems = (make_problem("surrounding-text", *body.span(place, place + 1)) for place in around)
    return replace(reading, form="text", problems=(*reading.problems, *problems))


def _read_inside(text: str, body: SourceText, depth: int) -> Reading:
    start = _find_visible_start(body)
    found = locate_name(body.cut(start))
    if found and _stands_alone(found, body):
        return _read_alone(text, found, body.cut(0, start))
    mentions = free_text.find_mentions(body)
    divided = prefix_with_spaces.find_divided_prefix(body.text)
    if divided and (not mentions or divided.start("name") < mentions[0].start):
        reading = prefix_with_spaces.read_divided(text, body, divided)
        if not mentions or any(True for _ in reading.offers()):
            return reading
    if mentions:
        return free_text.read_mentions(text, body, mentions)
    if found and not _is_figure(found):
        return _read_alone(text, replace(found, rest=None), body.cut(0, start))
    read_deeper = partial(_read_body, depth=depth + 1)
    undone = damaged_text.read_disguised(text, body, read_deeper) if depth < _DEEPEST else None
    return undone or Reading(text, "none", problems=(make_problem("no-doi", *body.span()),))


def _find_brackets(body: SourceText) -> tuple[int, int] | None:
    """Return the places of the innermost brackets or quotes around the whole text, without white space; None if there
    are none. Each is looked at once, however deep they are nested."""
    text = body.text
    if text[:1] not in brackets.OPENERS or text[-1:] not in _LAST:
        return None
    closed = brackets.match_brackets(text)
    found = None
    start, end = 0, len(text) - 1
    while closed.get(start) == end:
        first, last = start + 1, end - 1
        while first <= last and text[first] in WHITE:
            first += 1
        while first <= last and text[last] in WHITE:
            last -= 1
        if first > last:
            break
        found = start, end
        start, end = first, last
    return found


def _is_figure(found: LocatedName) -> bool:
    """Return whether it is a price, a version or a time with words after it: 10.50/12.00 Uhr."""
    return found.form == "name" and found.rest is not None and not free_text.has_evident_prefix(found.raw.text)


def _find_visible_start(body: SourceText) -> int:
    if body.text[:1].isprintable():
        return 0
    return next((index for index, character in enumerate(body.text) if is_graphic(character)), 0)


def _stands_alone(found: LocatedName, body: SourceText) -> bool:
    if _is_figure(found):
        return False
    in_url = found.coding is Coding.URL
    if not found.which_ra and find_separator(body.text if in_url else found.raw.text, in_url=in_url) is not None:
        return False
    return found.rest is None or may_continue_name(found.raw.text, found.rest.text)


def _read_alone(text: str, found: LocatedName, hidden: SourceText) -> Reading:
    """Read a text that is one name, with the invisible characters before it."""
    if found.rest:
        code = "inner-space" if found.coding is Coding.PLAIN else "unescaped-space"
        runs = [match.span() for match in WHITE_RUN.finditer(found.rest.text)][:MOST_PROBLEMS]
        white = (one for run in runs for one in checks.build_white_space_problems(code, found.rest, *run))
        found = replace(found, problems=(*found.problems, *white))
    reading = read_name(text, found)
    if not hidden.text:
        return reading
    problems = [
        make_problem(checks.classify_invisible(run), *hidden.span(*at), characters=show_characters(run))
        for run, at in ((match.group(), match.span()) for match in _HIDDEN_RUN.finditer(hidden.text))
    ]
    return reading.without_name(problems, Message("without the invisible characters"))

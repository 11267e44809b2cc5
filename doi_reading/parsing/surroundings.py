"""Report what surrounds the name: what was cleaned away, what follows, and signs that no DOI was assigned."""

import re
from dataclasses import replace
from itertools import chain, islice

from doi_reading.message import Message
from doi_reading.parsing.candidates import Offers
from doi_reading.parsing.excerpt_reading import read_excerpt
from doi_reading.parsing.reading import Reading
from doi_reading.parsing.text_cleaning import CleanedText
from doi_reading.problems.catalogue import is_cut
from doi_reading.problems.problem import MOST_PROBLEMS, make_problem, show_characters
from doi_reading.tables.other_identifiers import find_other_identifier
from doi_reading.tables.test_prefixes import TEST_ADDRESS
from doi_reading.text.name_end import PUNCTUATION
from doi_reading.text.source_text import WHITE, SourceText
from doi_reading.text.unfilled_templates import find_template

_ENDS = frozenset({"", ".", ",", ";", ")", "]", ">", ")."})
"""What may follow a name at the end of a text without a doubt."""
_SET_ASIDE = "#?&"
"""How a part of an address begins that was set aside."""
_LINK = re.compile(r"<a\b[^<>]{0,200}?//([0-9]+:[A-Za-z]+)/?[^<>]{0,200}>|</?a\b[^<>]{0,400}>", re.IGNORECASE)


def report_surroundings(reading: Reading, cleaned: CleanedText) -> Reading:
    """Return the reading with what its text holds beside the name, and its problems in the order of their places."""
    for report in _REPORTS:
        reading = report(reading, cleaned)
    in_order = tuple(sorted(reading.problems, key=lambda one: one.start))
    return reading if in_order == reading.problems else replace(reading, problems=in_order)


def _report_cleaning(reading: Reading, cleaned: CleanedText) -> Reading:
    if not cleaned.problems or reading.form == "none":
        return reading
    return replace(reading, problems=(*reading.problems, *cleaned.problems))


def _offer_without_links(reading: Reading, cleaned: CleanedText) -> Reading:
    """Offer the name without the links that a website made of parts of a SICI."""
    text = cleaned.excerpt.text
    if ";2" not in text or "<a" not in text:
        return reading
    links = [(*link.span(), f"<{link.group(1)}>" if link.group(1) else "") for link in _LINK.finditer(text)]
    other = read_excerpt(cleaned.excerpt.with_replaced(links).strip()).doi if links else None
    if other is None or other == reading.doi:
        return reading
    first = [(str(other), Message("without the link that a website added to part of it"))]
    return replace(reading, offers=lambda: chain(first, reading.offers()))


def _report_entities(reading: Reading, cleaned: CleanedText) -> Reading:
    """Report the HTML entities, and offer the text with them undecoded."""
    if not cleaned.entities or reading.form == "none":
        return reading
    text, entities = reading.input, cleaned.entities[:MOST_PROBLEMS]
    found = tuple(make_problem("html-entity", *span, characters=text[slice(*span)][:20]) for span in entities)

    def offers() -> Offers:
        raw = read_excerpt(SourceText.of(text).strip())
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


def _report_continuation(reading: Reading, cleaned: CleanedText) -> Reading:
    """Report that the text continues after its name, or that the name was cut, unless that is reported already."""
    codes = {one.code for one in reading.problems}
    if reading.doi is None or is_cut(codes) or "cut-short" in codes:
        return reading
    name = str(reading.doi)
    _, found_it, after = cleaned.plain.text.partition(name)
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
    problem = make_problem(code, found.start, found.end, characters=show_characters(characters))
    return replace(reading, problems=(*reading.problems, problem))


def _report_test_address(reading: Reading, cleaned: CleanedText) -> Reading:
    host = TEST_ADDRESS.match(cleaned.plain.text)
    if host is None:
        return reading
    problem = make_problem("test-prefix", *cleaned.plain.span(*host.span(1)), used=host[1])
    return replace(reading, problems=(*reading.problems, problem))


def _report_other_identifier(reading: Reading, _cleaned: CleanedText) -> Reading:
    """Say of a text without a DOI which other identifier it is."""
    identifier = find_other_identifier(reading.input) if reading.form == "none" else None
    if identifier is None:
        return reading
    message = Message(
        "This is {kind}, not a DOI: {identifier}. {advice}",
        kind=identifier.kind,
        identifier=identifier.text,
        advice=identifier.advice,
    )
    problems = (replace(one, message=message) if one.code == "no-doi" else one for one in reading.problems)
    return replace(reading, problems=tuple(problems))


def _report_template(reading: Reading, cleaned: CleanedText) -> Reading:
    """Report an unfilled template. A text with nothing else has no other problem, and no candidate."""
    template = find_template(cleaned.plain)
    if template is None:
        return reading
    problem = make_problem("template", *template)
    if not reading.others:
        return replace(reading, problems=(problem,), offers=tuple)
    return replace(reading, problems=(*reading.problems, problem))


_REPORTS = (
    _report_cleaning,
    _offer_without_links,
    _report_entities,
    _report_continuation,
    _report_test_address,
    _report_other_identifier,
    _report_template,
)

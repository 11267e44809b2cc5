"""Read one name, whatever its form: decoded, checked, and with its candidates (E, U, N, S)."""

import re
from dataclasses import replace
from functools import partial

from doi_reading.message import Message, join_messages
from doi_reading.name.decoding import decode_once
from doi_reading.name.doi import Doi, is_short_doi, parse_if_doi
from doi_reading.parsing import checks
from doi_reading.parsing.candidates import ANOTHER_OF_REQUEST, Offers, offer_names
from doi_reading.parsing.locate import locate_name
from doi_reading.parsing.located_name import Coding, LocatedName
from doi_reading.parsing.reading import Reading, deduplicate_names
from doi_reading.parsing.separators import find_separator
from doi_reading.problems.problem import MOST_PROBLEMS, Problem, make_problem, shorten, show_characters
from doi_reading.repair.rules import propose_repairs
from doi_reading.tables import link_parameters
from doi_reading.text import name_end
from doi_reading.text.source_text import WHITE_RUN, SourceText
from doi_reading.text.unfilled_templates import MASKS

_PLAIN = re.compile(
    r"(https://doi\.org/)?(10\.[0-9]{4,9})/([A-Za-z0-9](?!/)(?:[A-Za-z0-9._();:-]|/(?=[A-Za-z0-9]))*[A-Za-z0-9])"
)
_EQUALS = re.compile("=|%3d", re.IGNORECASE)
"""ScienceDirect encodes it: `?via%3Dihub`."""
_HIDDEN_RUN = re.compile(r"[\x00-\x1f\x7f-\x9f]+|[^\x00-\x1f\x7f-\x9f]+")


def read_plain_name(text: str) -> Reading | None:
    """Read what most cells hold: a name without any problem, alone or as its https://doi.org/ link.

    This is a shortcut: `read` gives an equal reading in many times the time. None if the text needs a closer look.
    """
    if not text:
        return Reading(text, "none", problems=(make_problem("empty"),))
    match = _PLAIN.fullmatch(text)
    if not match:
        return None
    link, prefix, suffix = match.groups()
    again = suffix.find("10.")
    if ";" in suffix and find_separator(suffix, in_url=link is not None) is not None:
        return None
    folded = suffix.lower()
    if checks.LEFTOVER.search(suffix) or any(mask in folded for mask in MASKS):
        return None
    if again >= 0 and suffix.find("/", again) >= 0:  # perhaps a second DOI
        return None
    form = "url" if link else "name"
    return Reading(text, form, Doi(prefix, suffix), offers=partial(propose_repairs, f"{prefix}/{suffix}"))


def read_name(located: LocatedName) -> Reading:
    """Read a located name: decode it once and check it."""
    written = located.raw
    raw = SourceText(located.with_slash(written.text), written.starts, written.ends, written.input)
    name, decoded = raw.decode()
    in_query, set_aside = _read_query(located)
    problems = [*located.problems, *checks.check_encoding(located, decoded), *in_query]
    if located.fragment:
        problems.append(make_problem("unescaped-hash", *located.fragment.span()))
    if short := _find_short_doi(name.text):
        problems.append(make_problem("short-doi", *name.span(0, len(short)), characters=short))
        if after := name.text[len(short) :]:
            problems.append(make_problem("trailing-punctuation", *name.span(len(short)), characters=after))
        return Reading(raw.input, located.form, None, short, tuple(problems))
    if located.which_ra and "," in located.raw.text:
        return _read_which_ra(located)
    doi, in_name = checks.check_name(name)
    problems += in_name
    broken = bool(decoded.broken)
    if broken:
        doi = None
        problems = [one for one in problems if one.code != "leftover"]  # we wrote the sign for a lost character
    offers = partial(offer_names, located, name.text, set_aside=set_aside, broken=broken)
    return Reading(raw.input, located.form, doi, None, tuple(problems), offers=offers)


def read_name_alone(located: LocatedName, hidden: SourceText) -> Reading:
    """Read a text that is one name, with the invisible characters before it."""
    if located.rest:
        code = "inner-space" if located.coding is Coding.PLAIN else "unescaped-space"
        runs = [match.span() for match in WHITE_RUN.finditer(located.rest.text)][:MOST_PROBLEMS]
        white = (one for run in runs for one in checks.build_white_space_problems(code, located.rest, *run))
        located = replace(located, problems=(*located.problems, *white))
    reading = read_name(located)
    if not hidden.text:
        return reading
    problems = [
        make_problem(checks.classify_invisible(run), *hidden.span(*at), characters=show_characters(run))
        for run, at in ((match.group(), match.span()) for match in _HIDDEN_RUN.finditer(hidden.text))
    ]
    return reading.without_name(problems, Message("without the invisible characters"))


def parse_name_or_short_doi(located: LocatedName) -> tuple[Doi | None, str | None]:
    """Return only the name or the shortDOI, as `read_name` reads them."""
    text = located.raw.text.partition(",")[0] if located.which_ra else located.raw.text
    decoded = decode_once(located.with_slash(text))
    if short := _find_short_doi(decoded.text):
        return None, short
    return None if decoded.broken else parse_if_doi(decoded.text), None


def _find_short_doi(name: str) -> str | None:
    handle = name[: name_end.find_trailing_punctuation(name, name_end.PUNCTUATION + "/")]
    return handle if is_short_doi(handle) else None


def _read_query(located: LocatedName) -> tuple[list[Problem], bool]:
    """Return the problems of the text after a `?`, and whether it is set aside: proxy parameters and tracking are, any
    other text may be part of the name (E8)."""
    if not located.query:
        return [], False
    problems: list[Problem] = []
    at = 1
    for index, part in enumerate(re.split("[&;]", located.query.text[1:])):
        key = _EQUALS.split(part, maxsplit=1)[0].lower()
        known = "proxy-parameter" if key in link_parameters.PROXY_PARAMETERS else None
        known = known or ("tracking-parameter" if link_parameters.is_tracking(key) else None)
        if index == 0 and known is None:
            return [make_problem("unescaped-question-mark", *located.query.span())], False
        if known and part:
            problems.append(make_problem(known, *located.query.span(at, at + len(part)), characters=shorten(part)))
        at += len(part) + 1
    return problems[:MOST_PROBLEMS], True


def _read_which_ra(located: LocatedName) -> Reading:
    """Read a Which RA request: a raw comma separates names, but may be part of one (E6)."""
    at = located.raw.text.index(",")
    first = read_name(replace(located, raw=located.raw.cut(0, at), which_ra=False))
    pieces = [locate_name(SourceText.of(piece)) for piece in located.raw.text[at + 1 :].split(",")]
    others = deduplicate_names(first.doi, [piece.decoded for piece in pieces if piece])
    code = "several-dois" if others else "unescaped-comma"

    def offers() -> Offers:
        yield from ((name, ANOTHER_OF_REQUEST) for name in others)
        yield located.decoded, Message("with the comma as part of the name")
        yield from first.offers()
        if not others:
            cut = read_name(replace(located, which_ra=False)).candidates
            yield from ((one.doi, join_messages(", ", Message("with the comma"), one.reason)) for one in cut)

    problems = (*first.problems, make_problem(code, *located.raw.span(at)))
    return replace(first, problems=problems, others=others, offers=offers)

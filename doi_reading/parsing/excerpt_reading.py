"""Read an excerpt of a text: one name in any form, else names in running text, else a name behind damage."""

import re
from dataclasses import replace

from doi_reading.parsing.damaged_text import DISGUISES, find_divided_prefix, read_divided
from doi_reading.parsing.free_text import find_mentions, read_mentions
from doi_reading.parsing.locate import find_visible_start, is_figure, locate_name, stands_alone
from doi_reading.parsing.name_reading import read_name_alone
from doi_reading.parsing.reading import Reading
from doi_reading.problems.problem import make_problem
from doi_reading.text.brackets import find_enclosing_brackets
from doi_reading.text.source_text import WHITE, SourceText

_MOST_DISGUISES = 2  # one inside another: a bound keeps reading linear
_LINK_WITH_LABEL = re.compile(rf"https?://[^{WHITE}]{{1,300}}[ ]{{1,3}}[^{WHITE}0-9./_:(-]")
"""A link of a wiki between its brackets: an address, and the words that are shown for it."""


def read_excerpt(excerpt: SourceText, depth: int = 0) -> Reading:
    """Read the excerpt, inside its brackets if it has some around it. `depth`: the kinds of damage already undone."""
    brackets = find_enclosing_brackets(excerpt.text)
    if brackets is None:
        return _read_inside(excerpt, depth)
    opener, closer = brackets
    inner = excerpt.cut(opener + 1, closer).strip()
    mentions = find_mentions(inner) if _LINK_WITH_LABEL.match(inner.text) else []
    reading = read_mentions(inner, mentions) if mentions else _read_inside(inner, depth)
    if reading.form == "none":
        return reading if reading.candidates else _read_nothing(excerpt)
    around = () if any(one.code == "surrounding-text" for one in reading.problems) else brackets
    problems = (make_problem("surrounding-text", *excerpt.span(place, place + 1)) for place in around)
    return replace(reading, form="text", problems=(*reading.problems, *problems))


def _read_inside(excerpt: SourceText, depth: int) -> Reading:
    start = find_visible_start(excerpt)
    located = locate_name(excerpt.cut(start))
    if located and stands_alone(located, excerpt):
        return read_name_alone(located, excerpt.cut(0, start))
    mentions = find_mentions(excerpt)
    divided = find_divided_prefix(excerpt.text)
    if divided and (not mentions or divided.start("name") < mentions[0].start):
        reading = read_divided(excerpt, divided)
        if not mentions or any(True for _ in reading.offers()):
            return reading
    if mentions:
        return read_mentions(excerpt, mentions)
    if located and not is_figure(located):
        return read_name_alone(replace(located, rest=None), excerpt.cut(0, start))
    return (_read_disguised(excerpt, depth) if depth < _MOST_DISGUISES else None) or _read_nothing(excerpt)


def _read_disguised(excerpt: SourceText, depth: int) -> Reading | None:
    """Read the excerpt without the first disguise that hides a name."""
    for _example, find_disguise in DISGUISES:
        for found in find_disguise(excerpt):
            if isinstance(found, Reading):
                return found
            reading = read_excerpt(found.excerpt, depth + 1)
            if found.shows_name(reading):
                return reading.without_name(found.problems, found.reason)
    return None


def _read_nothing(excerpt: SourceText) -> Reading:
    return Reading(excerpt.input, "none", problems=(make_problem("no-doi", *excerpt.span()),))

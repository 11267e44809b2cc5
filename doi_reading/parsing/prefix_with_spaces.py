"""Texts with white space in a prefix or around its slash: `https:// doi. org/ 10. 1007/ s00382`."""

import re
from functools import partial

from doi_reading.parsing import checks
from doi_reading.parsing.candidates import offer_joined
from doi_reading.parsing.reading import Reading
from doi_reading.problems.problem import make_problem
from doi_reading.repair.divided_names import READ
from doi_reading.text.source_text import WHITE, WHITE_RUN, SourceText

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
_SPACED = 4  # runs of white space that are reported one by one


def find_divided_prefix(text: str) -> re.Match[str] | None:
    """Return the first prefix with white space in it or around its slash."""
    if not _PARTED.search(text):
        return None
    return next((match for match in _DIVIDED.finditer(text) if WHITE_RUN.search(match.group("name"))), None)


def read_divided(text: str, body: SourceText, match: re.Match[str]) -> Reading:
    """Read a text with white space in a prefix or around its slash: `https:// doi. org/ 10. 1007/ s00382- 022- 0`."""
    prefix, start, end = "10." + WHITE_RUN.sub("", match.group("code")), match.start(), match.end()
    spaces = [(start + at.start(), start + at.end()) for at in WHITE_RUN.finditer(match.group())]
    if len(spaces) > _SPACED:
        spaces = [(spaces[0][0], spaces[-1][1])]  # a name spaced out letter by letter has one problem
    first = body.text.find("1", start)
    problems = [one for space in spaces for one in checks.build_white_space_problems("inner-space", body, *space)]
    if WHITE_RUN.search(body.text, first, match.end("code")):
        problems.insert(0, make_problem("registrant-code", *body.span(first, match.end("code"))))

    offers = partial(offer_joined, f"{prefix}/", body.text[end : end + READ])
    return Reading(text, "text", problems=tuple(problems), offers=offers)

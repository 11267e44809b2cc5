"""A link to correct, as lines: what was given, what a browser opens of it if it ends early, and the link to use."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from resolver.web.lookups.name_diff import compare_names
from resolver.web.lookups.usable_doi import UsableDoi
from resolver.web.wording.highlight import LONGEST_SHOWN_CHARACTERS, DiffPart, to_glyphs

_ENDING = frozenset({"unescaped-hash", "unescaped-question-mark", "unescaped-space"})


@dataclass(frozen=True, slots=True)
class LinkLines:
    """`opened`: the link, with the part that a browser drops as removed; () if it opens all. `correct`: the link of the
    DOI to use, with what is new in it; () if there is none."""

    opened: Sequence[DiffPart]
    correct: Sequence[DiffPart]


def draw_link_lines(text: str, problems: Sequence[Mapping[str, Any]], use: UsableDoi | None) -> LinkLines | None:
    """Return the lines for a link with these problems; None if it neither ends early nor is to be written otherwise."""
    ends = [problem["start"] for problem in problems if problem["code"] in _ENDING]
    if not (ends or (use and use.is_link)) or len(text) > LONGEST_SHOWN_CHARACTERS:
        return None
    opened = ends and (
        DiffPart("", to_glyphs(text[: min(ends)])),
        DiffPart("del", to_glyphs(text[min(ends) :], spaces=True)),
    )
    return LinkLines(opened, mark_new(text, use.link) if use and not use.is_guess else ())


def mark_new(given: str, other: str) -> tuple[DiffPart, ...]:
    """Return `other`, with what it has and `given` has not; unmarked if they differ too much."""
    difference = compare_names(given, other)
    parts = difference.parts if difference else (DiffPart("", to_glyphs(other)),)
    return tuple(part for part in parts if part.kind != "del")

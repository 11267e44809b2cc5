"""Problems and invisible characters of a text, shown in place."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from django.utils.translation import gettext as _

from doi_reading.problems import MOST_MERGED, merge_messages

LONGEST_SHOWN_CHARACTERS = 4000  # more than any name has
_RANK = {"error": 3, "warning": 2, "info": 1}
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"})
LINE_END = "↵"
_CONTROL_NAMES = {"\t": "TAB", "\n": "LINE FEED", "\r": "CARRIAGE RETURN", "\x00": "NULL"}


@dataclass(frozen=True, slots=True)
class Glyph:
    """Visible text; or, with a `label`, one invisible character. Then `text` is what follows the label: a line break if
    it breaks the line."""

    text: str
    label: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Neighbouring characters with the same problems; `numbers` are those of the problems that end here, from 1."""

    glyphs: tuple[Glyph, ...]
    severity: str = ""
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DiffPart:
    """A part of two compared names: `kind` is "" for both, "del" for the first only, "ins" for the second only."""

    kind: str
    glyphs: tuple[Glyph, ...]


def label_hidden(character: str) -> Glyph | None:
    """Return how an invisible character, or one that moves its neighbours, is shown; None for others (S2)."""
    if character == " " or unicodedata.category(character) not in _HIDDEN:
        return None
    return Glyph("", f"U+{ord(character):04X}", _name_character(character))


def _name_character(character: str) -> str:
    known = unicodedata.name(character, _CONTROL_NAMES.get(character, ""))
    return known.lower() or _("not a printable character")


def name_characters(text: str) -> str:
    """Return the names of the unusual characters of a text, such as `en dash` (S11); "" for more than 3 characters."""
    odd = [character for character in text if not (character.isascii() and character.isprintable())]
    return ", ".join(map(_name_character, dict.fromkeys(odd))) if len(text) <= 3 else ""


def number_problems(
    text: str, problems: Iterable[Mapping[str, Any]]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the problems of `text` with a `number` each, and the list to show: problems of one code share a number and
    are listed once, with the number of their `places` and the names of their characters (`named`)."""
    groups: dict[str, list[Mapping[str, Any]]] = {}
    numbered = []
    for problem in problems:
        groups.setdefault(problem["code"], []).append(problem)
        numbered.append({**problem, "number": list(groups).index(problem["code"]) + 1})
    return numbered, [_merge(text, number, group) for number, group in enumerate(groups.values(), start=1)]


def _merge(text: str, number: int, group: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    characters = dict.fromkeys(name_characters(text[one["start"] : one["end"]]) for one in group)
    return {
        **max(group, key=lambda one: _RANK.get(one["severity"], 0)),
        "message": merge_messages([one["message"] for one in group]),
        "named": ", ".join([name for name in characters if name][:MOST_MERGED]),
        "number": number,
        "places": len(group),
        "marked": any(one["start"] < one["end"] for one in group),
    }


def to_glyphs(text: str, *, spaces: bool = False, lines: bool = False) -> tuple[Glyph, ...]:
    """Return the text in runs of visible characters, with a label for each of the others. `spaces` labels plain spaces
    too, `lines` keeps line breaks behind their labels."""
    if text and text.isprintable() and not spaces:
        return (Glyph(text),)
    found: list[Glyph] = []
    run = ""
    for character in text:
        if spaces and character == " ":
            label: Glyph | None = Glyph("", "␣", "space")
        elif lines and character == "\n":
            label = Glyph("\n", LINE_END, _name_character(character))
        else:
            label = label_hidden(character)
        if label is None:
            run += character
            continue
        if run:
            found.append(Glyph(run))
        found.append(label)
        run = ""
    return (*found, Glyph(run)) if run else tuple(found)


def split_at_problems(
    text: str, problems: Iterable[Mapping[str, Any]], limit: int = LONGEST_SHOWN_CHARACTERS
) -> list[Stretch]:
    """Split `text` (at most `limit` code points of it) where a problem begins or ends. A problem of width 0 is about
    the record and marks nothing. Spans may overlap; the worst severity wins. Spaces are labelled if they are the
    problem, and at both ends of the text. A problem without a `number` gets its place, from 1."""
    text = text[:limit]
    spans = [
        (p.get("number", place), p["severity"], max(0, p["start"]), min(len(text), p["end"]))
        for place, p in enumerate(problems, start=1)
        if p["start"] < min(p["end"], len(text))
    ]
    first = len(text) - len(text.lstrip(" "))
    last = max(first, len(text.rstrip(" ")))
    cuts = sorted({0, first, last, len(text)} | {cut for _, _, start, end in spans for cut in (start, end)})
    stretches = []
    for start, end in pairwise(cuts):
        here = [span for span in spans if span[2] <= start and end <= span[3]]
        severity = max((span[1] for span in here), key=lambda name: _RANK.get(name, 0), default="")
        outer = end <= first or start >= last
        at_fault = any(not text[begun:ended].strip(" ") for _, _, begun, ended in here)
        parts = to_glyphs(text[start:end], spaces=at_fault or outer, lines=True)
        stretches.append(Stretch(parts, severity, tuple(span[0] for span in here if span[3] == end)))
    return stretches

"""Making visible what is wrong in a text, in its place: problem spans, and characters that nobody can see. Pure
but for the language."""

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from django.utils.translation import gettext as _

NAMED = 3  # characters of one problem; a longer stretch speaks for itself
SHOWN = 4000  # code points: more than any name, and a page that a browser still draws at once
_RANK = {"error": 3, "warning": 2, "info": 1}
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"})
LINE_END = "↵"
_CONTROL_NAMES = {"\t": "TAB", "\n": "LINE FEED", "\r": "CARRIAGE RETURN", "\x00": "NULL"}


@dataclass(frozen=True, slots=True)
class Glyph:
    """Text as it is; or, with a `label`, one character that cannot be seen, and what of it stands in the text behind
    the label: a line break, where it breaks the line."""

    text: str
    label: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Neighbouring characters that share the same problems; `numbers` are the places in the list, from 1, of those
    that end here."""

    glyphs: tuple[Glyph, ...]
    severity: str = ""
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DiffPart:
    """A piece of two names that are compared: `kind` is "" for what is in both, "del" for what is only in the one that
    was given, "ins" for what is only in the other."""

    kind: str
    glyphs: tuple[Glyph, ...]


def hidden(character: str) -> Glyph | None:
    """How a character is shown that cannot be seen or that moves its neighbours; None when it can be seen (S2)."""
    if character == " " or unicodedata.category(character) not in _HIDDEN:
        return None
    return Glyph("", f"U+{ord(character):04X}", _name(character))


def _name(character: str) -> str:
    known = unicodedata.name(character, _CONTROL_NAMES.get(character, ""))
    return known.lower() or _("not a printable character")


def character_names(text: str) -> str:
    """What the odd characters of a short stretch are called, which the eye cannot tell (S11): `en dash`."""
    odd = [character for character in text if not (character.isascii() and character.isprintable())]
    return ", ".join(map(_name, dict.fromkeys(odd))) if len(text) <= NAMED else ""


def group_problems(
    text: str, problems: Iterable[Mapping[str, Any]]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The problems of `text`, each with its `number`, and what is to be told of them: equal ones share a number and
    are told once, with how many `places` they have, and with the names of the characters at fault (`named`)."""
    told: dict[tuple[str, ...], dict[str, Any]] = {}
    numbered = []
    for problem in problems:
        characters = character_names(text[problem["start"] : problem["end"]])
        same = (problem["code"], problem["severity"], problem["message"], characters)
        first = told.setdefault(
            same, {**problem, "named": characters, "number": len(told) + 1, "places": 0, "marked": False}
        )
        first["places"] += 1
        first["marked"] |= problem["start"] < problem["end"]
        numbered.append({**problem, "number": first["number"]})
    return numbered, list(told.values())


def glyphs(text: str, *, spaces: bool = False, lines: bool = False) -> tuple[Glyph, ...]:
    """The text in runs of what can be seen, with labels for the rest; with `spaces`, plain spaces get one too, and with
    `lines` a line break gets one before it, and breaks the line."""
    found: list[Glyph] = []
    run = ""
    for character in text:
        if spaces and character == " ":
            label: Glyph | None = Glyph("", "␣", "space")
        elif lines and character == "\n":
            label = Glyph("\n", LINE_END, _name(character))
        else:
            label = hidden(character)
        if label is None:
            run += character
            continue
        if run:
            found.append(Glyph(run))
        found.append(label)
        run = ""
    return (*found, Glyph(run)) if run else tuple(found)


def mark(text: str, problems: Iterable[Mapping[str, Any]], limit: int = SHOWN) -> list[Stretch]:
    """Split `text` (at most `limit` code points of it) where a problem begins or ends.

    A problem of width 0 is about the record, not about a character, and marks nothing. Spans may overlap; the
    worst severity wins. Spaces get a sign where they themselves are at fault, and at both ends of the text. What
    stands at a place is the problem's own `number`, or without one its place among the problems, from 1.
    """
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
        parts = glyphs(text[start:end], spaces=at_fault or outer, lines=True)
        stretches.append(Stretch(parts, severity, tuple(span[0] for span in here if span[3] == end)))
    return stretches

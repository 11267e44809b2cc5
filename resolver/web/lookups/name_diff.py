"""The difference between two names, as marked text and in words (S11)."""

from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby

from django.utils.translation import gettext as _

from resolver.web.wording.highlight import DiffPart, label_hidden, name_characters, to_glyphs


@dataclass(frozen=True, slots=True)
class NameDiff:
    """The `parts` in order, and each change once in `words`."""

    parts: tuple[DiffPart, ...]
    words: tuple[str, ...]


def compare_names(given: str, other: str) -> NameDiff | None:
    """Return how `other` differs from `given`; None if they are equal, too long or too different."""
    if given == other or max(len(given), len(other)) > 300:  # the time grows with the product of their lengths
        return None
    matcher = SequenceMatcher(None, given, other, autojunk=False)
    if matcher.ratio() < 0.6:
        return None
    changes = _pair_characters(given, other) or matcher.get_opcodes()
    parts: list[DiffPart] = []
    words: list[str] = []
    for kind, start, end, first, last in changes:
        gone, new = given[start:end], other[first:last]
        if kind == "equal":
            parts.append(DiffPart("", to_glyphs(gone)))
            continue
        parts += [DiffPart(way, to_glyphs(text, spaces=True)) for way, text in (("del", gone), ("ins", new)) if text]
        words.append(_describe_change(gone, new))
    if len(words) > 6:  # with so many changes it is another name
        return None
    return NameDiff(tuple(parts), tuple(dict.fromkeys(words)))


def _pair_characters(given: str, other: str) -> list[tuple[str, int, int, int, int]]:
    """The changes of names that differ in up to three characters, each in its place, as SequenceMatcher gives them: it
    would call an O between zeros removed, and a zero added. Nothing for other names."""
    places = [place for place, pair in enumerate(zip(given, other, strict=False)) if pair[0] != pair[1]]
    if len(given) != len(other) or len(places) > 3:
        return []
    runs = groupby(range(len(given)), key=lambda place: "replace" if place in places else "equal")
    spans = [(kind, [*run]) for kind, run in runs]
    return [(kind, run[0], run[-1] + 1, run[0], run[-1] + 1) for kind, run in spans]


def _describe_change(gone: str, new: str) -> str:
    if not new:
        return _("We removed %(gone)s.") % {"gone": _quote_characters(gone)}
    if not gone:
        return _("We added %(new)s.") % {"new": _quote_characters(new)}
    return _("We changed %(gone)s to %(new)s.") % {"gone": _quote_characters(gone), "new": _quote_characters(new)}


def _quote_characters(text: str) -> str:
    """The characters in quotes; unusual ones with their names."""
    if text == " ":
        return _("the space")
    if len(text) == 1 and (hidden := label_hidden(text)):
        return _("an invisible character (%(name)s)") % {"name": hidden.name}
    if text == "0":
        return _("a zero")
    if len(text) == 1 and text.isascii() and text.isalpha():
        return _("the letter %(letter)s") % {"letter": text}
    seen = "".join(glyph.label or glyph.text for glyph in to_glyphs(text, spaces=True))
    name = name_characters(text)
    quoted = _("“%(text)s”") % {"text": seen}
    return f"{quoted} ({name})" if name else quoted

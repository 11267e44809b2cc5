"""The signs `#`, `?` and `%` in a registered name: written whole and outside an address, they leave no doubt about the
name (E1, E12, U7). They must only be encoded when a link is made."""

from collections.abc import Sequence
from dataclasses import replace

from doi_reading import Problem, Severity
from resolver.domain.report.outcome import EXISTS

_SIGNS = {"unescaped-hash": "#", "unescaped-question-mark": "?", "unescaped-percent": "%"}
_ONLY_IN_LINKS = "unescaped-recommended"


def soften_signs(problems: Sequence[Problem], text: str, name: str) -> tuple[Problem, ...]:
    """Return the problems of a text whose name is registered: those of signs in the name are warnings."""
    if not problems or not _has_name_outside_address(text, name):
        return tuple(problems)
    start = text.find(name)
    end = start + len(name)
    return tuple(
        replace(one, severity=Severity.WARNING.value)
        if one.code in _SIGNS and start <= one.start and one.end <= end
        else one
        for one in problems
    )


def weigh_codes(outcome: str, codes: Sequence[str], text: str, name: str) -> list[str]:
    """Return the codes of a result's problems as they count for its group, its correction and its next steps: a sign in
    the registered name as one that only a link must encode."""
    if outcome not in EXISTS or _SIGNS.keys().isdisjoint(codes) or not _has_name_outside_address(text, name):
        return list(codes)
    return [_ONLY_IN_LINKS if _SIGNS.get(code, name + "x") in name else code for code in codes]


def _has_name_outside_address(text: str, name: str) -> bool:
    before, found, _ = text.partition(name) if name else ("", "", "")
    return bool(found) and not before.endswith("/")

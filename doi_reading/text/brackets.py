"""Brackets and quotes: which are pairs, and which of them has no partner."""

import re

from doi_reading.text.source_text import WHITE

OPENERS = {
    "(": ")", "[": "]", "{": "}", "<": ">", "«": "»", "“": "”", "‘": "’", '"': '"', "'": "'", "‹": "›",
    "„": "“",
    "（": "）", "【": "】", "「": "」", "『": "』", "《": "》", "〈": "〉", "〔": "〕", "［": "］",
    "`": "`", "*": "*", "|": "|",
}  # fmt: skip
_ALIKE = frozenset(opener for opener, closer in OPENERS.items() if opener == closer)
CLOSERS = {closer: opener for opener, closer in OPENERS.items() if opener != closer}
_PARTNERS = frozenset(OPENERS.values())
_ANY = re.compile(f"[{re.escape(''.join({*OPENERS, *OPENERS.values()}))}]")


def find_unpaired_bracket(name: str) -> int:
    """Return the place of the first closing bracket without an opening one, or -1."""
    depths = dict.fromkeys(CLOSERS.values(), 0)
    for index, character in enumerate(name):
        if character in depths:
            depths[character] += 1
        elif character in CLOSERS:
            if not depths[CLOSERS[character]]:
                return index
            depths[CLOSERS[character]] -= 1
    return -1


def match_brackets(text: str) -> dict[int, int]:
    """Return the place of the closing bracket or quote for the place of each opening one; unclosed ones are left out.

    A quote that looks alike at both ends is closed by the next of its kind.
    """
    closed: dict[int, int] = {}
    opened: dict[str, list[int]] = {opener: [] for opener in OPENERS}
    for match in _ANY.finditer(text):
        sign, at = match.group(), match.start()
        opener = CLOSERS.get(sign)
        if opener and opened[opener]:
            closed[opened[opener].pop()] = at
        if sign in _ALIKE and opened[sign]:
            closed[opened[sign].pop()] = at
        if sign in opened:
            opened[sign].append(at)
    return closed


def find_enclosing_brackets(text: str) -> tuple[int, int] | None:
    """Return the places of the innermost brackets or quotes around the whole text, without white space; None if there
    are none. Each is looked at once, however deep they are nested."""
    if text[:1] not in OPENERS or text[-1:] not in _PARTNERS:
        return None
    closed = match_brackets(text)
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

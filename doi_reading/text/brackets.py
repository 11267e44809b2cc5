"""Brackets and quotes: which are pairs, and which of them has no partner."""

import re

OPENERS = {
    "(": ")", "[": "]", "{": "}", "<": ">", "«": "»", "“": "”", "‘": "’", '"': '"', "'": "'", "‹": "›",
    "„": "“",
    "（": "）", "【": "】", "「": "」", "『": "』", "《": "》", "〈": "〉", "〔": "〕", "［": "］",
    "`": "`", "*": "*", "|": "|",
}  # fmt: skip
_ALIKE = frozenset(opener for opener, closer in OPENERS.items() if opener == closer)
CLOSERS = {closer: opener for opener, closer in OPENERS.items() if opener != closer}
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

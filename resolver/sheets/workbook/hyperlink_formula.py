"""The formula HYPERLINK, as far as it says by itself what it shows and where it leads."""

import re
from typing import NamedTuple

_LONGEST = 8_192  # characters; no spreadsheet takes a longer formula
_TEXT = r'"((?:[^"]|"")*+)"'
# Excel parts what a formula is given by commas, OpenDocument by semicolons.
_HYPERLINK = re.compile(rf"(?:\w+:)?=?\s*HYPERLINK\(\s*{_TEXT}\s*(?:[,;]\s*{_TEXT}\s*)?(?P<end>\)\s*\Z|[,;])", re.I)


class HyperlinkFormula(NamedTuple):
    """Where it leads, and the text that it shows, as far as the formula has it in itself."""

    address: str
    text: str


def hyperlink_formula(formula: str) -> HyperlinkFormula | None:
    """What a formula such as `HYPERLINK("https://doi.org/10.1000/182","Full text")` says; None for any other, and where
    the address is to be worked out."""
    found = _HYPERLINK.match(formula) if len(formula) <= _LONGEST else None
    if found is None or not found[1]:
        return None
    address = found[1].replace('""', '"')
    if not found["end"].startswith(")"):  # its text is to be worked out
        return HyperlinkFormula(address, "")
    return HyperlinkFormula(address, (found[2] or "").replace('""', '"') or address)

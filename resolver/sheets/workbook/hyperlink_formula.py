"""The formula HYPERLINK, as far as it contains its text and address."""

import re
from typing import NamedTuple

_LONGEST = 8_192  # characters; no spreadsheet takes a longer formula
_TEXT = r'"((?:[^"]|"")*+)"'
# Excel separates the arguments of a formula by commas, OpenDocument by semicolons.
_HYPERLINK = re.compile(rf"(?:\w+:)?=?\s*HYPERLINK\(\s*{_TEXT}\s*(?:[,;]\s*{_TEXT}\s*)?(?P<end>\)\s*\Z|[,;])", re.I)


class HyperlinkFormula(NamedTuple):
    """The address, and the text that is shown, if the formula contains it."""

    address: str
    text: str


def hyperlink_formula(formula: str) -> HyperlinkFormula | None:
    """Return what a formula such as `HYPERLINK("https://doi.org/10.1000/182","Full text")` contains; None for any
    other, and if the address is calculated."""
    found = _HYPERLINK.match(formula) if len(formula) <= _LONGEST else None
    if found is None or not found[1]:
        return None
    address = found[1].replace('""', '"')
    if not found["end"].startswith(")"):  # its text is calculated
        return HyperlinkFormula(address, "")
    return HyperlinkFormula(address, (found[2] or "").replace('""', '"') or address)

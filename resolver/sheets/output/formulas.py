"""Cells that a spreadsheet would run as a formula, made harmless (contract, Bulk files)."""

import re

RISKY = frozenset("=@\t\r+-")  # what such a cell begins with

_NUMBER = re.compile(r"[+-](?:\d+(?:[.,]\d+)*|[.,]\d+)(?:[eE][+-]?\d+)?\Z")


def harmless(cell: str) -> str:
    """The cell with a leading `'` when a spreadsheet would run it: `=` `@` TAB CR, or `+` `-` and no number."""
    if not cell or cell[0] not in RISKY:
        return cell
    if cell[0] in "+-" and _NUMBER.match(cell):
        return cell
    return "'" + cell

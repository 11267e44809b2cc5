"""The column of expected addresses: named by a program, chosen by a person, or proposed by its name."""

from dataclasses import replace

from doi_reading import Message
from resolver.sheets.errors import NeedsChoice
from resolver.sheets.header.column_names import fold_name
from resolver.sheets.input.header_and_column import build_no_such_column_error
from resolver.sheets.input.layout import Layout
from resolver.sheets.input.named_column import find_named_column

_PLAIN = frozenset(
    """
    expected expectedurl expectedurls expectedaddress expectedlink expectedlandingpage expectedtarget
    target targeturl targetaddress targetlink
    zieladresse zielurl ziel zielseite solladresse sollurl sollziel erwarteteadresse erwarteteurl erwarteterlink
    """.split()
)
"""Names with no other meaning, as `fold_name` has them."""
_LIKELY = frozenset(
    """
    url urls uri link links weblink webaddress website webpage landingpage landingpageurl landingpagelink landingurl
    resource resourceurl resourcelink itemurl recordurl articleurl pageurl permalink registeredurl
    webadresse internetadresse landeseite startseite seite verweis
    """.split()
)


def choose_expected_column(layout: Layout, column: int | None) -> Layout:
    """Return the layout with the expected addresses in the column at this index; None for no such column. Raises
    NeedsChoice if it has no such column, or it is the one with the DOIs."""
    if column is None:
        return replace(layout, expected=None)
    _refuse_without_columns(layout)
    if column >= layout.width:
        raise build_no_such_column_error("expected", column, layout.width)
    if column in (layout.column, layout.instead):
        reason = Message("This column has the DOIs. Choose the column with the expected web addresses.")
        raise NeedsChoice("expected", reason)
    return replace(layout, expected=column)


def name_expected_column(layout: Layout, name: str) -> Layout:
    """Return the layout with the expected addresses in the column with this name, in this or another case, or in
    "column 3"; without a name for none. Raises NeedsChoice as `choose_expected_column`, and if several have it."""
    if not name:
        return layout
    _refuse_without_columns(layout)
    return choose_expected_column(layout, find_named_column(layout, name, "expected"))


def can_have_expected_column(layout: Layout) -> bool:
    """Return whether it has a column beside the one with the DOIs."""
    return not layout.is_bibliographic and layout.width > 1


def list_likely_columns(layout: Layout) -> list[int]:
    """Return the columns whose names may mean expected addresses, the plain ones first."""
    if not (can_have_expected_column(layout) and layout.has_header):
        return []
    names = [fold_name(name) for name in layout.header]
    free = [place for place in range(layout.width) if place not in (layout.column, layout.instead)]
    return [place for known in (_PLAIN, _LIKELY) for place in free if names[place] in known]


def propose_expected_column(layout: Layout) -> int | None:
    """Return the column whose name can only mean expected addresses, if there is one."""
    found = list_likely_columns(layout)[:1]
    return found[0] if found and fold_name(layout.header[found[0]]) in _PLAIN else None


def _refuse_without_columns(layout: Layout) -> None:
    if layout.is_bibliographic:
        reason = Message("A bibliographic file has no column of expected web addresses. Leave this setting empty.")
        raise NeedsChoice("expected", reason)
    if layout.width < 2:
        reason = Message(
            "The file has only one column, so it has no column of expected web addresses. Choose the separator of "
            "its columns, or leave this setting empty."
        )
        raise NeedsChoice("expected", reason)

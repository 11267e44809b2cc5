"""The column of expected addresses as it is proposed: only by a name that says so plainly."""

from dataclasses import replace

import pytest

from resolver.sheets.input.expected_column import (
    can_have_expected_column,
    choose_expected_column,
    list_likely_columns,
    propose_expected_column,
)
from resolver.sheets.input.layout import Layout

TABLE = Layout("csv", "utf-8", ",", True, True, ("doi", "title", "URL", "Landing page"), 0, 3)


@pytest.mark.parametrize("name", ["expected", "Expected URL", "target", "Target_URL", "Zieladresse", "Erwartete URL"])
def test_a_name_that_says_so_plainly_is_proposed(name: str) -> None:
    layout = replace(TABLE, header=("doi", "url", name))
    assert propose_expected_column(layout) == 2
    assert list_likely_columns(layout) == [2, 1]


def test_a_name_that_may_mean_anything_is_listed_first_and_not_proposed() -> None:
    assert propose_expected_column(TABLE) is None
    assert list_likely_columns(TABLE) == [2, 3]


def test_the_column_with_the_dois_is_never_proposed() -> None:
    assert list_likely_columns(replace(TABLE, header=("target", "url"))) == [1]
    assert propose_expected_column(replace(TABLE, header=("target", "title"))) is None


@pytest.mark.parametrize("layout", [replace(TABLE, header=("target",)), replace(TABLE, kind="ris")])
def test_a_plain_list_and_a_bibliographic_file_have_none(layout: Layout) -> None:
    assert not can_have_expected_column(layout)
    assert list_likely_columns(layout) == []


def test_the_layout_keeps_the_choice() -> None:
    layout = choose_expected_column(TABLE, 2)
    assert layout.expected_name == "URL"
    assert Layout.from_json(layout.to_json()) == layout
    assert choose_expected_column(layout, None).expected_name is None

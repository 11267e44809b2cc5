"""The shortcut for plain names is taken where it may be; test_properties.py compares its readings with the others."""

import pytest

from doi_reading.parsing.name_reading import read_plain_name


@pytest.mark.parametrize(
    "text", ["10.1371/journal.pone.0000030", "https://doi.org/10.1016/S0140-6736(11)61786-8", "10.1000/a.b/c"]
)
def test_a_plain_name_and_its_link_are_read_at_once(text: str) -> None:
    assert read_plain_name(text) is not None


@pytest.mark.parametrize(
    "text",
    ["10.1000/ab.", "10.1000//ab", "10.1000/a//b", "10.1000/ab10.1000/ab", "10.1/a", "10.1000/a/.", "doi:10.1000/a"],
)
def test_a_name_with_a_problem_is_not(text: str) -> None:
    assert read_plain_name(text) is None

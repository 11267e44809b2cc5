"""A registered name that has the pattern of its registrant is whole, if no longer name is registered."""

import pytest

from doi_reading import fold, read
from resolver.domain.handle.answers import Resolution
from resolver.domain.handle.record import HandleValue, Record
from resolver.domain.report.judge import ProxyAnswers, judge

FOUND = Resolution(Record("10.1000/b", (HandleValue(1, "URL", "string", "https://a.example/"),)))


def told(text: str, *registered: str) -> list[tuple[str, str]]:
    """The codes and the characters at fault, where the name of the text and these names are registered."""
    reading = read(text)
    exists = {fold(one.doi): one.doi in registered for one in reading.candidates}
    return [
        (one.code, text[one.start : one.end]) for one in judge(reading, ProxyAnswers(FOUND, exists=exists)).problems
    ]


@pytest.mark.parametrize("after", ["2018", "1", "2018 12"])
@pytest.mark.parametrize("before", ["", "https://doi.org/"])
def test_a_number_behind_a_whole_name_is_other_text(before: str, after: str) -> None:
    assert told(f"{before}10.1038/s41598-018-29283-z {after}") == [("surrounding-text", after)]


@pytest.mark.parametrize(
    "text",
    [
        "10.5281/zenodo.5917 -27",
        "10.7554/eLife.56601 002",
        "10.1371/journal.pone.0012345 t001",
        "10.1371/journal.pone.0012345 1",
    ],
)
def test_names_of_no_fixed_length_or_with_parts_of_their_own_may_go_on(text: str) -> None:
    assert "inner-space" in {code for code, _ in told(text)}


def test_if_a_longer_name_is_registered_too_the_space_may_be_inside() -> None:
    text = "10.1038/s41598-018-29283-z 2018"
    assert told(text, "10.1038/s41598-018-29283-z2018") == [("inner-space", " ")]


def test_so_it_may_in_a_name_of_another_pattern() -> None:
    assert told("10.5555/abc1 2") == [("inner-space", " ")]


def test_a_chapter_s_number_is_offered_behind_an_underscore_first() -> None:
    first = read("10.1007/978-3-319-24574-4 28").candidates[0]
    assert first.doi == "10.1007/978-3-319-24574-4_28"

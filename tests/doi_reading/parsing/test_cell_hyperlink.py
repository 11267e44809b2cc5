"""A cell with a hyperlink: which of the two is read, and when they are said to differ."""

import pytest

from doi_reading import OF_HYPERLINK, read


def codes(text: str, link: str) -> list[str]:
    return [one.code for one in read(text, link).problems]


@pytest.mark.parametrize("text", ["Full text", "View", "", "PMID 123456", "https://example.org/a"])
def test_where_the_text_holds_no_doi_the_link_is_read_and_said(text: str) -> None:
    reading = read(text, "https://doi.org/10.1000/182")
    assert (str(reading.doi), reading.input) == ("10.1000/182", "https://doi.org/10.1000/182")
    assert [one.code for one in reading.problems] == ["from-link"]


def test_what_is_wrong_with_the_link_is_told_with_its_place_in_it() -> None:
    reading = read("Full text", "https://doi.org/10.1000/456#789")
    told = next(one for one in reading.problems if one.code == "unescaped-hash")
    assert reading.input[told.start : told.end] == "#789"
    assert [one.doi for one in reading.candidates] == ["10.1000/456#789"]


@pytest.mark.parametrize(
    "link", ["", "https://example.org/", "mailto:a@example.org", "#Sheet2!A1", "javascript:alert(1)"]
)
def test_a_link_without_a_doi_changes_nothing(link: str) -> None:
    for text in ("Full text", "10.1000/182", "10.1000/182."):
        reading, alone = read(text, link), read(text)
        assert (reading, reading.candidates) == (alone, alone.candidates)


@pytest.mark.clause("B2")
@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("10.1000/182", "https://doi.org/10.17487/RFC3651"),
        ("10.1000/18", "https://doi.org/10.1000/182"),
        ("10.1000/182", "https://login.proxy.example.edu/login?url=https://doi.org/10.1000/183"),
        ("10.1000/182; 10.1000/183", "https://doi.org/10.1000/184"),
    ],
)
def test_where_both_hold_different_dois_the_text_is_read_and_both_are_shown(text: str, link: str) -> None:
    reading, alone, behind = (
        read(text, link),
        read(text),
        read(link),
    )
    assert (reading.doi, reading.input, reading.problems[1:]) == (alone.doi, text, alone.problems)
    assert (reading.problems[0].code, reading.problems[0].severity) == ("link-differs", "error")
    assert str(behind.doi) in reading.problems[0].message
    assert reading.others == (*alone.others, str(behind.doi))
    assert str(behind.doi) in [one.doi for one in reading.candidates]


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("10.1000/182", "https://doi.org/10.1000/182"),
        ("10.1000/ABC", "https://doi.org/10.1000/abc"),
        ("https://doi.org/10.1000/182", "http://dx.doi.org/10.1000/182"),
        ("10.1000/456#789", "https://doi.org/10.1000/456%23789"),
        ("10.1000/182; 10.1000/183", "https://doi.org/10.1000/183"),
        ("10.1023/a:1006878621126", "https://link.springer.com/article/10.1023/a:1006878621126"),
        ("10.1000/182.", "https://doi.org/10.1000/182."),
    ],
)
def test_where_both_name_the_same_doi_nothing_is_said(text: str, link: str) -> None:
    assert codes(text, link) == codes(text, "")
    assert read(text, link).others == read(text).others


@pytest.mark.parametrize("text", ["https://doi.org/10.1000/456%23789", "10.1000/456#789", "10.1000/456."])
def test_a_link_that_opens_a_candidate_of_the_text_differs_only_if_the_text_is_registered_too(text: str) -> None:
    reading = read(text, "https://doi.org/10.1000/456")
    assert (reading.others, reading.linked) == (("10.1000/456",), "10.1000/456")
    assert reading.problems == read(text).problems


def test_a_short_doi_and_its_link_differ_from_nothing() -> None:
    assert codes("10/g8r7pm", "https://doi.org/10.1000/182") == codes("10/g8r7pm", "")
    assert codes("10.1000/182", "https://doi.org/10/g8r7pm") == []


def test_a_text_that_is_no_name_as_it_stands_keeps_its_reading_and_the_link_is_a_candidate() -> None:
    reading = read("10.1000/a\x01b", "https://doi.org/10.1000/ab")
    assert (reading.doi, "link-differs" in codes("10.1000/a\x01b", "https://doi.org/10.1000/ab")) == (None, False)
    assert "10.1000/ab" in [one.doi for one in reading.candidates]
    (last,) = read("10.1000/182", "https://doi.org/10.1000/183").candidates
    assert (last.doi, last.reason) == ("10.1000/183", OF_HYPERLINK)


def test_a_text_too_long_to_be_read_is_not_passed_over_for_its_link() -> None:
    reading = read("x" * 50, "https://doi.org/10.1000/182", longest=40)
    assert ([one.code for one in reading.problems], reading.input) == (["too-long"], "x" * 50)

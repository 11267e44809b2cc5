"""A name that the text shortens: what is left of it may be the name of another work."""

import pytest

from doi_reading import read
from resolver.domain.handle.answers import Resolution
from resolver.domain.handle.record import HandleValue, Record
from resolver.domain.report.judge import ProxyAnswers, judge


def marked(text: str) -> list[str]:
    """The characters of the text that tell that it is shortened."""
    return [text[one.start : one.end] for one in read(text).problems if one.code == "cut-short"]


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("10.7717/peerj-cs.120…", "…"),
        ("10.7717/peerj-cs.120...", "..."),
        ("10.1002/ece3.101.…", ".…"),
        ("https://doi.org/10.1016/j.cell.2014.05.01...", "..."),
        ("<td>https://doi.org/10.1002/ece3.101...</td>", "..."),
        ("see 10.1002/ece3.101... for more", "..."),
        ("(doi:10.1002/ece3.101…)", "…"),
        ("10.1000/abc%3", "%3"),
        ("https://doi.org/10.1000/abc%", "%"),
    ],
)
def test_dots_and_half_an_escape_at_the_end_are_told(text: str, signs: str) -> None:
    assert marked(text) == [signs]


@pytest.mark.parametrize(
    "text",
    [
        "10.1002/ece3.101.", "10.1002/ece3.101..", "10.1002/ece3.101 ...", "10.1002/ece3...101", "10.1000/...",
        "10.1000/a%3C", "See 10.1002/ece3.101. … and so on",
    ],
)  # fmt: skip
def test_other_dots_are_no_sign_of_it(text: str) -> None:
    assert marked(text) == []


def test_a_registered_name_that_ends_in_dots_is_not_shortened() -> None:
    found = Resolution(Record("10.1124/mol...", (HandleValue(1, "URL", "string", "https://a/"),)))
    assert "cut-short" in {one.code for one in read("10.1124/mol...").problems}
    assert "cut-short" not in {one.code for one in judge(read("10.1124/mol..."), ProxyAnswers(found)).problems}
    assert "cut-short" in {one.code for one in judge(read("in 10.1124/mol... we"), ProxyAnswers(found)).problems}

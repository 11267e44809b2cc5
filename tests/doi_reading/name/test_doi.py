"""The DOI name as a value (spec.md, section S)."""

import pytest

from doi_reading import Doi, NotADoi, fold, read
from doi_reading.name import is_short_doi


@pytest.mark.clause("S1", "S5")
def test_a_name_is_split_at_its_first_slash() -> None:
    doi = Doi.parse("10.1000/a/b")
    assert (doi.prefix, doi.suffix) == ("10.1000", "a/b")


@pytest.mark.clause("S3", "S4")
@pytest.mark.parametrize("prefix", ["10.1000", "10.500.100", "10.054", "10.21", "10.1"])
def test_a_registrant_code_is_digits_joined_by_full_stops(prefix: str) -> None:
    assert Doi.parse(f"{prefix}/x").prefix == prefix


@pytest.mark.clause("S4")
def test_a_registrant_code_may_have_any_number_of_parts() -> None:
    prefix = "10" + ".1" * 9
    assert Doi.parse(f"{prefix}/x").prefix == prefix


@pytest.mark.clause("S2", "S3", "S4", "S5")
@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("10.1000", "missing-suffix"),
        ("10.1000/", "missing-suffix"),
        ("10./a", "registrant-code"),
        ("10.a/b", "registrant-code"),
        ("10/a", "registrant-code"),
        ("11.1000/1", "directory-code"),
        ("words", "no-doi"),
        ("10.1000/a\x00", "control-character"),
        ("10.1000/a\x7f", "control-character"),
        ("10.1000/a\x85", "control-character"),
        ("10.1000/a\u200b", "non-graphic"),
        ("10.1000/a\ue000", "non-graphic"),
        ("10.1000/a\ufdd0", "non-graphic"),
        ("10.1000/a\ufdef", "non-graphic"),  # the last of its range
        ("10.1000/a\ud800", "non-graphic"),
        ("10.1000/a\u2028", "non-graphic"),
        ("10.1000/a\u2029", "non-graphic"),
    ],
)
def test_what_breaks_the_syntax_is_named_by_its_code(name: str, code: str) -> None:
    with pytest.raises(NotADoi) as caught:
        Doi.parse(name)
    assert caught.value.code == code


@pytest.mark.clause("S8", "S9")
def test_names_are_equal_when_only_ascii_case_differs() -> None:
    assert Doi.parse("10.1000/ABC") == Doi.parse("10.1000/abc")
    assert str(Doi.parse("10.1000/ABC")) == "10.1000/ABC"
    assert Doi.parse("10.1000/Á") != Doi.parse("10.1000/á")
    assert Doi.parse("10.1000/\u00c1") != Doi.parse("10.1000/A\u0301")
    assert fold("K\u212a") == "k\u212a"


@pytest.mark.clause("S7", "S10", "S13", "S15")
@pytest.mark.parametrize("name", ["10.1000/" + "a" * 50_000, "10.1000/demo_DOI/", "10.1000/a:", "10.1001/demo_DOI"])
def test_long_names_and_names_that_end_oddly_are_names(name: str) -> None:
    assert str(Doi.parse(name)) == name


@pytest.mark.clause("S12")
def test_a_short_doi_is_no_name() -> None:
    assert is_short_doi("10/abcde")
    assert not is_short_doi("10.1000/abcde")


@pytest.mark.clause("S12")
@pytest.mark.parametrize("text", ["10/98p", "10/1bc", "10/hvx", "10/B1C", "10%2F98p", "10/g8r7pm", "10/2021a"])
def test_a_bare_short_doi_of_three_characters_or_more_is_read(text: str) -> None:
    reading = read(text)
    assert (reading.doi, reading.short_doi) == (None, text.replace("%2F", "/"))
    assert "short-doi" in {one.code for one in reading.problems}


@pytest.mark.clause("S12")
@pytest.mark.parametrize("written", ["doi:10/895", "https://doi.org/10/895", "https://doi.org/895"])
def test_a_short_doi_of_figures_is_read_behind_a_label_or_a_resolver_only(written: str) -> None:
    assert read(written).short_doi == "10/895"
    assert read("10/895").short_doi is None


@pytest.mark.clause("S12")
@pytest.mark.parametrize(
    "text",
    [
        "10/12",
        "10/100",
        "10/2023",
        "10/12/2023",
        "10/ab",
        "10/Oct",
        "10/nov2023",
        "10/3rd",
        "10/min",
        "10/20mg",
        "10/11am",
    ],
)
def test_a_date_a_fraction_and_a_rate_are_no_short_dois(text: str) -> None:
    assert [one.code for one in read(text).problems] == ["no-doi"]

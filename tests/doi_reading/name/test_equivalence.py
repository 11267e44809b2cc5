"""Names that are not the same, addresses that are, and controls that are told in whatever form they come."""

import pytest

from doi_reading import Doi, read

FORMS = ["{}", "doi:{}", "DOI: {}", "https://doi.org/{}", "http://dx.doi.org/{}", "info:doi/{}", "urn:doi:{}"]
OLD = ["http://doi.org/", "http://dx.doi.org/", "https://dx.doi.org/", "http://www.doi.org/", "dx.doi.org/"]


@pytest.mark.clause("S10")
def test_a_name_with_a_slash_at_its_end_is_another_name() -> None:
    bare, slashed = Doi.parse("10.1000/demo_DOI"), Doi.parse("10.1000/demo_DOI/")
    assert bare != slashed
    assert "trailing-slash" in {problem.code for problem in read(str(slashed)).problems}


@pytest.mark.clause("S13")
def test_one_suffix_under_two_prefixes_makes_two_names() -> None:
    assert Doi.parse("10.1000/demo_DOI") != Doi.parse("10.1001/demo_DOI")
    assert len({Doi.parse("10.1000/a"), Doi.parse("10.1001/a"), Doi.parse("10.1000/A")}) == 2


@pytest.mark.clause("P14")
@pytest.mark.parametrize("old", OLD)
def test_an_older_address_is_read_and_told_and_the_preferred_one_is_given(old: str) -> None:
    reading = read(f"{old}10.1000/182")
    assert str(reading.doi) == "10.1000/182"
    assert [problem.code for problem in reading.problems] == ["old-resolver"]
    assert reading.url == "https://doi.org/10.1000/182"


@pytest.mark.clause("P14")
def test_the_preferred_address_is_no_problem() -> None:
    assert read("https://doi.org/10.1000/182").problems == ()


@pytest.mark.clause("E3", "S2")
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("control", ["\x00", "\x07", "\x1b", "\x7f", "\x85", "%00", "%07", "%1B", "%7f", "%C2%85"])
def test_a_control_character_is_told_in_every_form_raw_or_encoded(form: str, control: str) -> None:
    name = f"10.1000{':' if form.startswith('urn') else '/'}a{control}b"
    reading = read(form.format(name))
    assert reading.doi is None
    assert "control-character" in {problem.code for problem in reading.problems}

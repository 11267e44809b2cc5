"""What is printed in the source documents as an example is read and written as it is printed there."""

import pytest

from doi_reading import CATALOGUE, Doi, encode, read


@pytest.mark.clause("S2", "S4", "S5", "S15", "E2")
@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("10.054/1418EC1N2LE", "https://doi.org/10.054/1418EC1N2LE"),
        (
            "10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-0",
            "https://doi.org/10.1002/(SICI)1097-4571(199806)49:8%3C693::AID-ASI4%3E3.0.CO;2-0",
        ),
        ("10.1001/PUBS.JAMA(278)3,JOC7055-ABST:", "https://doi.org/10.1001/PUBS.JAMA(278)3,JOC7055-ABST:"),
        ("10.1006/rwei.1999.0001", "https://doi.org/10.1006/rwei.1999.0001"),
    ],
)
def test_the_standard_s_own_examples_are_names(name: str, url: str) -> None:
    reading = read(name)
    assert str(reading.doi) == name
    assert not [problem for problem in reading.problems if problem.severity == "error"]
    assert encode(Doi.parse(name)) == url
    assert str(read(url).doi) == name


@pytest.mark.clause("S16", "S7")
def test_a_very_long_suffix_is_never_an_error() -> None:
    reading = read("10.1000/" + "x" * 4000)
    assert len(str(reading.doi)) == 4008
    assert not [problem for problem in reading.problems if problem.severity != "info"]


@pytest.mark.clause("E4")
def test_the_japanese_example_has_the_bytes_that_are_printed_there() -> None:
    assert encode("10.1000/\u65e5\u672c\u8a9e") == "https://doi.org/10.1000/%E6%97%A5%E6%9C%AC%E8%AA%9E"
    assert str(read("https://doi.org/10.1000/%e6%97%a5%e6%9c%ac%e8%aa%9e").doi) == "10.1000/\u65e5\u672c\u8a9e"


@pytest.mark.clause("E1", "E14")
def test_the_name_with_a_quote_is_linked_as_it_is_printed_there() -> None:
    name = '10.1006/rwei.1999".0001'
    assert encode(name) == "https://doi.org/10.1006/rwei.1999%22.0001"
    assert str(read("http://dx.doi.org/10.1006/rwei.1999%22.0001").doi) == name


@pytest.mark.clause("E3")
@pytest.mark.parametrize("text", ["https://doi.org/10.1000/a%09b", "10.1000/a%09b", "urn:doi:10.1000:a%09b"])
def test_a_tab_is_a_control_character(text: str) -> None:
    reading = read(text)
    assert reading.doi is None
    assert "control-character" in {problem.code for problem in reading.problems}


@pytest.mark.clause("P14", "U7")
def test_an_address_of_the_old_host_is_the_name_behind_the_label() -> None:
    assert read("http://dx.doi.org/10.123/456").doi == read("doi:10.123/456").doi == Doi.parse("10.123/456")


@pytest.mark.clause("S8", "S11", "U2")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("10.1000/a-b", "10.1000/a\u2212b"),  # minus sign
        ("10.1000/a-b", "10.1000/a\u2013b"),  # en dash
        ("10.1000/a\u2212b", "10.1000/a\u2013b"),
        ("10.1000/\u00e1", "10.1000/a\u0301"),  # composed and decomposed
    ],
)
def test_names_that_look_alike_differ_as_uris(one: str, other: str) -> None:
    assert Doi.parse(one) != Doi.parse(other)
    assert encode(one, "uri") != encode(other, "uri")
    assert encode(one, "uri").isascii()
    assert encode(other, "uri").isascii()


@pytest.mark.clause("E1", "E2")
@pytest.mark.parametrize(
    ("characters", "severity"), [('"# ?', "error"), ("<>{}^[]`|\\+", "warning")], ids=["mandatory", "recommended"]
)
def test_what_must_be_encoded_is_an_error_and_what_should_be_a_warning(characters: str, severity: str) -> None:
    for character in characters:
        codes = {problem.code for problem in read(f"https://doi.org/10.1000/a{character}b").problems}
        unescaped = {code for code in codes if code.startswith("unescaped-")}
        assert unescaped, character
        assert {CATALOGUE[code].severity for code in unescaped} == {severity}, character

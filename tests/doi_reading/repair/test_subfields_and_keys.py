"""What a catalogue record leaves behind a name, signs of the same key, and check characters that were lost."""

import pytest

from doi_reading import fold, read


def offered(text: str) -> list[str]:
    """The name, and the candidates, folded."""
    reading = read(text)
    return [fold(name) for name in (str(reading.doi or ""), *(one.doi for one in reading.candidates))]


@pytest.mark.parametrize(
    "text",
    [
        "10.1186/s12891-021-04571-4$2doi",
        "$uhttps://doi.org/10.1186/s12891-021-04571-4$zVolltext",
        "4950 https://doi.org/10.1186/s12891-021-04571-4$xR$3Volltext$534",
        "4085 =u https://doi.org/10.1186/s12891-021-04571-4=x R",
        "$$Uhttps://doi.org/10.1186/s12891-021-04571-4$$DFull text",
        "024 7_ {$a}10.1186/s12891-021-04571-4{$2}doi",
        "|a10.1186/s12891-021-04571-4|2doi",
        "\u2021a10.1186/s12891-021-04571-4\u20212doi",
        "\x1fa10.1186/s12891-021-04571-4\x1f2doi\x1e",
    ],
)
def test_the_subfields_of_a_catalogue_record_are_no_part_of_the_name(text: str) -> None:
    assert "10.1186/s12891-021-04571-4" in offered(text)[:3]


@pytest.mark.parametrize(
    "given", ["10.1000/a(1963)020$<$0130:DNF$>$2", r"10.1000/a(1963)020$\langle$0130:DNF$\rangle$2"]
)
def test_a_formula_of_tex_is_no_subfield(given: str) -> None:
    assert offered(given)[1] == "10.1000/a(1963)020<0130:dnf>2"


def test_footnote_marks_in_brackets_are_removed_but_not_the_brackets_of_a_sici() -> None:
    assert offered("10.1371/journal.pone.0012345[1][2].")[1] == "10.1371/journal.pone.0012345"
    assert "10.1890/1051-0761(2000)010" not in offered("10.1890/1051-0761(2000)010[0689:BICEGC]2.0.CO;2")


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("10.1136/bmjopen:2015:008737", "10.1136/bmjopen.2015.008737"),
        ("10.1023/A1009875226637", "10.1023/a:1009875226637"),
        ("10.1023/BACBI.0000046599.46389.ab", "10.1023/b:acbi.0000046599.46389.ab"),
        ("10.1051/0004-6361/20021234", "10.1051/0004-6361:20021234"),
        ("10.1051/0004-6361:201016241", "10.1051/0004-6361/201016241"),
        ("10.1051/0004-6361:200810544", "10.1051/0004-6361/200810544"),  # of 2008 and 2009 there are both
        ("10.1051/0004-6361/200810544", "10.1051/0004-6361:200810544"),
        (
            "10.1002/1097-0142(1950)3:132::AID-CNCR28200301063.0.CO:2-3",
            "10.1002/1097-0142(1950)3:1<32::aid-cncr2820030106>3.0.co;2-3",
        ),
        (
            "10.1002/(SICI)1097-0177(199912)216:4/5_499::AID-DVDY18_3.0.CO;2-S",
            "10.1002/(sici)1097-0177(199912)216:4/5<499::aid-dvdy18>3.0.co;2-s",
        ),
        (
            "10.1002/(SICI)1097-0258(19980815)17:15+-1661::AID-SIM968-3.0.CO 2-2",
            "10.1002/(sici)1097-0258(19980815)17:15+<1661::aid-sim968>3.0.co;2-2",
        ),
        (
            "10.1002/1097-0037(199905)33:3<189::AID-NET5>3.0.CO",
            "10.1002/1097-0037(199905)33:3<189::aid-net5>3.0.co;2-2",
        ),
        ("10.1182/blood2012-06-292078", "10.1182/blood-2012-06-292078"),
        ("__10.1162/tacl_a_00023__", "10.1162/tacl_a_00023"),
        ("10.1074/jbc.M111.\\penalty0{}247973", "10.1074/jbc.m111.247973"),
        ("10.1016/S0140-6736(09)61933", "10.1016/s0140-6736(09)61933-4"),
        ("10.1016/0042-6989(85)90207", "10.1016/0042-6989(85)90207-x"),
    ],
)
def test_the_name_that_was_meant_is_offered(given: str, meant: str) -> None:
    assert meant in offered(given)


def test_a_name_with_its_check_character_gets_no_second_one() -> None:
    sici = "10.1002/1097-0037(199905)33:3<189::aid-net5>3.0.co;2-2"
    assert offered(sici) == [sici]
    assert not any(";2-" in one for one in offered("10.1175/1520-0469(1963)020<0130:DNF>2.0.CO;2"))
    assert "10.1017/s003329171200150xx" not in offered("10.1017/S003329171200150X")
    assert offered("10.1016/S0140-6736(09)61933-4") == ["10.1016/s0140-6736(09)61933-4"]


def test_a_damaged_name_of_a_registrant_with_the_pattern_of_another_keeps_its_prefix_too() -> None:
    assert "10.1057/s41599-022-01095-7" in offered("_10.1057/s41599-022-01095-7_")


@pytest.mark.parametrize(
    "name", ["10.5555/x3.0.co-1", "10.5555/a3.0.CO", "10.5555/a:3.0.CO", "10.5555/x(2003)3.0.CO-2"]
)
def test_a_name_without_the_year_and_the_colon_of_a_sici_is_not_offered_the_end_of_one(name: str) -> None:
    assert not any(";2" in one for one in offered(name))

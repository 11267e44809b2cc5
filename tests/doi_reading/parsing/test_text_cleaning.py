"""What a program wrote into a name on its way: marks of quoted lines, escapes, commands of TeX, the end of a line."""

from collections.abc import Callable

import pytest

from doi_reading import read
from doi_reading.parsing.text_cleaning import LAYERS, Cleaned
from doi_reading.text.source_text import SourceText


@pytest.mark.parametrize(("given", "left", "remove"), LAYERS, ids=lambda value: getattr(value, "__name__", None))
def test_a_layer_is_removed_from_its_example(given: str, left: str, remove: Callable[[SourceText], Cleaned]) -> None:
    body, problems = remove(SourceText.of(given))
    assert body.text == left
    assert problems


def offered(text: str) -> list[str]:
    reading = read(text)
    return [str(reading.doi or ""), *(one.doi for one in reading.candidates)]


@pytest.mark.parametrize(
    "text",
    [
        "> https://doi.org/10.1136/gutjnl-2015-\n> 310752",
        ">> see 10.1136/gutjnl-2015-\n>> 310752\n>> and more",
        "https://doi.org/10.1136/gutjnl-2015-\n> 310752",
        "# doi: 10.1136/gutjnl-2015-\n# 310752",
        "// doi: 10.1136/gutjnl-2015-\r\n// 310752",
        "% doi: 10.1136/gutjnl-2015-\n% 310752",
        "https://doi.org/10.1136/gutjnl-20=\n15-310752 and more",
        "10.1136/gutjnl-2015-= \r\n310752",
        "doi: 10.1136/gut=\njnl-2015-=\n310752. Next",
        "10.1136/gutjnl-2015-310752.[3]",
        "10.1136/gutjnl-2015-\\allowbreak 310752",
        "10.1136/gutjnl\\linebreak[0]-2015-310752",
        "10.1136=2Fgutjnl-2015-310752",
        "10.1136\\u002Fgutjnl-2015-310752",
        "10.1136%u002Fgutjnl-2015-310752",
        "10.1136&#47gutjnl-2015-310752",
        "10.1136{\\slash}gutjnl-2015-310752",
        "10.1136?gutjnl-2015-310752",
        "004V $010.1136/gutjnl-2015-310752",
        "Gut 2015.10.1136/gutjnl-2015-310752",
        "pp. 234-241.10.1136/gutjnl-2015-310752",
    ],
)
def test_the_name_that_was_meant_is_read_or_offered(text: str) -> None:
    assert "10.1136/gutjnl-2015-310752" in offered(text)


@pytest.mark.parametrize(
    "text",
    [
        "https=3A=2F=2Fdoi.org=2F10.1136=2Fgutjnl-2015-310752",
        "see <https=3a=2f=2fdoi.org=2f10.1136=2fgutjnl-20=\n15-310752>, which",
        "https=3A=2F=2Fgut=2Ebmj=2Ecom=2Flookup=2Fdoi=2F10.1136=2Fgutjnl-2015-310752=3Futm_source=3Dmail",
        "10.1136=2Fgutjnl=2D2015=2D310752",
        "10.1136=2Fgutjnl-2015-310752=0D=0A",
        "=22https=3A=2F=2Fdoi.org=2F10.1136=2Fgutjnl-2015-310752=22",
        "=E2=80=9Chttps=3A=2F=2Fdoi.org=2F10.1136=2Fgutjnl-2015-310752=E2=80=9D",
        "$$a10.1136/gutjnl-2015-310752$$2doi",
    ],
)
def test_the_name_is_read_without_the_signs_of_an_email_or_a_record(text: str) -> None:
    assert str(read(text).doi) == "10.1136/gutjnl-2015-310752"


@pytest.mark.parametrize("name", ["10.1000/182=2F3", "10.1000/a=3D", "10.1000/x?q=2Fa"])
def test_a_name_keeps_what_looks_like_the_signs_of_an_email_behind_its_slash(name: str) -> None:
    assert str(read(name).doi) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("10.26321=2F=C3=81.GUTI=c3=89RREZ", "10.26321/Á.GUTIÉRREZ"),
        ("10.1000=2Fa=E4=B8=AD=E5=9B=BD", "10.1000/a中国"),
        ("10.26321=2F=C1.GUTI=C9RREZ", "10.26321/=C1.GUTI=C9RREZ"),
        ("10.1000=2Fa=C0=80=ED=A0=80", "10.1000/a=C0=80=ED=A0=80"),
    ],
)
def test_letters_in_the_source_of_an_email_are_decoded_if_they_are_utf_8(text: str, name: str) -> None:
    assert str(read(text).doi) == name


def test_every_sign_of_a_long_address_from_an_email_is_decoded() -> None:
    reading = read("10.1000=2F" + "a=2E" * 300 + "b")
    assert str(reading.doi) == "10.1000/" + "a." * 300 + "b"


def test_a_name_before_a_blank_line_is_not_said_to_be_joined() -> None:
    reasons = {one.doi: str(one.reason) for one in read("10.1136/gut= \n \nSee").candidates}
    assert "joined" not in reasons.get("10.1136/gut", "")


def test_a_sici_keeps_the_bracket_at_the_beginning_of_a_line() -> None:
    text = "10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968\n>3.0.CO;2-2"
    assert offered(text)[1] == text.replace("\n", "")


@pytest.mark.parametrize("text", ["* 10.1000/182\n* 2019", "> 10.1000/182\nA new line\n> 2019"])
def test_the_entry_of_a_list_and_the_answer_to_a_mail_do_not_go_on_in_the_next_line(text: str) -> None:
    assert offered(text)[0] == "10.1000/182"
    assert "10.1000/1822019" not in offered(text)


def test_the_query_of_a_link_resolver_is_no_quoted_printable_text() -> None:
    text = "rft_id=info:doi/10%2e1088%2f0029%2d5515%2f45%2f10a%2f001&rft.date=2005-10"
    assert "10.1088/0029-5515/45/10a/001" in offered(text)


@pytest.mark.parametrize(
    "text", ["12.10.2015/44-45", "12.10.2015/1234-56789", "section 3.12.10.1016/2-4", "192.168.10.1016/24"]
)
def test_a_date_and_the_number_of_a_section_hold_no_name(text: str) -> None:
    assert offered(text) == [""]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("https://doi.org/10. 1007/978-3-030-28954-6 9.", "10.1007/978-3-030-28954-6_9"),
        ("https://doi.org/10.1057/9780230236837 8.", "10.1057/9780230236837_8"),
        ('<a href="https://doi.org/10.1007/978-3-319-24574-4 28">U-Net</a>', "10.1007/978-3-319-24574-4_28"),
        ("pages 234-241, 2015.10.1007/978-3-319-24574-4 28.", "10.1007/978-3-319-24574-4_28"),
    ],
)
def test_a_chapter_s_number_is_offered_behind_an_underscore(text: str, name: str) -> None:
    assert name in offered(text)


def test_the_label_of_a_wiki_s_link_is_no_part_of_its_address() -> None:
    reading = read("[https://doi.org/10.2147/cia.s3177 paper]")
    assert str(reading.doi) == "10.2147/cia.s3177"
    assert {one.code for one in reading.problems} == {"surrounding-text"}
    divided = read("[https://doi.org/10.1016/j.cell. 2010.01.001]")
    assert divided.candidates[0].doi == "10.1016/j.cell.2010.01.001"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("arXiv:2204.05731v2 [stat.ML] 12 Apr 2022", "10.48550/arXiv.2204.05731"),
        ("arXiv%3A1701.05179", "10.48550/arXiv.1701.05179"),
        ("doi-10-1016-j-cell-2019-11-025", "10.1016/j.cell.2019.11.025"),
        ("https://example.org/data/doi-10-1016-j-cell-2019-11-025/", "10.1016/j.cell.2019.11.025"),
        ('<a href="https://doi.org/j.apsusc.2017.02.021">', "10.1016/j.apsusc.2017.02.021"),
    ],
)
def test_a_guess_is_made_for_a_stamp_of_arxiv_a_part_of_an_address_and_a_link(text: str, name: str) -> None:
    assert name in [one.doi for one in read(text).propose_late_candidates()]


@pytest.mark.parametrize(
    "text",
    [
        "10.5555/abc12\\penalty0 (2010)",
        "10.5555/abc12.\\pagebreak Next entry",
        "10.5555/abc12\\linebreak Smith, J. 2011",
        "10.5555/abc12\\hskip 1em plus 0.5em minus 0.4em\\relax",
    ],
)
def test_a_command_of_tex_behind_a_name_joins_nothing_to_it(text: str) -> None:
    assert not [name for name in offered(text)[:1] if name.startswith("10.5555/abc12") and name[13:].isalnum()]
    assert "10.5555/abc12" in offered(text)


def test_a_longer_number_of_a_character_is_no_slash() -> None:
    assert "10.1000/1abc" not in offered("10.1000&#471abc")
    assert "10.1000/abc" not in offered("10.1000&#x2fabc")

"""What file names, mails, exports and Chinese texts do to a name: with the right name registered, it is suggested."""

import pytest

from doi_reading import fold, read
from resolver.domain.handle.answers import MissingHandle, Resolution
from resolver.domain.report.judge import ProxyAnswers, judge
from resolver.domain.report.report import Report

CELL = "10.1371/journal.pone.0012345"
LETTERS = "10.7910/DVN/HGPNVV"
ODD = "10.60825/tr-116"
CHINESE = "10.3969/j.issn.1001-8360.2015.01.008"
SICI = "10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2"


def report(text: str, *registered: str) -> Report:
    """The verdict where only these names are registered, and not the one that is read."""
    reading = read(text)
    known = set(map(fold, registered))
    exists = {fold(one.doi): fold(one.doi) in known for one in reading.candidates}
    return judge(reading, ProxyAnswers(Resolution(MissingHandle()), exists=exists))


def suggested(text: str, *registered: str) -> str:
    found = report(text, *registered).suggestion
    return found.doi if found and not found.doubtful else ""


@pytest.mark.parametrize("host", ["urldefense.com", "urldefense.us", "urldefense.proofpoint.com"])
@pytest.mark.parametrize(
    ("inner", "meant"),
    [
        ("https://doi.org/10.1002/cne.90196*abstract__;Iw!!AbCdEf!x_Y-z$", "10.1002/cne.90196"),
        (
            "https://doi.org/10.1002/(SICI)1097-0258(19980815/30)17:15/16*3C1661::AID-SIM968*3E3.0.CO;2-2__;JSU!!K!g$",
            SICI,
        ),
        ("https://doi.org/10.1000/**A.5__;YWI!!x!y$", "10.1000/ab.5"),  # two stars and a sign: a run of characters
        ("https:/doi.org/10.1000/182*5__;Xw!!x!y$", "10.1000/182_5"),
        ("https:/*doi.org/10.1000/182__;Lw!!x!y$", "10.1000/182"),
        ("https://doi.org/10.26321/*.GUTI__;w4E!!x!y$", "10.26321/Á.GUTI"),
        ("https://doi.org/10.1000/1*2__;!!x!y$", "10.1000/1*2"),  # a star without a character stays
        ("https://doi.org/10.1000/1*2__;_w!!x!y$", "10.1000/1*2"),  # as it does if the characters can't be read
        ("10.1000/182__;!!x!y$", "10.1000/182"),
    ],
)
def test_the_characters_that_url_defense_replaced_are_put_back(host: str, inner: str, meant: str) -> None:
    assert str(read(f"https://{host}/v3/__{inner}").doi) == meant


@pytest.mark.parametrize("sign", ["@", "=", "~", "+", "#", "%", "$", "__", "--"])
@pytest.mark.parametrize("end", ["", ".pdf", " (1).pdf"])
def test_a_sign_for_the_slash_in_a_file_name_is_read(sign: str, end: str) -> None:
    assert suggested(CELL.replace("/", sign) + end, CELL) == CELL


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("C:\\papers\\10.1371@journal.pone.0012345.pdf", CELL),
        ("https://doi.org/10.1371@journal.pone.0012345", CELL),
        ("10.7910@DVN@HGPNVV.pdf", LETTERS),
        ("10.1093=nar=gkz123.pdf", "10.1093/nar/gkz123"),
        ("10.60825@tr-116.pdf", ODD),  # nobody knows this registrant
        ("10.60825__tr-116", ODD),
    ],
)
def test_so_it_is_in_paths_addresses_and_for_other_slashes(text: str, meant: str) -> None:
    assert suggested(text, meant) == meant


@pytest.mark.parametrize("text", ["10.1016@example.org", "10.60825-1.2", "tr 10.60825@tr-116 tr"])
def test_an_email_address_or_a_number_is_no_file_name(text: str) -> None:
    assert [one.doi for one in read(text).candidates] == []


@pytest.mark.parametrize("end", ["%20", "%0A", "%C2%A0", "%20%20", "%7C", "%22", "%3E", "%2C", "%20.", ".pdf"])
def test_a_leftover_behind_a_suffix_without_a_digit_is_left_out_of_a_link(end: str) -> None:
    assert suggested(f"https://doi.org/{LETTERS}{end}", LETTERS) == LETTERS


@pytest.mark.parametrize("end", [".pdf", ".PDF", ".html", ".docx", "|", "||", "¦", ".xml|"])
def test_a_leftover_behind_a_suffix_without_a_digit_is_left_out_and_named(end: str) -> None:
    text = LETTERS + end
    assert suggested(text, LETTERS) == LETTERS
    assert report(text, LETTERS).problems


@pytest.mark.parametrize("pair", ["{}", "()", "[]", "<>", "{}.", "{{}}", "[](){}", '""'])
def test_brackets_with_nothing_between_them_are_left_out(pair: str) -> None:
    assert suggested(ODD + pair, ODD) == ODD


@pytest.mark.parametrize("pair", ["%7B%7D", "%7b%7d", "%5B%5D", "%28%29"])
def test_in_a_link_they_are_left_out_and_named_too(pair: str) -> None:
    text = f"https://doi.org/{ODD}{pair}"
    assert suggested(text, ODD) == ODD
    assert [(one.code, text[one.start : one.end]) for one in report(text, ODD).problems] == [("leftover", pair)]


@pytest.mark.parametrize(
    "tail",
    [
        "文章编号：1001-8360",
        "中图分类号：TP391",
        "文献标志码:A",
        "中图分类号:TP391.4文献标识码:A",
        "文章编号：1001-8360（2015）01-0045-07",
        "收稿日期2019-01-02",
        "(文章编号1001)",
        "論文番号12",
        "キーワード:AI2",
        "저자Kim2",
        "УДК004.93",
    ],
)
@pytest.mark.parametrize("before", ["", "DOI:", "https://doi.org/"])
def test_text_of_another_script_with_latin_or_digits_behind_it_has_run_on(before: str, tail: str) -> None:
    text = before + CHINESE + tail
    assert suggested(text, CHINESE) == CHINESE
    assert ("leftover", tail) in [(one.code, text[one.start : one.end]) for one in report(text, CHINESE).problems]


def test_one_letter_of_another_script_is_a_look_alike_and_no_text() -> None:
    assert suggested("10.1016/j.сell.2010.01.001", "10.1016/j.cell.2010.01.001") == "10.1016/j.cell.2010.01.001"

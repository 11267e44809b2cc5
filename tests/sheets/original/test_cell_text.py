"""What a cell becomes: the DOI changes, and nothing of the user's is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doi_reading import LONGEST_TEXT, encode, read, read_all
from resolver.sheets.left_out import NotWritable
from resolver.sheets.original.cell_text import build_cell_text

NAME = "10.1000/182"
LINK = "https://doi.org/10.1000/182"
SICI = "10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2"
HANDLE = "http://hdl.handle.net/123/456"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # the DOI, in whatever form: the plain name
        ("10.1000/182", NAME),
        ("10.1000/181", NAME),
        ("doi:10.1000/182", NAME),
        ("DOI: 10.1000/182", NAME),
        ("DOI 10.1000/182", NAME),
        ("10.1000/182 [doi]", NAME),
        ("10.1000%2F182", NAME),
        ("\u00a010.1000/182\u200b", NAME),
        (" 10.1000/182 ", NAME),
        ("10.1000/182.", NAME),
        ("10.1000/182,", NAME),
        ("(10.1000/182)", NAME),
        ("“10.1000/182”", NAME),
        ("1O.1000/182", NAME),
        ("10.1000 /182", NAME),
        ("10.1000/ 182", NAME),
        ("10.1000/182;jsessionid=12", NAME),
        ("10.1000/182 10.1000/182", NAME),
        ("10/abcde", NAME),
        ("info:doi/10.1000/182", NAME),
        ("urn:doi:10.1000:182", NAME),
        # a link: a link to the DOI
        ("https://doi.org/10.1000/182", LINK),
        ("HTTPS://DX.DOI.ORG/10.1000/182", LINK),
        ("http//dx.doi.org/10.1000/182", LINK),
        ("doi.org/10.1000/182", LINK),
        ("DOI: https://doi.org/10.1000/182", LINK),
        ("<https://doi.org/10.1000/182>", LINK),
        ("https://doi.org/ 10.1000/182", LINK),
        ("https://doi.org/https://doi.org/10.1000/182", LINK),
        ("https://doi-org.ezproxy.lib.example.edu/10.1000/182", LINK),
        ("https://login.example.edu/login?url=https://doi.org/10.1000/182", LINK),
        ("https://doi.org/10.1000/182?utm_source=mail&utm_medium=x", LINK),
        ("https://doi.org/10.1000/182/pdf", LINK),
        ("https://doi.org/abcde", LINK),
        # no DOI, decided by a person
        ("", NAME),
        (" ", NAME),
        ("n/a", NAME),
        ("not registered yet", NAME),
        ("-", NAME),
        ("?", NAME),
        ("DOI: unknown", NAME),
        ("10,1000/182", NAME),
        ("10 1000/182", NAME),
        ("10.1000-b", NAME),
        ("https://doi.org/", LINK),
        # text beside the DOI
        ("Smith 2019, doi:10.1000/181, accessed", "Smith 2019, doi:10.1000/182, accessed"),
        ("10.1000/181 (2019)", "10.1000/182 (2019)"),
        ("see https://dx.doi.org/10.1000/181.", "see https://doi.org/10.1000/182."),
        ("pmid:123;doi:10.1000/181", "pmid:123;doi:10.1000/182"),
        ("1) 10.1000/181", "1) 10.1000/182"),
        ("10.1000/181 *", "10.1000/182 *"),
        ("10.1000/181 ✓", "10.1000/182 ✓"),
        ("10.1000/181 (10.12.2019)", "10.1000/182 (10.12.2019)"),
        ("10.1000/182, Nature 1", "10.1000/182, Nature 1"),
        ("https://doi.org/10.1000/181 http://x.org/files/10.12.pdf", f"{LINK} http://x.org/files/10.12.pdf"),
        ("https://doi.org/10.1000/181 https://example.org/2", "https://doi.org/10.1000/182 https://example.org/2"),
    ],
)
def test_the_doi_is_written_in_place_of_the_text_that_was_read(text: str, expected: str):
    assert build_cell_text(text, [(text, NAME)], is_split=False) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (SICI, SICI),
        (SICI.replace("<", "&lt;").replace(">", "&gt;"), SICI),
        ("10.1002/ " + SICI[8:], SICI),
        ("https://doi.org/" + SICI, encode(SICI)),
        (f"see {SICI.replace('17:', '71:')} there", f"see {SICI} there"),
    ],
)
def test_a_name_with_signs_is_plain_in_a_text_and_encoded_in_a_link(text: str, expected: str):
    assert build_cell_text(text, [(text, SICI)], is_split=False) == expected


@pytest.mark.parametrize(
    "text",
    [
        "https://doi.org/10.1000/182#789",
        "https://doi.org/10.1000/182?x=1",
        "see https://doi.org/10.1000/182#789 there",
        "10.1000/182; see 10.1000/183",
        "10.1000/182||10.1000/183",
        '<a href="https://doi.org/10.1000/182">10.1000/182</a>',
        "see https://login.example.edu/login?url=https://doi.org/10.1000/182 there",
        "Smith 10.1000/1 82",
        "10.1000/1 82 Smith",
        "The 10.1000 something",
        "https://doi.org/10.1000/182;https://example.org/2",
        HANDLE,
        "http://hdl.handle.net/10.20.1/5",
        "hdl:20.500.12345/1",
        "https://onlinelibrary.example.com/doi/full/10.1000/182",
        "https://publisher.example.com/doi/10.1000/182?page=3#sec",
        "https://login.example.edu/login?url=https://onlinelibrary.example.com/doi/10.1000/182",
        "https://www.example.org/article/5",
        "https://doi.org/api/handles/10.1000/182",
        "https://doi.org/10.1000/182?utm_source=x&page=5",
        "https://doi.org/10.1000/182?nosfx=y#page=5",
        "https://doi.org/10.1000/182?182",
        "https://doi-org.ezproxy.lib.example.edu/10.1000/182?page=5",
        "https://login.example.edu/login?url=https://doi.org/10.1000/182%23page=5",
        "10.1000/182 https://publisher.example.com/doi/pdf/10.1000/182",
        "10.1000/182(Smith 2019)",
        "10.1000/182;Smith",
        "10.1000/182 5",
        "Smith (2020) A long title. Journal 5(2), 3-9.",
        "ISBN 978-3-16-148410-0",
        "PMID: 31178118",
        "isbn 123||n/a",
        "n/a||n/a",
        f"https://repo.example.edu/1||{HANDLE}",
        "10.1000/" + "9" * LONGEST_TEXT,
    ],
)
def test_a_text_stays_if_something_would_be_lost(text: str):
    with pytest.raises(NotWritable):
        build_cell_text(text, [(text, NAME)], is_split=False)


def test_a_name_that_would_be_read_differently_is_not_written():
    with pytest.raises(NotWritable):
        build_cell_text("10.1000/a", [("10.1000/a", "10.1000/a,10.1000/b")], is_split=False)


@pytest.mark.parametrize(
    ("text", "parts", "expected"),
    [
        ("10.1000/a; 10.1000/b", ["10.1000/b"], "10.1000/a; 10.1000/182"),
        ("10.1000/a,10.1000/b", ["10.1000/a"], "10.1000/182,10.1000/b"),
        ("10.1000/a 10.1000/b", ["10.1000/a"], "10.1000/182 10.1000/b"),
        ("10.1000/a\n10.1000/b\n", ["10.1000/b"], "10.1000/a\n10.1000/182\n"),
        ("10.1000/a | doi:10.1000/b", ["doi:10.1000/b"], "10.1000/a | 10.1000/182"),
        ("10.1000/a; https://doi.org/10.1000/b", ["https://doi.org/10.1000/b"], f"10.1000/a; {LINK}"),
        ("10.1000/a; 10.1000/b; 10.1000/a", ["10.1000/a"], "10.1000/182; 10.1000/b; 10.1000/182"),
        ("10.1000/ab; 10.1000/a", ["10.1000/a"], "10.1000/ab; 10.1000/182"),
        ("see 10.1000/a and 10.1000/b", ["see 10.1000/a"], "see 10.1000/182 and 10.1000/b"),
        (f"{HANDLE}||10.1000/b", ["10.1000/b"], f"{HANDLE}||10.1000/182"),
        (f"10.1000/b||{HANDLE}", ["10.1000/b"], f"10.1000/182||{HANDLE}"),
        (
            f"10.1000/a||10.1000/b (Part 182)||{HANDLE}",
            ["10.1000/b (Part 182)"],
            f"10.1000/a||10.1000/182 (Part 182)||{HANDLE}",
        ),
        (f"{HANDLE}||1O.1000/b||x", ["1O.1000/b"], f"{HANDLE}||10.1000/182||x"),
        ("10.1000/a||https://doi.org/https://doi.org/10.1000/b", ["10.1000/b"], f"10.1000/a||{LINK}"),
        ("10.1000/181", ["10.1000/181"], NAME),
        ("", [""], NAME),
    ],
)
def test_only_the_parts_with_accepted_names_change(text: str, parts: list[str], expected: str):
    assert build_cell_text(text, [(part, NAME) for part in parts], is_split=True) == expected


def test_each_part_gets_its_own_name():
    names = [("10.1000/a", "10.1000/x"), ("10.1000/b", "10.1000/y")]
    assert build_cell_text("10.1000/a;10.1000/b", names, is_split=True) == "10.1000/x;10.1000/y"


def test_a_name_for_a_part_that_the_cell_does_not_have_is_not_written():
    with pytest.raises(NotWritable):
        build_cell_text("10.1000/a; 10.1000/b", [("10.1000/c", NAME)], is_split=True)


@pytest.mark.parametrize("text", ["isbn 123||n/a", "n/a||n/a", f"https://repo.example.edu/1||{HANDLE}", "PMID: 3117"])
def test_a_split_cell_without_a_doi_is_not_replaced(text: str):
    with pytest.raises(NotWritable):
        build_cell_text(text, [(text, NAME)], is_split=True)


CELL = "10.1016/j.cell.2019.05.031"


@given(
    st.lists(st.sampled_from(["Cell", "2019", "10.12.2019", "(2019)", "cell.2019", "031", "*", "J."]), max_size=3),
    st.sampled_from([CELL, "10.1016/j.cell.2019.05.030", f"https://doi.org/{CELL}", f"doi:{CELL}"]),
    st.lists(st.sampled_from(["Cell", "2019", "10.12.2019", "(2019)", ".05", "31", "✓", "j.cell"]), max_size=3),
)
def test_each_word_beside_the_doi_is_still_there(before: list[str], doi: str, after: list[str]):
    text = " ".join([*before, doi, *after])
    try:
        words = build_cell_text(text, [(text, CELL)], is_split=False).split()
    except NotWritable:
        return
    assert words[: len(before)] == before
    assert words[len(before) + 1 :] == after


_PIECES = st.sampled_from(
    ["10.1000/182", "https://doi.org/", "doi:", " ", ";", "||", "|", ",", ".", "(", ")", "<", ">", "\n", "x", "#",
     "?a=1", "%2F", "10.1000/a", HANDLE, "\u00a0", "\ud800", '"', "1O.1000/b"]
)  # fmt: skip


@given(st.lists(_PIECES, max_size=8).map("".join), st.booleans())
def test_a_new_text_means_the_accepted_name(text: str, is_split: bool):
    readings = read_all(text) if is_split else [read(text)]
    try:
        new = build_cell_text(text, [(readings[-1].input, NAME)], is_split=is_split)
    except NotWritable:
        return
    after = read_all(new) if is_split else [read(new)]
    assert NAME in [str(each.doi) for each in after]
    assert len(after) <= len(readings)


@pytest.mark.parametrize(
    "text",
    [
        "10.1000/182; 10.1000/183",
        "10.1000/183,10.1000/182",
        "https://doi.org/10.1000/183 https://doi.org/10.1000/182",
        "10.1000/182 and doi:10.1000/183",
        "10.1000/182\n10.1000/183",
        "10.1175/1520-0442(2002)015<1609:AIISAS>2.0.CO;2; 10.1000/182",
    ],
)
def test_of_a_cell_with_nothing_but_dois_the_chosen_one_stays(text: str):
    new = build_cell_text(text, [(text, "10.1000/182")], is_split=False)
    assert new.removeprefix("https://doi.org/") == "10.1000/182"

"""How a text goes on after a name: behind markup, a line break, an ellipsis, a subscript or a cut sign."""

import pytest

from doi_reading import read
from doi_reading.parsing.continuation import FollowingText
from tests.doi_reading.corpus import offered

BOOKS = [
    ("10.1007/978-3-031-33333-4", "_12"),
    ("10.1017/9781108123456", ".012"),
    ("10.4324/9781003123456", "-12"),
    ("10.1093/oso/9780198123456", ".003.0012"),
    ("10.1002/9781118123456", ".ch12"),
    ("10.7717/peerj.4375", "/fig-1"),
    ("10.5040/9781350123456", ".ch-012"),
    ("10.1021/acs.jcim.7b00123", "_supp_table-2"),
    ("10.1163/9789004648708", "_A"),
]
DIVIDED = [
    "{0}<br />\n{1}",
    "{0}<br>{1}",
    "{0}</span>{1}",
    "{0}</p>\n<p>{1}</p>",
    '<a href="https://doi.org/{0}">{0}</a>{1}',
    "{0}&lt;br /&gt;{1}",
    "{0}<!-- page -->{1}",
    "{0}\u2028{1}",
    "{0};{1}",
    "see {0} | {1}",
    "{0}<?page 3?>{1}",
    r"{0}\newline {1}",
    "{0}%0A{1}",
    "{0}[br]{1}",
    "({0})<br>{1}",
]


@pytest.mark.parametrize(("book", "rest"), BOOKS)
@pytest.mark.parametrize("text", DIVIDED)
def test_what_follows_the_name_is_tried_as_a_part_of_it(text: str, book: str, rest: str) -> None:
    given = text.format(book, rest)
    found = FollowingText(given).find_continuation(book)
    assert found is not None
    assert found.names == (book + rest,)
    assert book + rest in offered(given)


@pytest.mark.parametrize("rest", ["/part-ii", ".appendix", "-suppl", "/chapter/3", ".ch-iv"])
def test_a_part_without_a_number_is_tried_behind_markup(rest: str) -> None:
    reading = read(f"10.7717/peerj.4375<br />\n{rest}")
    assert reading.candidates[0].doi == f"10.7717/peerj.4375{rest}"
    assert "inner-space" in [one.code for one in reading.problems]


@pytest.mark.parametrize("rest", [".Smith", "/full", "-published", " appendix"])
def test_a_word_that_names_no_part_is_other_text_behind_markup(rest: str) -> None:
    assert FollowingText(f"10.7717/peerj.4375<br />\n{rest}").find_continuation("10.7717/peerj.4375") is None


@pytest.mark.parametrize("text", DIVIDED)
def test_the_whole_name_is_offered_before_its_part(text: str) -> None:
    book = "10.1007/978-3-031-33333-4"
    reading = read(text.format(book, "_12"))
    names = [str(reading.doi), *(one.doi for one in reading.candidates)]
    assert f"{book}_12" in names
    assert book not in names[1 : names.index(f"{book}_12")]


@pytest.mark.parametrize(
    "low",
    [
        "<sub>12</sub>",
        "<sub>12",
        "&lt;sub&gt;12&lt;/sub&gt;",
        "\u2081\u2082",
        "\\textsubscript{12}",
        "[sub]12[/sub]",
        "<sub> 12 </sub>",
        "~12~",
    ],
)
def test_a_lowered_number_is_tried_behind_an_underscore(low: str) -> None:
    found = FollowingText(f"10.1007/978-3-031-33333-4{low}").find_continuation("10.1007/978-3-031-33333-4")
    assert found is not None
    assert found.names == ("10.1007/978-3-031-33333-4_12",)


@pytest.mark.parametrize(
    "end", ["_", "-", "_.", "-)", "__", "_<br />", "-</span>", "%5F", "\\_", "\u2010", "\u2013", "_\u2026"]
)
def test_a_sign_at_the_end_cuts_the_name(end: str) -> None:
    found = FollowingText(f"10.1017/9781108123456{end}").find_continuation("10.1017/9781108123456")
    assert found is not None
    assert found.cut


@pytest.mark.parametrize("dots", ["...", "\u2026", "&hellip;"])
def test_an_ellipsis_cuts_the_name_and_what_follows_is_tried(dots: str) -> None:
    found = FollowingText(f"10.1007/978-3-031-33333-4{dots}_12").find_continuation("10.1007/978-3-031-33333-4")
    assert found is not None
    assert (found.cut, found.names) == (True, ("10.1007/978-3-031-33333-4_12",))


@pytest.mark.parametrize(
    "after",
    [
        "",
        ".",
        ")",
        "<sup>12</sup>",
        "<sup>[12]</sup>.",
        '<sup id="cite_ref-1"><a href="#n">[1]</a></sup>',
        "&lt;sup&gt;12&lt;/sup&gt;",
        "\u00b9\u00b2",
        "<br />",
        "<br />\nSpringer, 2021",
        "</span> Volltext",
        " ch. 12",
        " p. 12",
        ", p. 12",
        "</doi><year>2019</year>",
        "</td><td>2019</td>",
        "-->",
        "..........34362(2001)",
        " \u2026 and more",
        "?_ga=2.12.13",
        ". Springer 2021",
        "; https://example.org/a_12",
        "; 10.1007/978-3-031-33334-1_12",
    ],
)
def test_a_name_is_whole_before_a_footnote_mark_and_other_text(after: str) -> None:
    assert FollowingText(f"10.1007/978-3-031-33333-4{after}").find_continuation("10.1007/978-3-031-33333-4") is None


@pytest.mark.parametrize(
    "text", ["_10.1017/9781108123456_", "see __10.1017/9781108123456__", "_https://doi.org/10.1017/9781108123456_"]
)
def test_underscores_around_a_name_are_markdown(text: str) -> None:
    assert FollowingText(text).find_continuation("10.1017/9781108123456") is None


def test_a_name_of_fixed_length_without_parts_is_whole_whatever_follows() -> None:
    name = "10.1016/j.cell.2010.01.001"
    assert FollowingText(f"{name}<br>_12 {name}-").find_continuation(name) is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("10.1007/978\u20133\u2013031\u201333333\u20134<br>_12", "10.1007/978-3-031-33333-4"),
        ("10.1007/978-3-031- 33333-4<br>_12", "10.1007/978-3-031-33333-4"),
        ("10.1007%2F978-3-031-33333-4%3Cbr%3E_12", "10.1007/978-3-031-33333-4"),
        ("HTTPS://DOI.ORG/10.60001/ABC12<BR>-3", "10.60001/abc12"),
    ],
)
def test_a_name_is_found_again_whatever_signs_divide_it(text: str, name: str) -> None:
    found = FollowingText(text).find_continuation(name)
    assert found is not None
    assert found.names[0].startswith(name)


def test_a_tail_of_signs_belongs_to_the_name() -> None:
    name = "10.1002/1531-8249(200010)48:4<671::AID-ANA17>3.3.CO;2-#"
    assert FollowingText(name).find_continuation(name) is None
    assert FollowingText(name.replace("#", "\\#")).find_continuation(name) is None


@pytest.mark.parametrize(
    "text",
    [
        "10.1163/9789004648708<i></i>_028",
        "10.1163/9789004648708[...]_028",
        "10.1163/9789004648708\u200b _028",
        "https://doi.org/10.1163/9789004648708%20_028",
    ],
)
def test_the_part_before_what_divides_a_name_is_a_doubtful_candidate(text: str) -> None:
    assert [one.doi for one in read(text).candidates if one.doubtful] == ["10.1163/9789004648708"]


@pytest.mark.parametrize("text", ["10.1038/nature 12373", "10.1163/9789004648708\u200b_028"])
def test_neither_a_journal_nor_an_undivided_name_has_such_a_part(text: str) -> None:
    assert not any(one.doubtful for one in read(text).candidates)


def test_encoded_white_space_is_closed_before_a_name_and_within_it() -> None:
    assert offered("http://dx.doi.org/%2010.1002/jcc.25520") == ["10.1002/jcc.25520"]
    assert offered("https://doi.org/10.1177/nar-%2026148")[1:] == ["10.1177/nar-26148", "10.1177/nar26148"]


def test_two_numbers_are_not_joined_into_one() -> None:
    for text in ("10.2307/15633<br>25", "10.2307/15633<sub>25</sub>"):
        found = FollowingText(text).find_continuation("10.2307/15633")
        assert found is not None
        assert "10.2307/1563325" not in found.names


@pytest.mark.parametrize(
    "text",
    [
        "10.1000/182" + "<br>" * 2_400 + "_1",
        "10.1000/182 " * 830,
        "10.1000/182" + "<sup>" * 1_900,
        "10.1000/182" + "_" * 9_900,
        "<" * 9_900 + "10.1000/182",
        "10.1000/182<sub>" + "a" * 9_900,
        "10.1000/182" + "\\n" * 4_900,
        "10.1000/182" + ";-" * 4_900 + "1",
    ],
)
def test_a_long_text_is_searched_in_linear_time(text: str) -> None:
    for _ in range(3):
        FollowingText(text[:10_000]).find_continuation("10.1000/182")


@pytest.mark.parametrize(
    "text", ["http://dx.doi.org/10.1000/182?%ED%A0%80", "10.1000/a; Epub%C3%28“", "10.1000/a\r\n%C3%28ﬃ"]
)
def test_a_rest_whose_bytes_are_no_text_is_no_name_to_look_for(text: str, caplog: pytest.LogCaptureFixture) -> None:
    names = [one.doi for one in read(text).candidates]
    assert caplog.text == ""
    assert len(names) == len(set(names))

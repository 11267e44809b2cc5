"""The page that shows how a name is encoded, character by character."""

import re
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client

from resolver.models import Lookup
from resolver.standin.server import SampleProxyServer
from tests.web.conftest import Look, html_of, text_of

HOSTILE = "10.1000/<b>\"é\u00a0b'&amp;"


@pytest.fixture
def encode(visitor: Client) -> Look:
    return lambda name: visitor.get("/encode", {"name": name})


def test_the_empty_page_has_examples_to_click(visitor: Client):
    page = visitor.get("/encode")
    assert page.status_code == 200
    assert 'id="errors-title"' not in html_of(page)
    for link in re.findall(r'class="name" href="([^"]*)"', html_of(page)):
        assert "How each character is encoded" in text_of(visitor.get("/encode" + link))


@pytest.mark.clause("E1", "E4", "E6", "E17", "U2", "N4", "R2")
def test_each_character_tells_what_becomes_of_it_and_why(encode: Look):
    said = text_of(encode("10.1000/é#a,b/c"))
    assert "é U+00E9 latin small letter e with acute %C3%A9 %C3%A9 %C3%A9 %C3%A9 not ASCII" in said
    assert "# U+0023 number sign %23 %23 %23 %23 always encoded E1, U2, N4" in said
    assert ", U+002C comma unchanged unchanged unchanged %2C separates names in a Which RA list E6" in said
    assert "/ U+002F slash unchanged %2F %2F unchanged a slash in the suffix: only a URL keeps it U2, N2" in said
    assert "10.1000 unchanged" in said
    for form in (
        "https://doi.org/10.1000/%C3%A9%23a,b/c", "doi:10.1000/%C3%A9%23a,b%2Fc",
        "urn:doi:10.1000:%C3%A9%23a,b%2Fc", "10.1000/%C3%A9%23a%2Cb/c",
    ):  # fmt: skip
        assert form in said


@pytest.mark.clause("E5")
def test_a_slash_that_browsers_would_fold_away_says_so(encode: Look):
    assert "browsers would remove it beside . or .. E5" in text_of(encode("10.1000/a/../b"))


def test_spaces_and_marks_can_be_seen(encode: Look):
    said = text_of(encode("10.1000/a b\u00a0ce\u0301"))
    assert "␣ U+0020 space %20" in said
    assert "U+00A0 U+00A0 no-break space %C2%A0" in said
    assert "◌\u0301 U+0301 combining acute accent %CC%81" in said


def test_a_name_is_taken_as_it_is_typed_and_the_other_reading_is_a_click_away(encode: Look):
    page = encode("10.1000/a%20b")
    assert "https://doi.org/10.1000/a%2520b" in text_of(page)
    assert "If you look it up, we read it as 10.1000/a b." in text_of(page)
    assert 'href="?name=10.1000%2Fa%20b"' in html_of(page)


@pytest.mark.clause("E7")
def test_of_a_link_the_name_is_taken_and_told(encode: Look):
    said = text_of(encode("https://doi.org/10.1000/456#789"))
    assert "You entered a DOI link. We used the DOI name in it: 10.1000/456" in said
    assert "Did you mean 10.1000/456#789?" in said


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("10.1000/", "This is only a prefix"),
        ("10.1000/a\u202eb", "right-to-left override"),
        ("words", "contains no DOI"),
    ],
)
def test_what_is_no_name_is_an_error_that_shows_where_it_is(encode: Look, text: str, wrong: str):
    page = encode(text)
    assert page.status_code == 422
    assert "<title>Error: " in html_of(page)
    assert wrong in text_of(page)
    assert '<mark class="error">' in html_of(page)
    assert 'href="#id_name"' in html_of(page)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "Enter a DOI name."),
        ("  ", "Enter a DOI name."),
        ("x" * 2001, "longer"),
        ("10.1/" + "😀" * 660, "too long for this page"),
    ],
)
def test_nothing_and_too_much_are_told(encode: Look, text: str, told: str):
    page = encode(text)
    assert page.status_code == 422
    assert text_of(page).count(told) == 2


@pytest.mark.parametrize("name", ["10.1000/" + "ab<" * 664, "10.1000/" + "😀" * 320, "10.1000/" + "x" * 1992])
def test_a_long_name_is_bounded_in_the_table_and_whole_in_its_forms(encode: Look, name: str):
    page = encode(name)
    assert quote(name[-4:], safe="") in html_of(page)
    assert html_of(page).count("<tr>") <= 61
    assert len(page.content) < 100_000
    assert ("in this table. " in text_of(page)) is ("x" not in name)


def test_a_hostile_name_is_shown_and_never_run(encode: Look):
    page = encode(HOSTILE)
    assert page.status_code == 200
    assert HOSTILE.replace("\u00a0", "U+00A0") in text_of(page)
    assert "<b>" not in html_of(page)


def test_nobody_is_asked_and_nothing_is_stored(
    encode: Look, standin: SampleProxyServer, django_assert_num_queries: Any
):
    standin.reset()
    with django_assert_num_queries(0):
        encode("10.1000/182")
    assert standin.requests == []
    assert not Lookup.objects.exists()

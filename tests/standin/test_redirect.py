"""The redirecting proxy and its pages."""

import pytest

from resolver.domain.handle.answers import NoValues
from resolver.domain.redirect.resolve_results import ShownValues
from resolver.standin import html_pages
from resolver.standin.endpoints import answer_request
from resolver.standin.records import load_sample_records
from resolver.standin.sample_answers import SLOW_ANSWER_SECONDS, SampleAnswers
from tests.standin.conftest import Caller


@pytest.mark.clause("P1")
def test_a_name_is_redirected_to_its_url(get: Caller) -> None:
    got = get("/10.1000/182")
    assert (got.status, got.headers["location"], got.headers["vary"]) == (302, "http://www.doi.org/hb.html", "Accept")
    assert got.text == (
        "<html><head><title>Handle Redirect</title></head>\n"
        '<body><a href="http://www.doi.org/hb.html">http://www.doi.org/hb.html</a></body></html>'
    )


@pytest.mark.clause("N1", "N2", "N3")
@pytest.mark.parametrize(
    "path",
    [
        "10.5555/a/b:c",
        "10.5555%2Fa%2Fb%3Ac",
        "doi:10.5555/a/b:c",
        "DOI:10.5555/a%2Fb:c",
        "urn:doi:10.5555:a%2Fb:c",
        "urn:doi:10.5555/a%2Fb:c",
        "info:doi/10.5555/a/b:c",
    ],
)
def test_every_spelling_reaches_the_same_name(get: Caller, path: str) -> None:
    assert get(f"/{path}").headers["location"] == "https://example.org/landing/a%2Fb%3Ac"


@pytest.mark.clause("P2")
def test_of_several_urls_the_first_is_taken(get: Caller) -> None:
    assert get("/10.5555/two").headers["location"] == "https://example.org/landing/two"
    assert get("/10.5555/two?index=2").headers["location"] == "https://example.org/landing/two?copy=2"


@pytest.mark.clause("P3", "P11", "L3")
def test_a_location_decides_before_the_url(get: Caller) -> None:
    assert get("/10.1525/bio.2009.59.5.9").headers["location"].startswith("http://mr.crossref.org/")
    chosen = get("/10.1525/bio.2009.59.5.9?locatt=id:2").headers["location"]
    assert chosen == "http://www.bioone.org/doi/full/10.1525/bio.2009.59.5.9"
    assert get("/10.1126/science.169.3946.635").headers["location"].startswith("http://www.sciencemag.org/")
    assert get("/10.1525/bio.2009.59.5.9?action=showurls").text.count("<location ") == 2


@pytest.mark.clause("P7", "S12")
def test_aliases_and_short_dois_are_followed(get: Caller) -> None:
    def follow(path: str) -> str:
        main = get(path)
        assert main.status == 301
        return get(main.headers["location"]).headers["location"]

    assert follow("/10/g8r7pm") == "https://example.org/landing/j.virusres.2019.197847"
    assert follow("/bwhrfx").endswith("3.0.CO%3B2-%23")
    assert follow("/10/p54k") == "https://pubs.acs.org/doi/10.1021/jacs.5c01100"
    assert "HS_ALIAS" in get("/10/g8r7pm?ignore_aliases").text


@pytest.mark.clause("P7")
def test_a_loop_of_aliases_ends_in_an_error(get: Caller) -> None:
    got = get("/10.5555/loop")
    assert got.status == 500
    assert "loop of aliases" in got.text


@pytest.mark.clause("P6")
def test_noredirect_shows_the_values(get: Caller) -> None:
    got = get("/10.1000/182?noredirect")
    assert got.status == 200
    assert "http://www.doi.org/hb.html" in got.text
    assert "HS_ADMIN" in got.text


@pytest.mark.clause("P10")
def test_urlappend_is_appended_decoded(get: Caller) -> None:
    got = get("/10.5555/a?urlappend=%3Fparam1=12345%26param2=6789")
    assert got.headers["location"] == "https://example.org/landing/a?param1=12345&param2=6789"


@pytest.mark.clause("P4", "P5")
def test_a_missing_name_gets_the_page_and_the_advice(get: Caller) -> None:
    got = get("/10.1000/demo_DOI/")
    assert got.status == 404
    assert "DOI Name Not Found" in got.text
    assert '<a href="/10.1000/demo_DOI">10.1000/demo_DOI</a>' in got.text
    assert "only a prefix" in get("/10.5556").text
    assert "only a prefix" in get("/10.1000").text, "a prefix that has a record"
    assert '<a href="/10.1000/..%2Fx">10.1000/../x</a>' in get("/10.1000/..%2Fx/").text
    assert "two slashes" in get("/10.1000//x").text
    assert "<li>" not in get("/10.1000/x").text
    assert '<a href="/10.1000/a&amp;copy">10.1000/a&amp;copy</a>' in get("/10.1000/a&copy/").text


@pytest.mark.parametrize("path", ["10.1000/%3Cscript%3Ealert(1)%3C/script%3E", "10.1000/%22%3E%3Cscript%3E/"])
def test_what_was_asked_is_escaped_on_the_page(get: Caller, path: str) -> None:
    assert "<script" not in get(f"/{path}").text


def test_the_reason_for_showing_values_is_escaped() -> None:
    assert "<script" not in html_pages.build_values_page(
        ShownValues(NoValues(), "10.1000/1", "By the locations of <script>")
    )


@pytest.mark.clause("P7")
def test_a_page_about_the_name_behind_an_alias_is_headed_by_that_name(get: Caller) -> None:
    text = get("/10.5555/alias?noredirect").text
    assert "<h1>Handle values for 10.5555/target</h1>" in text
    assert "By alias: 10.5555/alias → 10.5555/target" in text
    assert "By alias" not in get("/10.5555/target?noredirect").text


@pytest.mark.clause("P9")
def test_that_a_record_is_empty_is_told_once_and_only_where_it_is(get: Caller) -> None:
    assert get("/10.5555/novalues?noredirect").text.count("no values") == 1
    assert "no values" not in get("/10.1000/182?noredirect&type=zap").text
    assert "The record has no value with a requested type" in get("/10.1000/182?noredirect&type=zap").text


def test_a_slow_name_is_slow_for_who_follows_it_too() -> None:
    answers = SampleAnswers(load_sample_records())
    assert answer_request(answers, "/10.5555/slow", {}).delay == SLOW_ANSWER_SECONDS
    assert answer_request(answers, "/10.5555/quick", {}).delay == 0


def test_a_record_without_a_web_address_is_shown_not_followed(get: Caller) -> None:
    for name in ("nourl", "unsafe", "novalues"):
        got = get(f"/10.5555/{name}")
        assert (got.status, "location" in got.headers) == (200, False)


@pytest.mark.parametrize(
    ("word", "status"), [("busy", 503), ("limit", 429), ("forbidden", 403), ("error", 500), ("missing", 404)]
)
def test_the_words_of_made_up_names_work_here_too(get: Caller, word: str, status: int) -> None:
    assert get(f"/10.5555/{word}").status == status


@pytest.mark.clause("E8")
def test_the_name_ends_at_a_question_mark(get: Caller) -> None:
    assert get("/10.5555/a?b").headers["location"] == "https://example.org/landing/a"


@pytest.mark.clause("E15")
def test_bytes_that_are_no_utf8_are_an_error(get: Caller) -> None:
    assert get("/10.5555/%E9").status == 400
    assert get("/").status == 200


def test_a_stored_url_cannot_break_the_answer_s_headers(get: Caller) -> None:
    got = get("/10.5555/a?urlappend=%0D%0AX-Evil:%201")
    assert "x-evil" not in got.headers
    assert got.headers["location"] == "https://example.org/landing/a%0D%0AX-Evil:%201"

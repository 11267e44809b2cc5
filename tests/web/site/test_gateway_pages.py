"""What the gateway shows a person: names made visible, advice with links, nothing of a stranger's run or followed."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from resolver.domain.handle.record import HandleValue
from resolver.domain.redirect.resolve_results import build_not_found_hints
from resolver.gateway import errors, pages
from resolver.gateway.errors import ErrorCause
from tests.web.conftest import text_of

NASTY = "10.1/<script>alert(1)</script>\u202e\x00\r\nSet-Cookie: x\ud800"


def html(page: Any) -> str:
    found: str = page.content.decode()
    return found


@pytest.mark.clause("P4")
def test_not_found_is_a_404_that_names_the_name_and_says_what_may_have_happened():
    page = pages.render_not_found("10.1000/no.such")
    said = text_of(page)
    assert page.status_code == 404
    assert "DOI name not found" in said
    assert "10.1000/no.such" in said
    assert "It isn’t registered yet." in said
    assert "Did you mean" not in said


@pytest.mark.clause("P5")
def test_a_trailing_slash_is_warned_of_with_a_link_to_the_name_without_it():
    page = pages.render_not_found("10.1000/demo_DOI/", build_not_found_hints("10.1000/demo_DOI/"))
    assert "The name ends in a slash." in text_of(page)
    assert 'href="/10.1000/demo_DOI"' in html(page)


@pytest.mark.clause("P5")
def test_doubled_slashes_and_a_bare_prefix_are_pointed_out():
    page = pages.render_not_found("10.1000//x", build_not_found_hints("10.1000//x"))
    assert "two slashes in a row" in text_of(page)
    assert 'href="/10.1000/x"' in html(page)
    assert "This is only a prefix" in text_of(pages.render_not_found("10.1000", build_not_found_hints("10.1000")))


def test_candidates_are_offered_each_with_a_link():
    page = pages.render_not_found("10.1000/456", candidates=["10.1000/456#789", "10.1000/é b"])
    assert "Did you mean one of these registered DOIs?" in text_of(page)
    assert 'href="/10.1000/456%23789"' in html(page)
    assert 'href="/10.1000/%C3%A9%20b"' in html(page)


@pytest.mark.clause("E9")
def test_the_name_can_be_looked_up_in_the_portal_as_it_is(visitor: Client):
    page = html(pages.render_not_found("10.1000/456#789"))
    assert 'href="/?text=https%3A%2F%2Fdoi.org%2F10.1000%2F456%2523789"' in page
    home = visitor.get("/?text=https%3A%2F%2Fdoi.org%2F10.1000%2F456%2523789")
    assert "https://doi.org/10.1000/456%23789</textarea>" in html(home)


@pytest.mark.clause("P6", "A8")
def test_the_values_of_a_record_are_a_table_and_say_why_nobody_is_sent_on():
    raw = {"index": 1, "type": "URL", "data": {"format": "string", "value": "javascript:alert(1)"}, "ttl": 86400}
    page = pages.render_values("10.1/x", [HandleValue(1, "URL", "string", "javascript:alert(1)", raw)], why="Because.")
    said = text_of(page)
    assert page.status_code == 200
    assert "Because." in said
    assert "1 URL string javascript:alert(1) Not a link" in said
    assert "24 hours (86400 s)" in said
    assert 'href="javascript:' not in html(page)
    assert "Look up the name to see where its link goes" in said
    assert 'href="/?text=https%3A%2F%2Fdoi.org%2F10.1%2Fx"' in html(page)


@pytest.mark.clause("P9")
def test_where_no_value_is_shown_the_page_says_no_more_than_why():
    said = text_of(pages.render_values("10.1/x", [], why="None is of the type."))
    assert "None is of the type." in said
    assert "No values" not in said
    assert "The values" not in said


@pytest.mark.parametrize(
    ("name", "led"), [("10.1000/a#b", True), ("10/abcde", True), ("0.NA/10.1000", False), ("10.1000/a\x00", False)]
)
def test_the_values_lead_to_the_record_page_of_what_is_a_doi(visitor: Client, name: str, led: bool):
    link = re.search(r'href="(/records\?[^"]*)"', html(pages.render_values(name, [])))
    assert bool(link) is led
    if link:
        assert name in text_of(visitor.get(link[1]))


@pytest.mark.parametrize(
    ("cause", "heading", "sentence"),
    [
        (errors.UNREADABLE, "This address contains no readable name", "percent-encoded UTF-8"),
        (
            errors.NO_USABLE_ANSWER,
            "The DOI proxy gave no usable answer",
            "We couldn’t find out whether this name is registered",
        ),
        (errors.NO_ANSWER, "The DOI proxy did not answer", "We couldn’t find out whether"),
        (
            errors.PAUSED,
            "Requests to the DOI proxy are paused",
            "We couldn’t find out whether this name is registered",
        ),
        (errors.TOO_LONG, "This address is too long", "Look up the name on the front page"),
        (errors.NO_LOGIN, "This portal requires a login", "Log in, and follow the link again."),
        (errors.WRONG_METHOD, "This request method isn't supported", "Open the link in a browser"),
        (errors.NO_END, "This name cannot be resolved", "Only the Registration Agency can fix it."),
    ],
)
def test_an_error_says_what_happened_and_what_to_do_next(cause: ErrorCause, heading: str, sentence: str):
    page = pages.render_error(cause, "10.1/x", "Aliases run in a circle.")
    assert page.status_code == cause.status
    assert heading in text_of(page)
    assert "Aliases run in a circle." in text_of(page)
    assert sentence in text_of(page)


def test_an_error_without_a_name_shows_none():
    page = pages.render_error(errors.NO_LOGIN, "", "This portal requires a login.")
    assert 'class="given"' not in html(page)
    assert "/records?" not in html(page)


@pytest.mark.clause("E14")
def test_whatever_is_in_a_name_it_is_shown_and_never_run():
    admin = {"format": "admin", "value": {"handle": NASTY, "permissions": NASTY}}
    values = [HandleValue(1, NASTY, "", NASTY, {"type": NASTY, "data": data}) for data in (NASTY, admin)]
    for page in (
        pages.render_not_found(NASTY, build_not_found_hints(NASTY + "/"), [NASTY]),
        pages.render_values(NASTY, values, why=NASTY),
        pages.render_error(errors.UNREADABLE, NASTY, NASTY),
    ):
        assert "<script>alert" not in html(page)
        assert not set("\u202e\x00\r\ud800") & set(html(page))
        assert "U+202E" in text_of(page)


def test_a_very_long_name_is_shown_in_part_and_not_linked():
    name = "10.1000/" + "x" * 100_000 + "/"
    page = pages.render_not_found(name, build_not_found_hints(name), ["10.1000/x"])
    assert "98,009 more characters aren’t shown." in text_of(page)
    assert len(page.content) < 20_000
    assert "?text=" not in html(page)


def test_the_pages_need_no_request_and_so_no_session_and_no_login(django_assert_num_queries: Any, settings: Any):
    settings.DOIPORTAL_SAMPLE_DATA = True
    with django_assert_num_queries(0):
        page = pages.render_not_found("10.1/x")
    assert not page.cookies
    assert "Sample data." in text_of(page)
    assert reverse("login") not in html(page)

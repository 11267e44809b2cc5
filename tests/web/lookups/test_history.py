"""The history: searched, filtered, deleted, and nobody else's."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from resolver.models import Lookup
from resolver.services.accounts.owners import SESSION_KEY
from tests.web.conftest import Look, html_of, newest, text_of


def test_a_visitor_who_only_looks_gets_no_session(visitor: Client):
    for address in ("/", "/history", "/jobs", "/help", "/encode"):
        visitor.get(address)
    assert "sessionid" not in visitor.cookies


def test_the_history_is_searched_without_regard_to_ascii_case(look: Look, visitor: Client):
    look("10.5555/ABC")
    look("10.5555/other")
    said = text_of(visitor.get("/history", {"q": "abc"}))
    assert "10.5555/ABC" in said
    assert "10.5555/other" not in said


def test_the_history_is_filtered_by_outcome_problem_and_agency(look: Look, visitor: Client):
    look("10.1000/182")
    look("https://doi.org/10.1000/456#789")
    for query, kept, gone in (
        ({"outcome": "not-found"}, "456#789", "10.1000/182"),
        ({"problem": "unescaped-hash"}, "456#789", "10.1000/182"),
        ({"ra": "Public"}, "10.1000/182", "456#789"),
    ):
        said = text_of(visitor.get("/history", query))
        assert kept in said
        assert gone not in said


@pytest.mark.parametrize(
    "query",
    ["q=%00", "outcome=nonsense", "problem=%25", "page=x", "page=-1", "page=99999999999999999999", "q=%ff%ed%a0%80",
     "outcome=%00", "ra=%00", "q=" + "x" * 2000],
)  # fmt: skip
def test_odd_filters_are_no_fault_of_the_portal(look: Look, visitor: Client, query: str):
    look("10.1000/182")
    assert visitor.get(f"/history?{query}").status_code in {200, 422}


def test_one_lookup_is_deleted(look: Look, visitor: Client):
    look("10.1000/182")
    page = visitor.post(f"/lookups/{newest().pk}/delete", follow=True)
    assert "Deleted from your history." in text_of(page)
    assert not Lookup.objects.exists()


def test_a_lookup_that_found_another_doi_says_so_in_the_history_and_once_among_the_recent_ones(
    look: Look, visitor: Client
):
    look("10.5555/exists")
    for _ in range(2):
        look("10.5555/a\u200bb")
    assert "! Found: 10.5555/ab" in text_of(visitor.get("/history"))
    recent = text_of(visitor.get("/")).partition("Recent lookups")[2]
    assert recent.count("! Found: 10.5555/ab") == 1
    assert recent.index("Found: 10.5555/ab") < recent.index("10.5555/exists")


def test_the_whole_history_is_deleted_after_a_question(look: Look, visitor: Client, stranger: Client):
    look("10.1000/182")
    look("10.1000/1", stranger)
    assert "This deletes 1 lookup." in text_of(visitor.get("/history/delete"))
    assert Lookup.objects.count() == 2
    assert "History deleted." in text_of(visitor.post("/history/delete", follow=True))
    assert [lookup.input for lookup in Lookup.objects.all()] == ["10.1000/1"]


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("address", ["", "/again", "/delete"])
def test_another_persons_lookup_is_not_there(look: Look, stranger: Client, method: str, address: str):
    look("10.1000/182")
    look("10.1000/1", stranger)
    own = Lookup.objects.get(input="10.1000/182")
    expected = {404} if method == "post" or not address else {405}
    if method == "post" and not address:
        expected = {405}
    assert getattr(stranger, method)(f"/lookups/{own.pk}{address}").status_code in expected
    assert "10.1000/182" not in text_of(stranger.get("/history"))
    assert Lookup.objects.filter(pk=own.pk).exists()


def test_what_was_looked_up_before_the_login_is_the_users_after_it(look: Look, visitor: Client):
    user = User.objects.create_user("ada", password="a long enough word")
    look("10.1000/182")
    visitor.post("/accounts/login/", {"username": "ada", "password": "a long enough word"})
    assert newest().owner == f"user:{user.pk}"
    assert SESSION_KEY not in visitor.session
    assert "10.1000/182" in text_of(visitor.get("/history"))
    visitor.post("/accounts/logout/")
    assert "10.1000/182" not in text_of(visitor.get("/history"))


def stored(count: int, owner: str) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    for number in range(count):
        Lookup.objects.create(
            owner=owner,
            created_at=now + timedelta(seconds=number),
            input=f"10.1000/{number}",
            form="name",
            outcome="not-found",
            proxy="p",
        )


@pytest.fixture
def queries(visitor: Client) -> Callable[[str], int]:
    def count(address: str) -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            assert visitor.get(address).status_code == 200
        return len(captured)

    return count


@pytest.mark.parametrize(("address", "expected"), [("/", 2), ("/history", 4)])
def test_the_number_of_queries_does_not_grow_with_the_list(
    look: Look, queries: Callable[[str], int], address: str, expected: int
):
    look("10.1000/182")
    assert queries(address) == expected
    stored(2, newest().owner)
    assert queries(address) == expected


def test_a_long_history_has_pages_that_keep_the_filters(look: Look, visitor: Client):
    look("10.1000/182")
    stored(60, newest().owner)
    first = visitor.get("/history?outcome=not-found&q=")
    assert 'href="?outcome=not-found&amp;q=&amp;page=2"' in html_of(first)
    assert "page 2 of 2" in text_of(visitor.get("/history?outcome=not-found&page=2"))


def test_every_form_holds_a_csrf_token_and_none_is_taken_without(look: Look):
    strict: Any = Client(enforce_csrf_checks=True)
    response = strict.post("/lookups", {"text": "10.1000/182"})
    assert response.status_code == 403
    assert "We couldn’t accept this form" in text_of(response)


def test_files_tell_of_other_dois_as_the_files_of_a_list_do(visitor: Client, look: Look):
    look(" ".join(f"10.1000/x{number}" for number in range(56)))
    [line] = b"".join(visitor.get("/history.jsonl")).decode().splitlines()
    told = json.loads(line)
    assert len(told["others"]) == 55
    assert "Also here: 5 more DOIs." in told["messages"]

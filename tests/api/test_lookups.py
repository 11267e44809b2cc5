"""Lookups: one name asked, and the history of them."""

import uuid
from datetime import datetime, timedelta
from itertools import chain
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from resolver.models import Lookup
from tests.api.conftest import Post, assert_problem

pytestmark = pytest.mark.django_db

FIELDS = {
    "input", "form", "doi", "valid", "url", "uri", "urn", "problems", "candidates", "id", "created_at", "outcome", "ra",
    "ra_status", "prefix_ra", "urls", "record", "alias_of", "suggestion", "others", "proxy", "answered_at", "cached",
    "incomplete", "messages", "page", "sample", "retractions",
}  # fmt: skip


def test_a_name_that_exists_has_its_untried_candidates_too(post: Post, api: Client) -> None:
    response = post("lookups", {"input": "10.5555/plain/full"})
    found = response.json()
    assert (found["outcome"], [(one["doi"], one["exists"]) for one in found["candidates"]]) == (
        "resolved",
        [("10.5555/plain", None)],
    )
    assert api.get(response.headers["Location"]).json()["candidates"] == found["candidates"]
    assert api.get("/api/v1/lookups").json()["results"][0]["candidates"] == found["candidates"]


def test_a_lookup_has_the_fields_of_the_contract_and_its_address(post: Post, api: Client, settings: Any) -> None:
    response = post("lookups", {"input": "10.5555/one"})
    assert response.status_code == 201
    found = response.json()
    assert set(found) == FIELDS
    assert (found["outcome"], found["ra"], found["doi"]) == ("resolved", "Crossref", "10.5555/one")
    assert found["urls"] == ["https://example.org/landing/one"]
    assert found["record"]["responseCode"] == 1
    assert found["record"]["handle"] == "10.5555/one"
    assert found["proxy"] == settings.DOI_PROXY_URL
    assert found["cached"] is found["sample"] is False
    assert found["prefix_ra"] is found["alias_of"] is found["suggestion"] is found["ra_status"] is None
    assert datetime.fromisoformat(found["created_at"]).tzinfo is not None
    assert response.headers["Location"] == f"http://testserver/api/v1/lookups/{found['id']}"
    assert api.get(response.headers["Location"]).json() == found
    assert found["page"] == f"http://testserver/lookups/{found['id']}"
    assert api.get(found["page"]).status_code == 200


@pytest.mark.parametrize(
    ("text", "outcome", "doi"),
    [
        ("10.5555/missing-1", "not-found", "10.5555/missing-1"),
        ("10.5555/novalues", "no-values", "10.5555/novalues"),
        ("10.5555/nourl", "no-url", "10.5555/nourl"),
        ("10.5555/error", "proxy-error", "10.5555/error"),
        ("10.5555/html", "proxy-error", "10.5555/html"),
        ("10.5555/busy", "unreachable", "10.5555/busy"),
        ("nothing at all", "invalid", None),
        ("", "invalid", None),
        ("\ud800\x00", "invalid", None),
    ],
)
def test_every_verdict_is_an_answer_and_never_an_error(
    post: Post, api: Client, text: str, outcome: str, doi: str | None
) -> None:
    response = post("lookups", {"input": text})
    assert response.status_code == 201
    found = response.json()
    assert (found["input"], found["outcome"], found["doi"]) == (text, outcome, doi)
    assert found["valid"] is (doi is not None)
    assert api.get(f"/api/v1/lookups/{found['id']}").json()["input"] == text


def test_that_the_proxy_cannot_be_reached_is_an_outcome(post: Post, settings: Any) -> None:
    settings.DOI_PROXY_URL = "http://127.0.0.1:9"
    assert post("lookups", {"input": "10.5555/one"}).json()["outcome"] == "unreachable"


def test_a_suggestion_is_a_name_and_a_reason(post: Post) -> None:
    found = post("lookups", {"input": "10.5556/nothing."}).json()
    assert found["suggestion"] is None
    found = post("lookups", {"input": "10.1000/182."}).json()
    assert found["outcome"] == "not-found"
    assert found["suggestion"]["doi"] == "10.1000/182"
    assert found["suggestion"]["reason"]


def test_each_candidate_says_whether_it_was_found_to_exist(post: Post) -> None:
    missing = post("lookups", {"input": "10.1000/182."}).json()
    assert {one["doi"]: one["exists"] for one in missing["candidates"]}["10.1000/182"] is True
    resolved = post("lookups", {"input": "10.5555/one."}).json()
    assert resolved["candidates"]
    assert {one["exists"] for one in resolved["candidates"]} == {None}, "Checks are paused"


def test_the_other_dois_of_a_text_have_their_own_outcomes(post: Post, api: Client) -> None:
    found = post("lookups", {"input": "10.5555/one; 10.5555/two; 10.5555/missing"}).json()
    urls = ["https://example.org/landing/two", "https://example.org/landing/two?copy=2"]
    assert found["others"] == [
        {"doi": "10.5555/two", "outcome": "resolved", "ra": "Crossref", "urls": urls},
        {"doi": "10.5555/missing", "outcome": "not-found", "ra": None, "urls": []},
    ]
    assert api.get(f"/api/v1/lookups/{found['id']}").json() == found
    assert post("lookups", {"input": "10.5555/one"}).json()["others"] == []


def test_the_first_answer_sets_the_session_that_owns_the_lookup(post: Post, api: Client, other: Client) -> None:
    response = post("lookups", {"input": "10.5555/one"})
    assert response.cookies["sessionid"]["samesite"] == "Lax"
    address = response.headers["Location"]
    assert len(api.get("/api/v1/lookups").json()["results"]) == 1
    assert other.get("/api/v1/lookups").json() == {"next": None, "previous": None, "results": []}
    assert not other.cookies, "who only looks gets no session"
    assert_problem(other.get(address), 404)
    assert_problem(other.delete(address), 404)
    post("lookups", {"input": "10.5555/two"}, client=other)
    assert_problem(other.get(address), 404)
    assert api.get(address).status_code == 200


def test_a_users_lookups_are_the_users_in_every_session(post: Post, user: User, other: Client) -> None:
    first, second = Client(), Client()
    for client in (first, second):
        client.force_login(user)
    address = post("lookups", {"input": "10.5555/one"}, client=first).headers["Location"]
    assert second.get(address).status_code == 200
    assert_problem(other.get(address), 404)


def test_a_deleted_lookup_is_gone(post: Post, api: Client) -> None:
    address = post("lookups", {"input": "10.5555/one"}).headers["Location"]
    response = api.delete(address)
    assert (response.status_code, response.content) == (204, b"")
    assert_problem(api.get(address), 404)
    assert_problem(api.delete(address), 404)


def test_the_history_is_filtered_by_text_outcome_problem_and_agency(post: Post, api: Client) -> None:
    for text in ("10.5555/One", "https://doi.org/10.5555/two#3", "10.5555/missing", "nothing"):
        post("lookups", {"input": text})

    def inputs(query: str) -> list[str]:
        return [found["input"] for found in api.get(f"/api/v1/lookups?{query}").json()["results"]]

    assert inputs("") == ["nothing", "10.5555/missing", "https://doi.org/10.5555/two#3", "10.5555/One"]
    assert inputs("q=oNE") == ["10.5555/One"]
    assert inputs("q=%00") == inputs("q=%25") == inputs("q=_") == inputs("q=absent") == []
    assert inputs("outcome=resolved") == ["https://doi.org/10.5555/two#3", "10.5555/One"]
    assert inputs("problem=unescaped-hash") == ["https://doi.org/10.5555/two#3"]
    assert inputs("ra=Crossref&q=one&outcome=resolved") == ["10.5555/One"]
    assert inputs("ra=DataCite") == inputs("ra=%00") == []
    assert inputs("outcome=&problem=&ra=&q=") == inputs("")


def _owned(api: Client, number: int) -> None:
    owner = f"session:{api.session['owner']}"
    now = timezone.now()
    Lookup.objects.bulk_create(
        # In pairs of the same moment: the order must not lose one of two.
        Lookup(
            owner=owner,
            created_at=now - timedelta(days=1, seconds=at // 2),
            input=str(at),
            form="none",
            outcome="invalid",
            proxy="",
        )
        for at in range(number)
    )


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_pages_lead_forth_and_back_and_lose_nothing(post: Post, api: Client, size: int) -> None:
    post("lookups", {"input": "10.5555/one"})
    _owned(api, 6)
    forth, back = [], []
    page = api.get(f"/api/v1/lookups?page_size={size}").json()
    assert page["previous"] is None
    while True:
        assert list(page) == ["next", "previous", "results"]
        forth.append([found["id"] for found in page["results"]])
        if page["next"] is None:
            break
        page = api.get(page["next"]).json()
    while True:
        back.insert(0, [found["id"] for found in page["results"]])
        if page["previous"] is None:
            break
        page = api.get(page["previous"]).json()
    assert forth == back
    ids = list(chain.from_iterable(forth))
    assert ids == [str(found.pk) for found in Lookup.objects.all()]
    assert len(set(ids)) == 7


def test_a_page_has_a_bound_beyond_which_a_size_is_an_error(post: Post, api: Client) -> None:
    post("lookups", {"input": "10.5555/one"})
    _owned(api, 600)
    assert len(api.get("/api/v1/lookups").json()["results"]) == 50
    assert len(api.get("/api/v1/lookups?page_size=500").json()["results"]) == 500
    for size in ("501", "9" * 5000):
        refused = api.get(f"/api/v1/lookups?page_size={size}")
        assert assert_problem(refused, 400)["errors"] == {
            "page_size": [f'The page_size "{size[:100]}" isn\'t a whole number from 1 to 500.']
        }


def test_the_history_costs_the_same_queries_for_one_and_for_three(
    post: Post, api: Client, django_assert_num_queries: Any
) -> None:
    post("lookups", {"input": "10.5555/one"})
    for more in (0, 2):
        _owned(api, more)
        with django_assert_num_queries(2):  # the session, the lookups
            assert len(api.get("/api/v1/lookups").json()["results"]) == 1 + more
    address = f"/api/v1/lookups/{Lookup.objects.all()[0].pk}"
    with django_assert_num_queries(2):
        api.get(address)


def test_nothing_of_another_is_told_apart_from_nothing_at_all(api: Client) -> None:
    absent = uuid.uuid4()
    for path in (f"lookups/{absent}", f"jobs/{absent}", f"jobs/{absent}/rows", f"jobs/{absent}/results.csv"):
        assert_problem(api.get(f"/api/v1/{path}"), 404)


def test_head_and_options_answer(post: Post, api: Client) -> None:
    post("lookups", {"input": "10.5555/one"})
    head = api.head("/api/v1/lookups")
    assert (head.status_code, head.content) == (200, b"")
    options = api.options("/api/v1/lookups")
    assert options.status_code == 200
    assert options.headers["Allow"] == "GET, POST, HEAD, OPTIONS"


def test_the_page_of_a_lookup_has_the_host_of_each_request(post: Post, api: Client, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["one.example", "two.example"]
    address = post("lookups", {"input": "10.5555/one"}, headers={"host": "one.example"}).headers["Location"]
    path = address.removeprefix("http://one.example")
    pages = [api.get(path, headers={"host": f"{name}.example"}).json()["page"] for name in ("two", "one")]
    assert [page.partition("/lookups/")[0] for page in pages] == ["http://two.example", "http://one.example"]

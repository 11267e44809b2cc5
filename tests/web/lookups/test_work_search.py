"""A search for the DOI of one text: offered on the page of a lookup, and sent only by a click."""

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any
from urllib.parse import unquote_plus

import pytest
from django.test import Client

from resolver.models import Lookup
from resolver.services.http.request_run import ATTEMPT, RequestRun
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.proxy_answers.waiting_places import PLACES, PROXY_PLACES
from resolver.standin.sample_works import WORKS, build_sample_work
from tests.proxy.raw_server import RawServer, Request, http
from tests.web.conftest import Look, data_of, html_of, newest, text_of

HTMX = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def searches(settings: Any, standin: Any) -> Any:
    """The sample proxy in place of the search services too. What it was asked is counted from here on."""
    settings.METADATA_SERVICE_URL, settings.REDIS_URL = standin.url, ""
    settings.CONTACT_EMAIL, settings.DOI_PROXY_ATTEMPTS = "portal@library.example", 1
    standin.reset()
    return standin


@pytest.fixture
def services(settings: Any) -> Iterator[list[Any]]:
    """A server in place of the search services that lists the works in this list."""
    works: list[Any] = []

    def answer(request: Request) -> bytes:
        return http(200, {"data": []} if request.target.startswith("/dois") else {"message": {"items": works}})

    with RawServer(answer) as server:
        settings.METADATA_SERVICE_URL = server.url
        yield works


def cite(number: int) -> str:
    """The sample work of this number as a reference without its DOI."""
    work = build_sample_work(number)
    people = "; ".join(f"{person['family']}, {person['given']}" for person in work["author"])
    (year, *_), title = work["issued"]["date-parts"][0], work["title"]
    return f"{people} ({year}): {title}. {work.get('container-title', '')} {work.get('volume', '')}."


def describe(doi: str, title: str, family: str, year: int) -> dict[str, Any]:
    return {"DOI": doi, "title": [title], "author": [{"family": family}], "issued": {"date-parts": [[year]]}}


def click(visitor: Client, **headers: str) -> Any:
    return visitor.post(f"/lookups/{newest().pk}/search", headers=headers)


def find(visitor: Client, text: str, **work: str) -> Any:
    """Look the text up, and click."""
    visitor.post("/lookups", {"text": text, **work})
    return click(visitor)


def searched_texts(standin: Any) -> list[str]:
    asked = (unquote_plus(target) for target in standin.requests)
    return [target for target in asked if target.startswith(("/works?", "/dois?"))]


def test_a_reference_without_a_doi_offers_a_search_and_names_the_hosts(look: Look, searches: Any) -> None:
    page = look(cite(20))
    assert data_of(page, "offer") == ["search"]
    assert "We send this text to 127.0.0.1 when you click, and not before." in text_of(page)
    assert searched_texts(searches) == []


def test_the_only_work_that_is_the_same_is_probably_it(visitor: Client, searches: Any) -> None:
    page = find(visitor, cite(20))
    assert (page.status_code, data_of(page, "found"), data_of(page, "suggested")) == (200, ["Crossref"], ["yes"])
    text = text_of(page)
    assert "Probably this DOI 10.5555/sample-work-00020" in text
    assert re.search(r"Registered · As listed by Crossref on \d{4}-\d\d-\d\d", text)
    assert data_of(page, "copy") == ["10.5555/sample-work-00020"]
    assert data_of(page, "work") == ["same"]
    assert "The registered title and author are those of your text." in text
    assert 'name="text" value="10.5555/sample-work-00020"' in html_of(page)
    (asked,) = searched_texts(searches)
    assert "Urban excavation" in asked


def test_the_found_doi_is_asked_at_the_proxy(visitor: Client, searches: Any) -> None:
    find(visitor, cite(20))
    assert [target for target in searches.requests if "handles/10.5555/sample-work-00020" in unquote_plus(target)]


def test_the_suggested_one_stands_before_others_with_its_title(visitor: Client) -> None:
    """The next sample work has the same title, but other authors."""
    page = find(visitor, cite(7))
    assert data_of(page, "suggested") == ["yes", "no"]
    assert data_of(page, "copy") == ["10.5555/sample-work-00007", "10.5555/sample-work-00008"]
    text = text_of(page)
    assert text.index("Probably this DOI") < text.index("Perhaps this DOI")


def test_htmx_gets_only_the_part(visitor: Client) -> None:
    visitor.post("/lookups", {"text": cite(20)})
    part = click(visitor, **HTMX)
    assert data_of(part, "suggested") == ["yes"]
    assert "<html" not in part.content.decode()


def test_nothing_is_stored_in_the_history(visitor: Client) -> None:
    find(visitor, cite(20))
    (lookup,) = Lookup.objects.all()
    assert (lookup.suggestion, lookup.doi) == (None, "")


def test_title_and_author_are_sent_in_place_of_the_text(visitor: Client, searches: Any) -> None:
    work = build_sample_work(20)
    visitor.post("/lookups", {"text": "10.5555/missing-7", "title": work["title"], "author": "Dupont, Eva"})
    page = visitor.get(f"/lookups/{newest().pk}")
    assert "We send title and author to 127.0.0.1 when you click" in text_of(page)
    found = click(visitor)
    assert "10.5555/sample-work-00020" in text_of(found)
    assert dict(zip(data_of(found, "field"), data_of(found, "status"), strict=True))["title"] == "equal"
    assert not [target for target in searched_texts(searches) if "missing-7" in target]


def test_of_several_works_none_is_chosen(visitor: Client) -> None:
    """The article and its preprint have the same title and authors."""
    work = build_sample_work(4)
    page = find(visitor, "10.5555/missing-4", title=work["title"], author="Kaya, Hugo")
    assert data_of(page, "suggested") == ["no", "no"]
    text = text_of(page)
    assert "Only one can be meant. Compare them with the publication." in text
    assert "Probably this DOI" not in text
    assert {"10.5555/sample-work-00004", "10.5555/sample-work-00005"} == set(data_of(page, "copy"))


def test_words_that_differ_are_marked_on_both_sides(visitor: Client, services: list[Any]) -> None:
    title = "On owls and their silent flight"
    services.append(describe("10.5555/owls", title, "Strix", 1990))
    page = find(visitor, "10.5555/missing-8", title=title, author="Bubo, Ada")
    assert data_of(page, "suggested") == ["no"]
    assert data_of(page, "work") == ["look"]
    assert "Perhaps this DOI 10.5555/owls" in text_of(page)
    assert "Bubo, Ada" in text_of(page)


def test_that_nothing_was_found_says_who_was_asked_and_never_that_it_does_not_exist(visitor: Client) -> None:
    page = find(visitor, cite(WORKS + 20))
    assert (page.status_code, data_of(page, "search")) == (200, ["none"])
    text = text_of(page)
    assert "Crossref and DataCite list no work with this title and author (asked on" in text
    assert "Other agencies can’t be searched." in text


def test_too_little_is_not_sent(visitor: Client, searches: Any) -> None:
    page = find(visitor, "10.5555/missing-9", title="Owls")
    assert (page.status_code, data_of(page, "search")) == (200, ["too-little"])
    assert "Not searched for" in text_of(page)
    assert searched_texts(searches) == []


def test_a_work_that_is_listed_but_not_registered_is_not_offered(visitor: Client, services: list[Any]) -> None:
    services.append(describe("10.5555/missing-dawn", "The song of thrushes at dawn", "Turdus", 2015))
    page = find(visitor, "Turdus, K. (2015): The song of thrushes at dawn. Birds 3.")
    assert (page.status_code, data_of(page, "search"), data_of(page, "copy")) == (200, ["none"], [])
    assert "Crossref lists this work as 10.5555/missing-dawn, but that DOI isn’t registered." in text_of(page)


def test_a_doi_that_could_not_be_checked_is_not_called_registered(visitor: Client, services: list[Any]) -> None:
    services.append(describe("10.5555/error-dusk", "The song of thrushes at dusk", "Turdus", 2015))
    page = find(visitor, "Turdus, K. (2015): The song of thrushes at dusk. Birds 3.")
    assert data_of(page, "suggested") == ["no"]
    assert "We couldn’t check whether it is registered." in text_of(page)
    assert "Probably this DOI" not in text_of(page)


def test_an_alias_is_offered_as_its_main_doi(visitor: Client, services: list[Any]) -> None:
    services.append(describe("10.5555/alias-heron", "Wetlands and the herons of spring", "Ardea", 2005))
    page = find(visitor, "Ardea, E. (2005): Wetlands and the herons of spring. Birds 3.")
    assert data_of(page, "copy") == ["10.5555/target-heron"]
    assert "the main DOI behind the alias 10.5555/alias-heron" in text_of(page)


@pytest.mark.parametrize(("headers", "status"), [({}, 503), (HTMX, 200)])
def test_a_service_that_fails_says_nothing_about_the_work(
    headers: dict[str, str], status: int, visitor: Client
) -> None:
    visitor.post("/lookups", {"text": "Nobody, Ann (2001): A title with fault garbage in its words. Birds 3."})
    page = click(visitor, **headers)
    assert (page.status_code, data_of(page, "search")) == (status, ["could-not-ask"])
    assert "We couldn’t search for the work" in text_of(page)


@pytest.mark.parametrize(
    "text",
    [
        "10.5555/registered-one",
        "Annual report",
        "owls owls owls owls owls owls",  # no year: no reference
        "10.5555/first-of; 10.5555/second-of " + cite(20),
        "10.5555/error-of " + cite(20),  # not checked: check it first
        "10.5555/a\u200bb " + cite(20),  # has a suggestion
    ],
)
def test_other_texts_offer_none_and_send_nothing(text: str, look: Look, searches: Any) -> None:
    assert data_of(look(text), "offer") == []
    assert searched_texts(searches) == []


def test_a_doi_that_is_not_registered_offers_it_with_its_reference(look: Look) -> None:
    assert data_of(look(f"{cite(20)} doi:10.5555/missing-7"), "offer") == ["search"]


def test_a_comparison_that_says_another_work_offers_it(visitor: Client) -> None:
    work = build_sample_work(20)
    visitor.post("/lookups", {"text": "10.5555/sample-work-00040", "title": work["title"], "author": "Dupont, Eva"})
    assert data_of(visitor.get(f"/lookups/{newest().pk}"), "offer") == []
    query = {"name": newest().doi, "lookup": str(newest().pk)}
    part = visitor.get("/metadata", query, headers=HTMX)
    assert (data_of(part, "work"), data_of(part, "offer")) == (["different"], ["search"])
    assert "10.5555/sample-work-00020" in text_of(click(visitor))
    visitor.post("/lookups", {"text": "10.5555/sample-work-00020", "title": work["title"]})
    query = {"name": newest().doi, "lookup": str(newest().pk)}
    assert data_of(visitor.get("/metadata", query), "offer") == []


def test_without_the_operators_leave_there_is_no_offer_and_a_click_sends_nothing(
    visitor: Client, settings: Any, searches: Any
) -> None:
    settings.SEARCH = False
    page = visitor.post("/lookups", {"text": cite(20)}, follow=True)
    assert data_of(page, "offer") == []
    assert click(visitor)["Location"] == f"/lookups/{newest().pk}"
    assert searched_texts(searches) == []


def test_only_a_post_searches(look: Look, visitor: Client, searches: Any) -> None:
    look(cite(20))
    assert visitor.get(f"/lookups/{newest().pk}/search").status_code == 302
    assert Client(enforce_csrf_checks=True).post(f"/lookups/{newest().pk}/search").status_code == 403
    assert searched_texts(searches) == []


def test_a_stranger_can_not_search_for_it(look: Look, stranger: Client, searches: Any) -> None:
    look(cite(20))
    assert click(stranger).status_code == 404
    assert searched_texts(searches) == []


def test_clicks_count_for_the_day_of_the_address(
    visitor: Client, stranger: Client, settings: Any, searches: Any
) -> None:
    settings.SEARCHES_PER_DAY = 1
    assert find(visitor, cite(20)).status_code == 200
    assert find(visitor, cite(20)).status_code == 200, "a stored answer counts for nothing"
    page = find(stranger, cite(40))  # from the same address
    assert (page.status_code, data_of(page, "search")) == (503, ["could-not-ask"])
    assert "searches of this day are used up" in text_of(page)
    assert len(searched_texts(searches)) == 1


def test_a_busy_portal_turns_it_back_as_it_does_a_lookup(look: Look, visitor: Client, searches: Any) -> None:
    look(cite(20))
    attempt = RequestRun()
    with ExitStack() as stack:
        for _place in range(PLACES):
            stack.enter_context(PROXY_PLACES.keep_place())
            stack.enter_context(PROXY_PLACES.take_place())
        token = ATTEMPT.set(attempt)
        page = click(visitor)
        ATTEMPT.reset(token)
    assert (attempt.turned_back, page.status_code, data_of(page, "search")) == (True, 503, ["paused"])
    assert int(page["Retry-After"]) >= 1
    assert searched_texts(searches) == []


def test_a_pause_of_the_proxy_is_told_and_the_next_click_uses_what_was_found(
    look: Look, visitor: Client, searches: Any
) -> None:
    look(cite(20))
    proxy_from_settings().budget.pause(40)
    page = click(visitor)
    assert (page.status_code, data_of(page, "search")) == (503, ["paused"])
    assert "Checks are paused until" in text_of(page)
    assert "Nothing was stored" not in text_of(page)


def test_hostile_texts_and_hostile_records_are_text(visitor: Client, services: list[Any]) -> None:
    title = "<script>alert(1)</script> \u202e owls and their flight"
    services.append(describe('10.5555/<b>"owls"', title, "<i>Strix</i>", 2011))
    services.append(describe("javascript:alert(1)", title, "Strix", 2011))
    services.append({"DOI": ["10.5555/list"], "title": {"a": 1}, "author": "x" * 5000})
    page = find(visitor, f"Strix, A. (2011): {title}. Birds 3.")
    said = html_of(page)
    assert "<script>alert" not in said
    assert "<b>" not in said
    assert "javascript:" not in said
    for text in ("\x00 " * 50 + cite(20), "word " * 3000 + "2011", json.dumps({"title": ["2011 a b c d e f"]})):
        assert find(visitor, text).status_code in (200, 302, 503)

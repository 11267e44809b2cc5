"""Searches for works, at a server that answers in place of all services."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from socket import socket
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from resolver.domain.work.found_works import SearchedWork
from resolver.domain.work.row_work import RowWork
from resolver.models import StoredSearch
from resolver.services.maintenance.cleanup import prune_all
from resolver.services.proxy_answers import stored_searches
from resolver.services.proxy_answers.configured_searches import searches_from_settings
from resolver.services.works.search import (
    WantedSearch,
    estimate_search_seconds,
    list_search_hosts,
    search_now,
    search_works,
)
from tests.proxy.raw_server import Answer, RawServer, Request, http, silence

pytestmark = pytest.mark.django_db(transaction=True)
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
OWLS = RowWork(title="On owls and their silent flight", authors=("Strix, Anna",), year="2011")
DATA = RowWork(title="Data of owls and their flight", authors=("Strix, Anna",), year="2012", container="Zenodo")
REFERENCE = RowWork(text="Strix, A. (2011): On owls and their silent flight. Journal of Owls 3, 7-12.")
Serve = Callable[..., RawServer]


@pytest.fixture(autouse=True)
def _own_budgets(settings: Any) -> None:
    settings.REDIS_URL, settings.CONTACT_EMAIL = "", "portal@library.example"
    settings.DOI_PROXY_TIMEOUT, settings.DOI_PROXY_BACKOFF = 2.0, 0.01


def name_service(request: Request) -> str:
    if request.target.startswith("/dois?"):
        return "DataCite"
    return "OpenAlex" if "&search=" in request.target else "Crossref"


def describe(doi: str, row: RowWork, **others: Any) -> dict[str, Any]:
    people = [{"family": name.split(", ")[0], "given": name.split(", ")[1]} for name in row.authors]
    return {
        "DOI": doi, "title": [row.title], "author": people, "issued": {"date-parts": [[int(row.year)]]}, **others,
    }  # fmt: skip


def of_crossref(*works: dict[str, Any]) -> bytes:
    return http(200, {"message": {"items": list(works)}})


def of_datacite(doi: str, row: RowWork) -> bytes:
    attributes = {"doi": doi, "titles": [{"title": row.title}], "publicationYear": int(row.year)}
    attributes["creators"] = [{"name": name} for name in row.authors]
    return http(200, {"data": [{"id": doi, "attributes": attributes}]})


def of_openalex(doi: str, row: RowWork) -> bytes:
    people = [{"author": {"display_name": name}} for name in row.authors]
    work = {"doi": f"https://doi.org/{doi}", "title": row.title, "authorships": people}
    return http(200, {"results": [{**work, "publication_year": int(row.year)}]})


NO_RECORD = http(404, {"message": "No matching document found"})
NONE = {"Crossref": of_crossref(), "DataCite": http(200, {"data": []}), "OpenAlex": http(200, {"results": []})}


@pytest.fixture
def serve(settings: Any) -> Iterator[Serve]:
    """Answer in place of all services; those that aren't named find nothing."""
    with ExitStack() as stack:

        def start(**answers: Answer) -> RawServer:
            server = stack.enter_context(RawServer(lambda request: (NONE | answers)[name_service(request)]))
            settings.METADATA_SERVICE_URL = server.url
            return server

        yield start


def search(*rows: RowWork, without: str = "", until: float = 30.0, now: datetime = NOW) -> list[SearchedWork | None]:
    wanted = [WantedSearch(row, without) for row in rows]
    return search_works(wanted, caller="user:1", now=now, until=time.monotonic() + until)


def only(found: list[SearchedWork | None]) -> SearchedWork:
    (one,) = found
    assert one is not None
    return one


def count_owls(most: int) -> list[RowWork]:
    return [RowWork(title=f"On owls and their flight {number}", year="2011") for number in range(most)]


def used_up(found: list[SearchedWork | None]) -> bool:
    return all("are used up" in str(one and one.failure) for one in found)


def answer_slowly(answer: bytes) -> Answer:
    def send(connection: socket) -> None:
        time.sleep(0.5)
        connection.sendall(answer)

    return send


def services_of(server: RawServer) -> list[str]:
    return [name_service(request) for request in server.requests]


def test_a_work_of_crossref_is_suggested_and_no_other_service_is_searched(serve: Serve) -> None:
    server = serve(Crossref=of_crossref(describe("10.1/other", DATA), describe("10.1/owls", OWLS)))
    found = only(search(OWLS))
    assert (found.suggested, found.found_by, found.services) == ("10.1/owls", "Crossref", ("Crossref",))
    assert (found.asked_at, found.failure) == (NOW, None)
    assert services_of(server) == ["Crossref"]
    (asked,) = parse_qs(urlsplit(server.targets[0]).query)["query.bibliographic"]
    assert asked == "On owls and their silent flight Strix 2011"


def test_datacite_is_searched_where_crossref_lists_no_such_work(serve: Serve) -> None:
    server = serve(DataCite=of_datacite("10.5072/owls", OWLS))
    found = only(search(OWLS))
    assert (found.suggested, found.found_by) == ("10.5072/owls", "DataCite")
    assert found.services == ("Crossref", "DataCite")
    assert services_of(server) == ["Crossref", "DataCite"]


def test_for_data_datacite_comes_first(serve: Serve) -> None:
    server = serve(DataCite=of_datacite("10.5072/data", DATA))
    assert only(search(DATA)).suggested == "10.5072/data"
    assert services_of(server) == ["DataCite"]


def test_openalex_comes_last_and_only_with_a_key(serve: Serve, settings: Any) -> None:
    server = serve(OpenAlex=of_openalex("10.1/owls", OWLS))
    assert only(search(OWLS)).found_by == "none"
    settings.OPENALEX_KEY = "s&cret"
    assert only(search(OWLS)).found_by == "OpenAlex"
    assert services_of(server) == ["Crossref", "DataCite", "OpenAlex"]  # the answers of the first two are stored
    assert server.targets[-1].endswith("&api_key=s%26cret")


def test_openalex_is_not_searched_for_a_whole_reference(serve: Serve, settings: Any) -> None:
    settings.OPENALEX_KEY = "key"
    server = serve(Crossref=of_crossref(describe("10.1/else", DATA)))
    found = only(search(REFERENCE))
    assert (found.found_by, found.services) == ("none", ("Crossref", "DataCite"))
    assert services_of(server) == ["Crossref", "DataCite"]


def test_a_row_that_says_too_little_is_not_searched_for(serve: Serve) -> None:
    server = serve()
    found = search(RowWork(title="Editorial"), OWLS, RowWork(title="On owls and their flight"))
    assert [one and one.found_by for one in found] == ["too-little", "none", "too-little"]
    assert len(server.requests) == 2


def test_equal_queries_are_sent_once_and_each_row_has_its_own_judgement(serve: Serve) -> None:
    server = serve(Crossref=of_crossref(describe("10.1/owls", OWLS)))
    louder = RowWork(title="On OWLS and  their SILENT flight", authors=("Strix, Anna",), year="2011", first_page="7")
    found = search(OWLS, louder, OWLS)
    assert [one and one.suggested for one in found] == ["10.1/owls"] * 3
    assert len(server.requests) == 1


def test_the_doi_of_the_row_itself_is_not_offered_again(serve: Serve) -> None:
    serve(Crossref=of_crossref(describe("10.1/OWLS", OWLS)))
    assert only(search(OWLS, without="10.1/owls")).works == ()


def test_an_answer_is_stored_for_thirty_days_and_without_the_words_of_the_query(serve: Serve) -> None:
    server = serve(Crossref=of_crossref(describe("10.1/owls", DATA)))
    first = only(search(OWLS))
    assert only(search(OWLS, now=NOW + timedelta(days=29))) == first
    assert len(server.requests) == 2
    stored = json.dumps(list(StoredSearch.objects.values("service", "digest", "hits")))
    assert "silent" not in stored.lower()
    search(OWLS, now=NOW + timedelta(days=31))
    assert len(server.requests) == 4
    assert StoredSearch.objects.count() == 2


def test_another_server_has_stored_answers_of_its_own(serve: Serve) -> None:
    serve(Crossref=of_crossref(describe("10.1/owls", OWLS)))
    assert only(search(OWLS)).suggested
    other = serve()
    assert not only(search(OWLS)).suggested
    assert len(other.requests) == 2


def test_old_answers_are_removed_and_the_oldest_of_too_many(serve: Serve, settings: Any) -> None:
    serve()
    search(OWLS, now=NOW)
    search(DATA, now=NOW + timedelta(days=10))
    prune_all(NOW + timedelta(days=31))
    assert set(StoredSearch.objects.values_list("answered_at", flat=True)) == {NOW + timedelta(days=10)}
    search(OWLS, now=NOW + timedelta(days=11))
    settings.MAX_STORED_ANSWERS = 2
    stored_searches.prune_searches(NOW + timedelta(days=31))
    assert set(StoredSearch.objects.values_list("answered_at", flat=True)) == {NOW + timedelta(days=11)}


@pytest.mark.parametrize("fault", [http(500, ""), http(200, b"<"), http(200, {"message": 1}), http(403, 0), NO_RECORD])
def test_a_failure_is_no_answer_and_is_never_stored(fault: bytes, serve: Serve) -> None:
    serve(Crossref=fault)
    found = only(search(OWLS))
    assert (found.found_by, found.services) == ("could-not-ask", ("DataCite",))
    assert "127.0.0.1" in str(found.failure)
    assert [stored.service for stored in StoredSearch.objects.all()] == ["DataCite"]
    server = serve(Crossref=of_crossref(describe("10.1/owls", OWLS)))
    assert only(search(OWLS)).suggested == "10.1/owls"
    assert services_of(server) == ["Crossref"]


def test_while_a_service_fails_what_another_lists_is_offered_and_not_suggested(serve: Serve) -> None:
    serve(Crossref=http(500, "oops"), DataCite=of_datacite("10.5072/owls", OWLS))
    found = only(search(OWLS))
    assert ([work.doi for work in found.works], found.suggested) == (["10.5072/owls"], "")
    assert found.failure


def test_a_service_that_wants_a_pause_gets_no_request_until_it_is_over(serve: Serve) -> None:
    server = serve(Crossref=http(429, "slow down", Retry_After="30"))
    rows = count_owls(6)
    began = time.monotonic()
    assert {one.found_by if one else "" for one in search(*rows)} == {"could-not-ask"}
    assert time.monotonic() - began < 8
    assert services_of(server).count("Crossref") <= 2  # that were under way together
    assert 20 < searches_from_settings()[0].budget.get_pause() <= 30


def test_when_the_time_is_over_only_the_first_row_is_searched_and_the_others_wait(serve: Serve) -> None:
    server = serve(DataCite=of_datacite("10.5072/owls", OWLS))
    rows = [OWLS, *count_owls(3)]
    first, *others = search(*rows, until=-1)
    assert first
    assert first.suggested == "10.5072/owls"
    assert others == [None] * 3
    assert services_of(server) == ["Crossref", "DataCite"]
    assert search(*rows, until=-1)[:2] != [first, None], "a stored answer takes no time"


def test_a_day_has_so_many_searches_of_a_caller_and_stored_answers_are_free(serve: Serve, settings: Any) -> None:
    settings.SEARCHES_PER_DAY = 2
    server = serve(DataCite=of_datacite("10.5072/owls", OWLS))
    assert only(search(OWLS)).suggested
    assert only(search(OWLS)).suggested
    assert only(search(DATA)).found_by == "none"
    found = only(search(REFERENCE))
    assert found.found_by == "could-not-ask"
    assert str(found.failure) == "all 2 searches of this day are used up"
    requests = len(server.requests)
    assert only(search(OWLS)).suggested
    assert len(server.requests) == requests
    other = search_works([WantedSearch(REFERENCE)], caller="address:x", now=NOW, until=time.monotonic() + 9)
    assert only(other).found_by == "DataCite"
    settings.SEARCHES_PER_DAY = 0
    assert only(search(RowWork(title="On owls by day and night", year="2011"))).found_by == "none"


def test_a_row_that_could_not_be_asked_in_a_pause_costs_no_search(serve: Serve, settings: Any) -> None:
    settings.SEARCHES_PER_DAY = 1
    server = serve()
    for one in searches_from_settings():
        one.budget.pause(30)
    for found in search(OWLS, DATA, REFERENCE):
        assert found
        assert str(found.failure).startswith("requests pause for")
    (late,) = search_now([WantedSearch(OWLS)], caller="user:1", now=NOW, longest=-1.0)
    assert (late.found_by, server.requests) == ("could-not-ask", [])
    serve(DataCite=of_datacite("10.5072/owls", OWLS))
    assert only(search(OWLS)).suggested == "10.5072/owls"
    assert used_up(search(DATA))


def test_a_search_of_several_services_counts_once_although_the_first_fails(serve: Serve, settings: Any) -> None:
    settings.SEARCHES_PER_DAY = 2
    server = serve(Crossref=http(500, "oops"), DataCite=of_datacite("10.5072/owls", OWLS))
    assert only(search(OWLS)).found_by == "DataCite"
    assert services_of(server) == ["Crossref"] * 3 + ["DataCite"]
    assert only(search(REFERENCE)).services == ("DataCite",)
    assert [one and one.found_by for one in search(*count_owls(4))] == ["could-not-ask"] * 4
    assert services_of(server).count("DataCite") == 2


def test_the_searches_of_a_day_are_not_exceeded_by_requests_that_are_sent_together(serve: Serve, settings: Any) -> None:
    settings.SEARCHES_PER_DAY = 1
    server = serve(Crossref=of_crossref(describe("10.1/owls", OWLS)))
    assert [one and one.found_by for one in search(*count_owls(5))].count("could-not-ask") == 4
    assert services_of(server) == ["Crossref", "DataCite"]


def test_a_failed_search_is_not_sent_again_when_the_time_is_over(serve: Serve, settings: Any) -> None:
    settings.SEARCHES_PER_DAY = 2
    server = serve(Crossref=answer_slowly(http(400, "oops")))
    rows = count_owls(3)
    found = search(*rows, until=0.2)
    assert [one and one.found_by for one in found] == ["could-not-ask"] * 2 + [None]
    assert found[1]
    assert "127.0.0.1" in str(found[1].failure)
    assert services_of(server) == ["Crossref", "Crossref", "DataCite"]
    assert used_up(search(rows[2]))


def test_a_search_that_failed_before_a_pause_has_another_turn_for_the_next_service(serve: Serve) -> None:
    server = serve(Crossref=answer_slowly(http(429, {}, Retry_After="30")))
    rows = count_owls(2)
    first, second = search(*rows, until=0.2)
    assert first
    assert (first.services, second) == (("DataCite",), None)
    assert only(search(rows[1])).services == ("DataCite",)
    assert services_of(server) == ["Crossref", "Crossref", "DataCite", "DataCite"]


def test_a_search_that_has_begun_comes_before_those_that_have_not(serve: Serve) -> None:
    serve(Crossref=http(400, "oops"), DataCite=answer_slowly(NONE["DataCite"]))
    data = [replace(DATA, title=f"{DATA.title} {number}") for number in range(12)]
    found = search(data[0], OWLS, *data[1:], until=1.2)
    assert found[1]
    assert found[1].services == ("DataCite",)
    assert found[-1] is None


def test_a_search_that_a_pause_kept_from_one_service_has_another_turn_for_the_next(serve: Serve, settings: Any) -> None:
    settings.SEARCHES_PER_DAY = 4
    server = serve(DataCite=answer_slowly(NONE["DataCite"]))
    searches_from_settings()[0].budget.pause(30)
    rows = count_owls(4)
    left = [row for row, one in zip(rows, search(*rows, until=0.2), strict=True) if one is None]
    assert 0 < len(left) < 4
    assert [one and one.services for one in search(*left)] == [("DataCite",)] * len(left)
    assert services_of(server) == ["DataCite"] * 4


def test_a_service_that_answers_nonsense_gets_no_request_for_a_minute(serve: Serve) -> None:
    server = serve(Crossref=http(200, b"<html>"), DataCite=of_datacite("10.5072/owls", OWLS))
    found = search(*count_owls(8), OWLS)
    assert [one and one.found_by for one in found] == ["could-not-ask"] * 8 + ["DataCite"]
    assert services_of(server).count("Crossref") <= 4  # the third failure, and one that was under way with it
    assert 50 < searches_from_settings()[0].budget.get_pause() <= 60


def test_a_person_waits_only_so_long_for_a_service_that_never_answers(serve: Serve) -> None:
    serve(Crossref=silence, DataCite=of_datacite("10.5072/owls", OWLS))
    began = time.monotonic()
    (found,) = search_now([WantedSearch(OWLS)], caller="user:1", now=NOW, longest=1.2)
    assert time.monotonic() - began < 2
    assert (found.found_by, found.services) == ("DataCite", ("DataCite",))
    (late,) = search_now([WantedSearch(DATA)], caller="user:1", now=NOW, longest=-1.0)
    assert late.found_by == "could-not-ask"


def test_the_operators_own_service_is_searched_in_place_of_all_others(serve: Serve, settings: Any) -> None:
    public, settings.OPENALEX_KEY = serve(), "key"
    with RawServer(lambda request: of_crossref(describe("10.1/owls", OWLS))) as own:
        settings.SEARCH_URL = own.url
        assert list_search_hosts() == ["127.0.0.1"]
        found = only(search(OWLS))
    assert (found.found_by, found.suggested, found.services) == ("own-service", "10.1/owls", ("own-service",))
    assert own.targets[0].startswith("/works?rows=5&")
    assert not public.requests


def test_a_biblio_glutton_gives_one_work_or_none(settings: Any) -> None:
    def answer(request: Request) -> bytes:
        wanted = parse_qs(urlsplit(request.target).query)
        return http(200, describe("10.1/owls", OWLS)) if "atitle" in wanted else NO_RECORD

    with RawServer(answer) as own:
        settings.SEARCH_URL = f"{own.url}/service/lookup"
        found = search(OWLS, REFERENCE)
    assert [one and one.found_by for one in found] == ["own-service", "none"]
    assert sorted(own.targets)[0].startswith("/service/lookup?atitle=On%20owls%20and%20their%20silent%20flight&firstA")
    assert sorted(own.targets)[1].startswith("/service/lookup?biblio=Strix%2C%20A.%20%282011%29")


def test_the_operator_can_forbid_it(serve: Serve, settings: Any) -> None:
    server, settings.SEARCH = serve(), False
    assert only(search(OWLS)).found_by == "could-not-ask"
    assert (server.requests, list_search_hosts()) == ([], [])


def test_the_hosts_and_the_time_are_known_before(settings: Any) -> None:
    assert list_search_hosts() == ["api.crossref.org", "api.datacite.org"]
    assert estimate_search_seconds(600) == pytest.approx(300)  # two at a time, a second each
    settings.OPENALEX_KEY, settings.CONTACT_EMAIL = "key", ""
    assert list_search_hosts() == ["api.crossref.org", "api.datacite.org", "api.openalex.org"]
    assert estimate_search_seconds(600) == pytest.approx(600)
    settings.METADATA = False
    assert len(list_search_hosts()) == 3, "SEARCH doesn't need METADATA"

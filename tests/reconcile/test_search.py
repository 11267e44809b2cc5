"""The address that searches for the works of texts without a DOI; the services are those of the sample proxy."""

import json
from contextlib import ExitStack
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from jsonschema import Draft202012Validator

from resolver.models import TokenScope
from resolver.services.http.request_run import ATTEMPT, RequestRun
from resolver.services.logins.api_tokens import create_token
from resolver.services.proxy_answers.waiting_places import BATCH_PLACES, PROXY_PLACES
from resolver.standin.sample_works import build_sample_work
from resolver.standin.server import SampleProxyServer
from tests.proxy.raw_server import RawServer, http
from tests.reconcile.conftest import Reconcile
from tests.reconcile.specification import MANIFEST, RESULT_BATCH
from tests.reconcile.test_works import describe

pytestmark = pytest.mark.django_db(transaction=True)

SEARCH = "/reconcile/search"
ARTICLE, DATA, WITH_PREPRINT, NAMESAKE = (build_sample_work(number) for number in (22, 23, 24, 27))
UNLISTED = "Nobody ever wrote this quite improbable heading"


@pytest.fixture(autouse=True)
def _fast(settings: Any) -> None:
    settings.REDIS_URL, settings.CONTACT_EMAIL = "", "portal@library.example"
    settings.DOI_PROXY_BACKOFF = 0.01


def year_of(work: dict[str, Any]) -> int:
    return int(work["issued"]["date-parts"][0][0])


def author_of(work: dict[str, Any]) -> str:
    return f"{work['author'][0]['family']}, {work['author'][0]['given']}"


def cite(work: dict[str, Any]) -> str:
    title, journal, page = work["title"], work["container-title"], work["page"]
    return f"{author_of(work)} ({year_of(work)}): {title}. {journal} {work['volume']}, {page}."


def short(candidates: list[Any]) -> list[tuple[str, int]]:
    assert not any(one["match"] for one in candidates), "a person chooses"
    return [(one["id"], one["score"]) for one in candidates]


def searches(server: Any) -> list[str]:
    return [target for target in server.requests if target.startswith(("/works?", "/dois?"))]


AUTHOR_AND_YEAR = describe(author=author_of(ARTICLE), year=year_of(ARTICLE))


@pytest.mark.parametrize(
    ("text", "properties", "score"),
    [
        pytest.param(ARTICLE["title"], AUTHOR_AND_YEAR, 90, id="title, author and year"),
        pytest.param(ARTICLE["title"].upper(), AUTHOR_AND_YEAR, 90, id="in capitals"),
        pytest.param(f"  <i>{ARTICLE['title']}</i> . ", AUTHOR_AND_YEAR, 90, id="with markup"),
        pytest.param(
            ARTICLE["title"],
            describe(author=[author_of(ARTICLE)], container=ARTICLE["container-title"]),
            90,
            id="with its journal",
        ),
        pytest.param(cite(ARTICLE), [], 90, id="a whole reference"),
        pytest.param(
            "see the list of the library",
            [*describe(title=ARTICLE["title"]), *AUTHOR_AND_YEAR],
            90,
            id="a title of its own",
        ),
        pytest.param(ARTICLE["title"], [], 80, id="the title alone"),
        pytest.param(ARTICLE["title"], describe(year=year_of(ARTICLE)), 80, id="no author"),
        pytest.param(ARTICLE["title"], describe(author="Nemo, Nina"), 60, id="another author"),
        pytest.param(ARTICLE["title"], describe(author=author_of(ARTICLE), year=1901), 60, id="another year"),
    ],
)
def test_a_text_without_a_doi_gets_the_work_that_it_describes(
    text: str, properties: Any, score: int, reconcile: Reconcile
) -> None:
    (found,) = reconcile(text, properties=properties, address=SEARCH)
    assert short(found) == [(ARTICLE["DOI"], score)]
    assert found[0]["name"] == ARTICLE["title"]
    assert str(year_of(ARTICLE)) in found[0]["description"]


def test_a_work_of_datacite_is_found(reconcile: Reconcile) -> None:
    (found,) = reconcile(DATA["title"], properties=describe(author=author_of(DATA)), address=SEARCH)
    assert (DATA["DOI"], DATA["title"]) in [(one["id"], one["name"]) for one in found]


def test_a_preprint_and_its_article_are_both_offered_up_to_the_limit(reconcile: Reconcile) -> None:
    properties = describe(author=author_of(WITH_PREPRINT))
    (found,) = reconcile(WITH_PREPRINT["title"], properties=properties, address=SEARCH)
    assert {WITH_PREPRINT["DOI"], build_sample_work(25)["DOI"]} <= {one["id"] for one in found}
    scores = [score for _, score in short(found)]
    assert scores == sorted(set(scores), reverse=True)
    assert scores[0] <= 80
    (few,) = reconcile(WITH_PREPRINT["title"], properties=properties, address=SEARCH, limit=1)
    assert few == found[:1]


def test_another_work_of_the_same_title_is_told_by_its_author(reconcile: Reconcile) -> None:
    (found,) = reconcile(NAMESAKE["title"], properties=describe(author=author_of(NAMESAKE)), address=SEARCH)
    assert found[0]["id"] == NAMESAKE["DOI"]
    assert all("other authors" in one["description"] for one in found if one["score"] <= 60)


@pytest.mark.parametrize("text", [UNLISTED, f"{ARTICLE['title']} of quite another kind and time"])
def test_a_work_that_no_service_lists_has_an_empty_result(
    text: str, reconcile: Reconcile, standin: SampleProxyServer
) -> None:
    assert reconcile(text, address=SEARCH) == [[]]
    assert len(searches(standin)) == 2, "Crossref and DataCite"


@pytest.mark.parametrize(
    ("text", "properties"),
    [
        ("", []),
        ("Annual report", describe(author="Nemo, Nina", year=1999)),
        ("Three short words", describe(title=ARTICLE["title"])),
        ("a . . - ! ? / b", []),
        ("https://example.org/a/title/of/many/words", []),
        ("word " * 500, []),
        ("\u202e\u200b \ud800 \0 " * 20, []),
    ],
)
def test_of_too_few_words_or_too_many_nothing_is_sent(
    text: str, properties: Any, reconcile: Reconcile, standin: SampleProxyServer
) -> None:
    assert reconcile(text, properties=properties, address=SEARCH) == [[]]
    assert not searches(standin)


@pytest.mark.parametrize(
    "text", ["10.5555/plain", "10.5555/missing and the words of a title", "10.1000/182]", "10/p54k"]
)
def test_a_text_with_a_doi_is_answered_as_without_a_search(
    text: str, reconcile: Reconcile, standin: SampleProxyServer
) -> None:
    properties = describe(title=ARTICLE["title"], author=author_of(ARTICLE))
    for given in ([], properties):
        reconcile(text, properties=given)  # the comparison learns the agency, which later answers name
        assert reconcile(text, properties=given, address=SEARCH) == reconcile(text, properties=given)
    assert not [target for target in searches(standin) if "query" in target]


@pytest.mark.parametrize("address", ["/reconcile", "/reconcile/quick"])
def test_no_other_address_ever_searches(address: str, reconcile: Reconcile, standin: SampleProxyServer) -> None:
    assert reconcile(ARTICLE["title"], cite(ARTICLE), UNLISTED, properties=AUTHOR_AND_YEAR, address=address) == [[]] * 3
    assert standin.requests == []


def test_typing_a_title_searches_nothing(client: Client, standin: SampleProxyServer) -> None:
    assert client.get("/reconcile/entities", {"prefix": ARTICLE["title"]}).json() == {"result": []}
    assert not searches(standin)


def test_only_the_words_of_the_work_are_sent(reconcile: Reconcile, standin: SampleProxyServer) -> None:
    properties = [*AUTHOR_AND_YEAR, *describe(note="secret", barcode="12345678")]
    reconcile(f"{ARTICLE['title']} https://intranet.example/secret", properties=properties, address=SEARCH)
    (asked,) = parse_qs(urlsplit(searches(standin)[0]).query)["query.bibliographic"]
    assert asked == f"{ARTICLE['title']} {ARTICLE['author'][0]['family']} {year_of(ARTICLE)}"
    assert not any("secret" in target or "12345678" in target for target in standin.requests)


def test_without_metadata_the_properties_are_still_searched_with(reconcile: Reconcile, settings: Any) -> None:
    settings.METADATA = False
    (found,) = reconcile(ARTICLE["title"], properties=AUTHOR_AND_YEAR, address=SEARCH)
    assert short(found) == [(ARTICLE["DOI"], 90)]


def test_equal_queries_and_a_second_batch_are_searched_once(reconcile: Reconcile, standin: SampleProxyServer) -> None:
    texts = [ARTICLE["title"], ARTICLE["title"].lower()]
    first = reconcile(*texts, properties=AUTHOR_AND_YEAR, address=SEARCH)
    assert [len(one) for one in first] == [1, 1]
    asked = searches(standin)
    assert len([target for target in asked if "query" in target]) == 1
    assert reconcile(*texts, properties=AUTHOR_AND_YEAR, address=SEARCH) == first
    assert searches(standin) == asked


def test_a_found_work_that_is_not_registered_is_no_candidate(reconcile: Reconcile, settings: Any) -> None:
    works = [
        {"DOI": name, "title": [UNLISTED], "author": [{"family": "Nemo", "given": "Nina"}]}
        for name in ("10.5555/missing-work", "no DOI", "10.5555/plain-work")
    ]
    with RawServer(lambda request: http(200, {"message": {"items": works}, "data": []})) as server:
        settings.METADATA_SERVICE_URL = server.url
        (found,) = reconcile(UNLISTED, properties=describe(author="Nemo, Nina"), address=SEARCH)
    assert [one["id"] for one in found] == ["10.5555/plain-work"]


def test_names_and_descriptions_of_strangers_are_bounded(post: Any, settings: Any) -> None:
    title = UNLISTED + " <script>" * 300
    work = {"DOI": "10.5555/plain-work", "title": [title], "container-title": ["y" * 90_000]}
    with RawServer(lambda request: http(200, {"message": {"items": [work] * 50}, "data": []})) as server:
        settings.METADATA_SERVICE_URL = server.url
        response = post("queries", {"q0": {"query": title[:1990]}}, SEARCH)
    assert response.status_code == 200
    assert len(response.content) < 5000


@pytest.mark.parametrize("fault", ["busy", "garbage", "html", "forbidden", "reset"])
def test_a_batch_that_a_service_leaves_unanswered_has_no_result(fault: str, post: Any, settings: Any) -> None:
    settings.PROXY_LONGEST_PAUSE = 0.01
    batch = {"q0": {"query": "10.5555/plain"}, "q1": {"query": f"fault {fault} of the tested services"}}
    response = post("queries", batch, SEARCH)
    assert (response.status_code, response.has_header("Retry-After")) == (503, True)
    assert "1 of" in response.json()["detail"]
    assert "result" not in response.content.decode()


def test_a_batch_has_no_result_while_the_proxy_cannot_be_asked_about_what_was_found(post: Any, settings: Any) -> None:
    settings.DOI_PROXY_URL = "http://127.0.0.1:9"
    response = post("queries", {"q0": {"query": ARTICLE["title"]}}, SEARCH)
    assert (response.status_code, response.has_header("Retry-After")) == (503, True)


def test_a_batch_without_a_place_is_run_again_by_the_web_server(post: Any, standin: SampleProxyServer) -> None:
    attempt = RequestRun()
    token = ATTEMPT.set(attempt)
    try:
        with ExitStack() as stack:
            for _ in range(BATCH_PLACES):
                stack.enter_context(PROXY_PLACES.keep_place(is_batch=True))
                stack.enter_context(PROXY_PLACES.take_place())
            assert post("queries", {"q0": {"query": ARTICLE["title"]}}, SEARCH).status_code == 503
    finally:
        ATTEMPT.reset(token)
    assert attempt.turned_back
    assert standin.requests == []


def test_searches_of_a_day_count_for_the_account_of_a_token_or_for_the_address(
    client: Client, standin: SampleProxyServer, settings: Any
) -> None:
    settings.SEARCHES_PER_DAY = 1
    user = User.objects.create_user("ada", password="a long enough word")
    keys = [create_token(user, name, TokenScope.READ, now=timezone.now())[1] for name in ("one", "two")]

    def search(number: int, key: str = "") -> int:
        queries = {"q0": {"query": build_sample_work(number)["title"]}}
        address = f"{SEARCH}/{key}" if key else SEARCH
        return client.post(address, {"queries": json.dumps(queries)}).status_code

    assert [search(42), search(62), search(42)] == [200, 503, 200], "a stored answer costs nothing"
    assert [search(62, keys[0]), search(82, keys[1])] == [200, 503], "two tokens of one account"


def test_a_portal_that_may_not_search_has_no_such_address(client: Client, settings: Any, standin: Any) -> None:
    settings.SEARCH = False
    assert client.get(SEARCH).status_code == 404
    response = client.post(SEARCH, {"queries": json.dumps({"q0": {"query": ARTICLE["title"]}})})
    assert (response.status_code, response["Content-Type"]) == (404, "application/problem+json")
    assert response["Access-Control-Allow-Origin"] == "*"
    assert client.get("/reconcile").status_code == 200
    assert standin.requests == []
    assert SEARCH not in client.get("/help/openrefine").content.decode()


def test_the_manifest_says_where_titles_are_sent(client: Client, settings: Any) -> None:
    settings.METADATA_SERVICE_URL = ""
    manifest = client.get(SEARCH).json()
    Draft202012Validator(MANIFEST).validate(manifest)
    assert manifest["batchSize"] == 10
    page = client.get("/help/openrefine").content.decode()
    assert SEARCH in page
    for host in ("api.crossref.org", "api.datacite.org"):
        assert host in manifest["name"]
        assert host in page
    settings.SEARCH_URL = "http://glutton.library.example:8080/service/lookup"
    assert "glutton.library.example" in client.get(SEARCH).json()["name"]
    assert "crossref" not in client.get(SEARCH).json()["name"]


def test_a_column_can_be_extended_at_the_same_address(extend: Any) -> None:
    rows = extend([ARTICLE["DOI"]], ["outcome", "title"], address=SEARCH)["rows"]
    assert rows[ARTICLE["DOI"]] == {"outcome": [{"str": "resolved"}], "title": [{"str": ARTICLE["title"]}]}


def test_fifty_titles_are_answered_in_the_shape_of_the_specification(post: Any) -> None:
    works = [build_sample_work(number * 20) for number in range(1, 11)]
    queries = {f"q{place}": {"query": works[place % 10]["title"]} for place in range(50)}
    found = post("queries", queries, SEARCH).json()
    Draft202012Validator(RESULT_BATCH).validate(found)
    assert [works[place % 10]["DOI"] in [one["id"] for one in found[f"q{place}"]["result"]] for place in range(50)]
    assert post("queries", queries | {"q50": {"query": "x"}}, SEARCH).status_code == 413

"""What a cell gets: registered DOIs with scores, and a match only where nothing is in doubt."""

import json
from pathlib import Path
from typing import Any

import pytest

from resolver.models import Lookup, StoredAnswer
from resolver.standin.generated_names import build_handle_value
from resolver.standin.server import SampleProxyServer
from tests.reconcile.conftest import Reconcile

pytestmark = pytest.mark.django_db


def short(candidates: list[Any]) -> list[tuple[str, int, bool]]:
    assert all(one["name"] == one["id"] for one in candidates), "clients write the name into the catalogue"
    return [(one["id"], one["score"], one["match"]) for one in candidates]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("10.5555/plain", "10.5555/plain"),
        ("10.5555/PlAiN", "10.5555/PlAiN"),
        ("https://doi.org/10.5555/plain", "10.5555/plain"),
        ("doi:10.5555/plain", "10.5555/plain"),
        ("http://dx.doi.org/10.5555/plain", "10.5555/plain"),
        ("  10.5555/plain ", "10.5555/plain"),
        ("10.5555/nourl", "10.5555/nourl"),
        ("10.5555/deleted", "10.5555/deleted"),
    ],
)
def test_a_registered_name_as_given_is_a_match(text: str, name: str, reconcile: Reconcile) -> None:
    assert short(reconcile(text)[0])[:1] == [(name, 100, True)]


@pytest.mark.parametrize(
    "text",
    [
        "https://doi.org/10.5555/plain#missing",  # the link is cut
        "10.5555/plain and 10.5555/other",  # another DOI beside it
        "10.5555/plain; 10.5555/missing",
        "10.5555/plain xy-12",  # perhaps one name with a space
        "https://doi.org/10.5555/plain?missing",
    ],
)
def test_a_registered_name_in_a_doubtful_text_is_no_match(text: str, reconcile: Reconcile) -> None:
    found = short(reconcile(text)[0])
    assert ("10.5555/plain", 100) in [one[:2] for one in found]
    assert not any(match for _, _, match in found)


@pytest.mark.parametrize("text", ["10.5555/missing", "nothing of the kind", "", "10.5556/none", "10.5555"])
def test_a_text_without_a_registered_doi_has_an_empty_result(text: str, reconcile: Reconcile) -> None:
    assert reconcile(text) == [[]]


def test_a_suggestion_scores_90_and_never_matches(reconcile: Reconcile) -> None:
    (found,) = reconcile("10.1000/182]")
    assert short(found) == [("10.1000/182", 90, False)]
    assert found[0]["description"]


def test_a_suggestion_is_examined_by_its_record(reconcile: Reconcile, settings: Any, tmp_path: Path) -> None:
    values = {
        "10.1000/good": ("URL", "https://example.org/"),
        "10.1000/gone": ("URL", "https://www.crossref.org/_deleted-doi/"),
        "10.1000/old": ("HS_ALIAS", "10.1000/good"),
    }
    records = [
        {"doi": name, "ra": "Crossref", "values": [build_handle_value(1, *value)]} for name, value in values.items()
    ]
    (tmp_path / "records.json").write_text(json.dumps({"prefixes": {"10.1000": "Crossref"}, "records": records}))
    with SampleProxyServer(tmp_path / "records.json") as few:
        settings.DOI_PROXY_URL = few.url
        good, gone, old = map(short, reconcile("10.1000/good.", "10.1000/gone.", "10.1000/old."))
    assert good == [("10.1000/good", 90, False)]
    assert gone == [("10.1000/gone", 20, False)], "it may not lead to the work"
    assert old[0] == ("10.1000/good", 90, False), "the main DOI"


def test_a_short_doi_gives_the_doi_behind_it(reconcile: Reconcile) -> None:
    assert [(score, match) for _, score, match in short(reconcile("10/p54k")[0])] == [(90, False)]


def test_the_main_doi_of_an_alias_comes_second(reconcile: Reconcile) -> None:
    assert short(reconcile("10.5555/alias-1")[0]) == [("10.5555/alias-1", 100, True), ("10.5555/target-1", 90, False)]


def test_other_dois_of_the_text_come_last(reconcile: Reconcile) -> None:
    (found,) = reconcile("see 10.5555/a, 10.5555/missing-b and 10.5555/c")
    assert short(found) == [("10.5555/a", 100, False), ("10.5555/c", 60, False)]


def test_a_guess_scores_lowest_and_never_matches(reconcile: Reconcile) -> None:
    (found,) = reconcile("10.1000/18Z")
    assert all((one["score"], one["match"]) == (10, False) for one in found)


def test_the_best_come_first_and_the_limit_holds(reconcile: Reconcile) -> None:
    text = " ".join(f"10.5555/n{number}" for number in range(30))
    (found,) = reconcile(text)
    scores = [one["score"] for one in found]
    assert scores == sorted(scores, reverse=True)
    assert len({one["id"] for one in found}) == len(found) <= 20
    for limit in (3, 3.0):
        (few,) = reconcile(text, limit=limit)
        assert few == found[:3]


def test_queries_of_openrefine_with_types_and_properties_are_answered(reconcile: Reconcile) -> None:
    properties = [{"pid": "ra", "v": "Crossref"}, {"pid": "x", "v": {"id": "10.5555/a", "name": "b"}}]
    (found,) = reconcile("10.5555/plain", type="doi", type_strict="should", properties=properties, limit=5)
    assert short(found) == [("10.5555/plain", 100, True)]
    assert found[0]["type"] == [{"id": "doi", "name": "DOI name"}]


def test_a_query_without_a_text_has_an_empty_result(post: Any) -> None:
    assert post("queries", {"q0": {"properties": [{"pid": "ra", "v": "Crossref"}]}}).json() == {"q0": {"result": []}}


def test_the_quick_service_asks_which_ra_alone(reconcile: Reconcile, standin: SampleProxyServer) -> None:
    found = reconcile("10.5555/plain", "10.5555/missing", "10.1000/182", address="/reconcile/quick")
    assert [short(one) for one in found] == [
        [("10.5555/plain", 100, True)],
        [],
        [("10.1000/182", 100, True)],
    ]
    assert {target.split("/")[1] for target in standin.requests} == {"doiRA"}


def test_nothing_is_written_into_a_history_and_answers_are_stored_for_all(
    reconcile: Reconcile, standin: SampleProxyServer, client: Any
) -> None:
    first = reconcile("10.5555/kept", "10.5555/missing-kept")
    asked = len(standin.requests)
    assert reconcile("10.5555/kept", "10.5555/missing-kept") == first
    assert len(standin.requests) == asked, "the second batch was answered from the store"
    assert not Lookup.objects.exists()
    assert StoredAnswer.objects.filter(name="10.5555/kept").exists()
    assert not client.cookies, "and no session begins"


@pytest.mark.parametrize("word", ["error", "html", "garbage", "busy", "forbidden", "wrongname"])
def test_a_batch_with_a_text_that_could_not_be_checked_has_no_answer(word: str, post: Any, settings: Any) -> None:
    settings.DOI_PROXY_ATTEMPTS, settings.PROXY_LONGEST_PAUSE = 1, 0.01
    response = post("queries", {"q0": {"query": "10.5555/plain"}, "q1": {"query": f"10.5555/{word}"}})
    assert response.status_code == 503
    assert int(response["Retry-After"]) > 0
    assert (response["Content-Type"], response.json()["status"]) == ("application/problem+json", 503)
    assert "result" not in response.content.decode()


def test_a_batch_has_no_answer_while_the_proxy_is_away(post: Any, settings: Any) -> None:
    settings.DOI_PROXY_URL = "http://127.0.0.1:9"
    for address in ("/reconcile", "/reconcile/quick"):
        response = post("queries", {"q0": {"query": "10.5555/plain"}}, address)
        assert (response.status_code, response.has_header("Retry-After")) == (503, True)


def test_the_answers_of_a_batch_that_failed_are_kept_for_the_next_attempt(
    post: Any, standin: SampleProxyServer
) -> None:
    batch = {f"q{n}": {"query": f"10.5555/kept.{n}"} for n in range(9)} | {"q9": {"query": "10.5555/once.error.1"}}
    assert post("queries", batch).status_code == 503
    asked = len(standin.requests)
    assert post("queries", batch).status_code == 200
    assert len(standin.requests) == asked + 1


@pytest.mark.parametrize(("size", "batches"), [(50, 2), (10, 10)])
def test_a_clean_cell_costs_one_request(
    size: int, batches: int, reconcile: Reconcile, standin: SampleProxyServer
) -> None:
    for batch in range(batches):
        names = [f"10.5555/clean.{size}.{batch}.{n}" for n in range(size)]
        assert [short(one) for one in reconcile(*names)] == [[(name, 100, True)] for name in names]
    assert len(standin.requests) == size * batches

"""A query that describes a work matches only the DOI of that work."""

import time
from typing import Any

import pytest

from resolver.standin.server import SampleProxyServer
from tests.proxy.raw_server import RawServer, http
from tests.reconcile.conftest import Reconcile

pytestmark = pytest.mark.django_db

NAME = "10.5555/reconciled"
TITLE = f"Sample title of {NAME}"


def describe(**values: Any) -> list[dict[str, Any]]:
    return [{"pid": name, "v": value} for name, value in values.items()]


def find(reconcile: Reconcile, *properties: dict[str, Any], text: str = NAME, **options: Any) -> Any:
    ((found, *_),) = reconcile(text, properties=list(properties), **options)
    return found


@pytest.mark.parametrize(
    "title", [TITLE, TITLE.upper(), [TITLE], {"id": "x", "name": TITLE}, [{"name": TITLE}, {"name": "Another"}]]
)
@pytest.mark.parametrize("address", ["/reconcile", "/reconcile/quick"])
def test_the_same_title_is_a_match(title: Any, address: str, reconcile: Reconcile) -> None:
    found = find(reconcile, *describe(title=title), address=address)
    assert (found["id"], found["score"], found["match"]) == (NAME, 100, True)
    assert "the same work" in found["description"]


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"title": "Birds of the coast", "author": "Okafor, C.", "year": 1931}, "The record has another title."),
        ({"title": TITLE, "author": ["Okafor, Chidi", "Sato, Ken"]}, "The record names other authors."),
        ({"title": TITLE, "year": "1931"}, "1931 in your row"),
        ({"author": "Mustermann, Ada"}, "no title to compare"),
        ({"year": 2001}, "no title to compare"),
    ],
)
def test_another_work_or_one_that_cannot_be_told_is_no_match(
    values: dict[str, Any], why: str, reconcile: Reconcile
) -> None:
    found = find(reconcile, *describe(**values))
    assert (found["id"], found["score"], found["match"]) == (NAME, 100, False)
    assert why in found["description"]


@pytest.mark.parametrize(
    "properties",
    [
        [],
        "title",
        {"pid": "title"},
        [None, 1, "title", []],
        [{"pid": ["title"], "v": "Birds"}],
        [{"pid": "title"}, {"pid": "title", "v": None}, {"pid": "title", "v": True}, {"pid": "title", "v": "  "}],
        [{"pid": "title", "v": {"id": "Q1"}}, {"pid": "title", "v": [[["Birds"]]]}],
        [{"pid": "colour", "v": "red"}],
    ],
)
def test_properties_that_describe_nothing_change_nothing(
    properties: Any, reconcile: Reconcile, standin: SampleProxyServer
) -> None:
    ((found, *_),) = reconcile(NAME, properties=properties)
    assert found["match"] is True
    assert not any(target.startswith("/works") for target in standin.requests)


def test_huge_properties_are_bounded(reconcile: Reconcile) -> None:
    properties = [{"pid": "author", "v": ["x" * 3000] * 20}] * 50 + describe(title="b" * 50_000)
    assert find(reconcile, *properties)["match"] is False


def test_without_metadata_the_properties_are_ignored(
    reconcile: Reconcile, settings: Any, standin: SampleProxyServer
) -> None:
    settings.METADATA = False
    assert find(reconcile, *describe(title="Birds of the coast"))["match"] is True
    assert not any(target.startswith("/works") for target in standin.requests)


def test_fifty_queries_are_one_list_of_works(post: Any, standin: SampleProxyServer) -> None:
    names = [f"10.5555/of-fifty-{number}" for number in range(50)]
    queries = {
        name: {"query": name, "properties": describe(title=f"Sample title of {name}" if place % 2 else "Birds")}
        for place, name in enumerate(names)
    }
    found = post("queries", queries).json()
    assert [found[name]["result"][0]["match"] for name in names] == [False, True] * 25
    targets = [target.partition("?")[0].split("/")[1] for target in standin.requests]
    assert (targets.count("works"), targets.count("doiRA")) == (1, 1)


def test_a_service_that_is_down_makes_no_match_and_no_error(reconcile: Reconcile, settings: Any) -> None:
    with RawServer(lambda request: http(502, "down")) as server:
        settings.METADATA_SERVICE_URL = server.url
        began = time.monotonic()
        found = find(reconcile, *describe(title=TITLE), text="10.5555/without-answer")
    assert (found["match"], found["score"]) == (False, 100)
    assert "couldn't be compared" in found["description"]
    assert time.monotonic() - began < 15


def test_a_candidate_that_was_no_match_stays_none(reconcile: Reconcile) -> None:
    text = f"{NAME}; 10.5555/beside"
    assert find(reconcile, *describe(title=TITLE), text=text)["match"] is False

"""Lists of works, asked of a server of raw bytes: what is requested, and what each kind of answer means."""

from collections.abc import Callable
from typing import Any

import pytest

from resolver.domain.handle.answers import Failure, ProxyError, Unreachable
from resolver.domain.work.metadata import NoMetadata, NoMetadataReason, WorkMetadata
from resolver.proxy.client import ProxyClient
from resolver.proxy.limits import FileBudget
from resolver.proxy.work_lists import MOST_NAMES, WORK_SERVICES, split_work_lists
from tests.proxy.conftest import config_for
from tests.proxy.raw_server import PAGE, RawServer, http

CROSSREF, DATACITE = WORK_SERVICES["Crossref"], WORK_SERVICES["DataCite"]
MISSING = NoMetadata(NoMetadataReason.NOT_AVAILABLE, "127.0.0.1")


@pytest.fixture
def ask(budget: FileBudget) -> Callable[..., Any]:
    def send(answer: Any, names: list[str], agency: str = "Crossref") -> Any:
        with RawServer(lambda request: answer) as server, ProxyClient(config_for(server.url), budget) as client:
            return client.find_works(names, WORK_SERVICES[agency]), server.targets

    return send


def test_fifty_names_are_one_request_and_a_comma_stands_alone() -> None:
    names = [f"10.1/{number}" for number in range(120)]
    names[3] = "10.1/a,b"
    lists = list(split_work_lists(names))
    assert sorted(map(len, lists)) == [1, 19, MOST_NAMES, MOST_NAMES]
    assert ["10.1/a,b"] in lists
    assert sorted(name for some in lists for name in some) == sorted(names)


def test_long_names_share_a_request_only_while_its_address_is_short() -> None:
    assert [len(some) for some in split_work_lists(["10.1/" + "ä" * 600] * 3)] == [1, 1, 1]


def test_crossref_gets_the_encoded_names_in_one_filter(ask: Callable[..., Any]) -> None:
    body = {"message": {"items": [{"DOI": "10.1/a#b", "title": ["One"]}, {"DOI": "10.1/other", "title": ["Other"]}]}}
    found, targets = ask(http(200, body), ["10.1/A#b", "10.1/c&d"])
    assert isinstance(found["10.1/a#b"], WorkMetadata)
    assert (found["10.1/a#b"].title, found["10.1/c&d"]) == ("One", MISSING)
    assert set(found) == {"10.1/a#b", "10.1/c&d"}  # a record for another name is no answer
    assert targets[0].startswith("/works?rows=50&select=DOI,title,")
    assert targets[0].endswith("&filter=doi:10.1%2FA%23b,doi:10.1%2Fc%26d")


def test_one_name_has_an_address_of_its_own(ask: Callable[..., Any]) -> None:
    found, targets = ask(http(200, {"message": {"DOI": "10.1/a,b", "title": ["One"]}}), ["10.1/a,b"])
    assert (found["10.1/a,b"].title, targets) == ("One", ["/works/10.1%2Fa%2Cb"])
    found, targets = ask(http(404, "Resource not found."), ["10.1/a"], "DataCite")
    assert (found, targets) == ({"10.1/a": MISSING}, ["/dois/10.1%2Fa"])


def test_datacite_gives_titles_creators_versions_and_years(ask: Callable[..., Any]) -> None:
    attributes = {
        "doi": "10.5281/ZENODO.1",
        "titles": [{"title": "Soil"}, {"title": "A history", "titleType": "Subtitle"}],
        "creators": [{"name": "Miller, Anna", "familyName": "Miller", "givenName": "Anna"}, {"name": "Soil Group"}],
        "publicationYear": 2016,
        "types": {"citeproc": "dataset"},
        "relatedIdentifiers": [{"relationType": "IsVersionOf", "relatedIdentifier": "10.5281/zenodo.0"}],
    }
    body = {"data": [{"id": "10.5281/zenodo.1", "attributes": attributes}, None, {"attributes": [1]}]}
    found, targets = ask(http(200, body), ["10.5281/zenodo.1", "10.5281/zenodo.2"], "DataCite")
    work = found["10.5281/zenodo.1"]
    assert (work.titles, work.years, work.type) == (("Soil", "Soil: A history"), (2016,), "dataset")
    assert ([str(person) for person in work.people], work.relations) == (
        ["Miller, Anna", "Soil Group"],
        ("is-version-of",),
    )
    assert targets == ["/dois?page%5Bsize%5D=50&ids=10.5281%2Fzenodo.1,10.5281%2Fzenodo.2"]


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (http(429, "slow down"), Unreachable),
        (http(503, "down"), Unreachable),
        (http(400, "what?"), ProxyError),
        (http(404, "gone"), ProxyError),  # of a list: the service itself isn't there
        (PAGE, ProxyError),
        (http(200, {"message": None}), ProxyError),
        (http(200, "[" * 10_000), ProxyError),
        (http(200, [1, 2]), ProxyError),
    ],
)
def test_no_other_answer_is_a_verdict(ask: Callable[..., Any], answer: bytes, kind: type[Failure]) -> None:
    found, _ = ask(answer, ["10.1/a", "10.1/b"])
    assert isinstance(found, kind), found


def test_nothing_is_requested_for_names_that_no_address_can_hold(ask: Callable[..., Any]) -> None:
    assert ask(http(500, ""), ["10.1/\ud800"]) == ({}, [])

"""What a 404 of a search service means."""

from typing import Any

import pytest

from resolver.domain.handle.answers import Failure, ProxyError
from resolver.domain.work.search_query import SearchQuery
from resolver.proxy.client import ProxyClient
from resolver.proxy.limits import FileBudget
from resolver.proxy.work_searches import Hits, choose_own_service
from tests.proxy.conftest import config_for
from tests.proxy.raw_server import RawServer, http


def search_at(url: str, budget: FileBudget) -> Hits | Failure:
    with ProxyClient(config_for(url), budget, patience=3.0) as client:
        return client.search(SearchQuery("Owls"), choose_own_service(url), begin=lambda: None)


@pytest.mark.parametrize(
    "message",
    [
        "No matching document found",
        "No bibliographical record found",
        "No metadata available for post-validation",
        "Best bibliographical record did not passed the post-validation",
        "Cannot find records for the input query.",
        "Cannot find records or mapping Ids for the input query.",
        "Cannot find bibliographical records or map ID for the input query",
    ],
)
def test_a_biblio_glutton_says_in_its_own_words_that_nothing_fits(message: str, budget: FileBudget) -> None:
    with RawServer(lambda request: http(404, {"message": message})) as server:
        assert search_at(f"{server.url}/service/lookup", budget) == ()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>Not Found</html>",
        b"[" * 100_000,
        [],
        {"code": 404, "message": "HTTP 404 Not Found"},
        {"code": 404, "message": "No matching document found"},
        {"message": "no Route matched with those values"},
        {"message": "Not Found"},
        {"message": ["No matching document found"]},
        {"message": "no " * 100_000},
        {"detail": "No record found"},
    ],
    ids="empty page nested list path code gateway short no-text long other".split(),
)
def test_another_404_is_a_failure_that_names_the_address_without_a_password(body: Any, budget: FileBudget) -> None:
    with RawServer(lambda request: http(404, body)) as server:
        with_password = server.url.replace("://", "://reader:s%23cret@")
        for root, asked in (
            (f"{with_password}/servce/lookup", f"{server.url}/servce/lookup"),
            (f"{with_password}/wrong", f"{server.url}/wrong/works"),
        ):
            assert search_at(root, budget) == ProxyError(f"{asked} answered with HTTP 404")
    assert len(server.requests) == 2, "another attempt would end in the same way"

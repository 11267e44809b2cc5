"""Clients of the reconciliation service on pages of other sites, and the real stand-in over a socket behind it."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from resolver.standin.server import SampleProxyServer

ELSEWHERE = {"Origin": "https://refine.example", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}
"""What a browser sends with the request of a page of another site."""
Json = Any
Reconcile = Callable[..., Json]


@pytest.fixture(scope="session")
def standin() -> Iterator[SampleProxyServer]:
    with SampleProxyServer() as server:
        yield server


@pytest.fixture(autouse=True)
def _portal(settings: Any, tmp_path: Path, standin: SampleProxyServer) -> None:
    settings.DOIPORTAL_DATA_DIR = tmp_path
    settings.DOI_PROXY_URL = settings.METADATA_SERVICE_URL = standin.url
    standin.reset()


@pytest.fixture
def client() -> Client:
    """A client on a page of another site; CSRF is checked as a real server does."""
    return Client(enforce_csrf_checks=True, headers=ELSEWHERE)


@pytest.fixture
def post(client: Client) -> Callable[..., Any]:
    """POST of a form with one field of JSON, or of text as it stands; returns the response."""

    def send(field: str, content: Any, address: str = "/reconcile") -> Any:
        return client.post(address, {field: content if isinstance(content, str) else json.dumps(content)})

    return send


@pytest.fixture
def reconcile(post: Callable[..., Any]) -> Reconcile:
    """The candidates of each text, in order."""

    def ask(*texts: str, address: str = "/reconcile", **members: Any) -> list[list[Json]]:
        response = post("queries", {f"q{n}": {"query": text, **members} for n, text in enumerate(texts)}, address)
        assert response.status_code == 200, response.content
        found = response.json()
        assert list(found) == [f"q{n}" for n in range(len(texts))]
        return [one["result"] for one in found.values()]

    return ask


@pytest.fixture
def extend(post: Callable[..., Any]) -> Callable[..., Json]:
    """The rows of an extension."""

    def ask(ids: list[str], properties: list[str], address: str = "/reconcile") -> Json:
        response = post("extend", {"ids": ids, "properties": [{"id": one} for one in properties]}, address)
        assert response.status_code == 200, response.content
        return response.json()

    return ask

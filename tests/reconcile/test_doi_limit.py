"""Clients that send too many cells in a minute."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def batch(*texts: str) -> dict[str, dict[str, str]]:
    return {f"q{n}": {"query": text} for n, text in enumerate(texts)}


@pytest.fixture(autouse=True)
def _limit(settings: Any) -> None:
    settings.API_DOIS_PER_MINUTE = 5


def test_cells_ids_and_previews_count_and_the_client_hears_when_to_try_again(
    post: Callable[..., Any], client: Client
) -> None:
    assert post("queries", batch("10.5555/a", "10.5555/b")).headers["RateLimit"].startswith('"dois";r=3;')
    extended = post("extend", {"ids": ["10.5555/a"], "properties": [{"id": "ra"}]})
    assert extended.headers["RateLimit"].startswith('"dois";r=2;')
    assert client.get("/reconcile/preview?id=10.5555/a").headers["RateLimit"].startswith('"dois";r=1;')
    refused = post("queries", batch("10.5555/a", "10.5555/b"))
    assert (refused.status_code, refused.json()["status"]) == (429, 429)
    assert 1 <= int(refused.headers["Retry-After"]) <= 60
    assert refused.headers["Access-Control-Allow-Origin"] == "*"
    assert "Retry-After" in refused.headers["Access-Control-Expose-Headers"]
    assert post("queries", batch("10.5555/a")).status_code == 200


def test_a_batch_that_never_fits_is_told_to_be_smaller(post: Callable[..., Any]) -> None:
    refused = post("queries", batch(*["10.5555/a"] * 6))
    assert refused.status_code == 413
    assert "Send fewer in one request" in refused.json()["detail"]


def test_the_manifest_and_properties_cost_nothing(client: Client) -> None:
    for address in ("/reconcile", "/reconcile/properties?prefix=ra", "/reconcile/proposals?type=doi"):
        assert "RateLimit" not in client.get(address).headers

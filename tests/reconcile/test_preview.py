"""The small page in a frame: no scripts, and no other page of the portal beside it."""

from typing import Any

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def test_any_site_may_show_it_in_a_frame_and_nothing_runs_in_it(client: Client) -> None:
    response = client.get("/reconcile/preview", {"id": "10.5555/plain"})
    policy = dict(part.strip().split(" ", 1) for part in response["Content-Security-Policy"].split(";"))
    assert policy["frame-ancestors"] == "*"
    assert (policy["default-src"], policy["script-src"], policy["form-action"]) == ("'none'", "'none'", "'none'")
    assert not response.has_header("X-Frame-Options")
    page = response.content.decode()
    assert not any(word in page for word in ("<script", "style=", "onclick", "<form"))
    assert "Crossref" in page
    assert "https://example.org/landing/plain" in page


@pytest.mark.parametrize("address", ["/", "/help", "/records?name=10.5555/plain", "/reconcile", "/help/openrefine"])
def test_no_other_page_may_stand_in_a_frame(address: str, client: Client) -> None:
    assert client.get(address)["X-Frame-Options"] == "DENY"


def test_it_shows_no_address_that_is_not_of_the_web_as_a_link(client: Client) -> None:
    page = client.get("/reconcile/preview", {"id": "10.5555/unsafe"}).content.decode()
    assert 'href="javascript' not in page


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", '10.5555/"><b>', "10.5555/\u202e", "10.5555/missing"])
def test_ids_of_any_characters_are_shown_as_text(name: str, client: Client) -> None:
    response = client.get("/reconcile/preview", {"id": name})
    assert response.status_code == 200
    assert "<script" not in response.content.decode()
    assert "<b>" not in response.content.decode()


@pytest.mark.parametrize("name", ["", "x" * 20_000])
def test_without_an_id_there_is_no_page(name: str, client: Client) -> None:
    assert client.get("/reconcile/preview", {"id": name}).status_code == 400


def test_it_is_in_the_language_of_its_reader(client: Client) -> None:
    page = client.get("/reconcile/preview", {"id": "10.5555/plain"}, headers={"Accept-Language": "de"})
    assert '<html lang="de">' in page.content.decode()


def test_a_doi_that_could_not_be_checked_is_told(client: Client, settings: Any) -> None:
    settings.DOI_PROXY_URL = "http://127.0.0.1:9"
    response = client.get("/reconcile/preview", {"id": "10.5555/plain"})
    assert (response.status_code, response.has_header("Retry-After")) == (503, True)
    assert "10.5555/plain" in response.content.decode()

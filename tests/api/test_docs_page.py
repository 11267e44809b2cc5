"""The page about the API shows the whole document, without scripts."""

import re

import pytest
from django.test import Client

from tests.api.schema_client import DOCUMENT, METHODS

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(api: Client) -> str:
    response = api.get("/api/v1/docs")
    assert response.headers["Content-Type"].startswith("text/html")
    assert "script-src 'self'" in response.headers["Content-Security-Policy"]
    return response.content.decode()


def test_the_page_shows_every_operation_object_and_field(page: str) -> None:
    for path, item in DOCUMENT["paths"].items():
        for method in METHODS:
            if method in item:
                assert f"{method.upper()} {path}" in page
                assert f'id="{item[method]["operationId"]}"' in page
    for name, schema in DOCUMENT["components"]["schemas"].items():
        assert f'id="{name}"' in page
        assert all(f"<code>{member}</code>" in page for member in schema["properties"])


def test_every_link_within_the_page_leads_somewhere(page: str) -> None:
    anchors = re.findall(r'id="([^"]*)"', page)
    assert len(anchors) == len(set(anchors))
    assert set(re.findall(r'href="#([^"]*)"', page)) <= set(anchors)


def test_the_page_has_no_script_and_no_style_inside(page: str) -> None:
    assert "<script" not in page
    assert "<style" not in page
    assert " style=" not in page


@pytest.mark.parametrize("address", ["/", "/help"])
def test_pages_link_to_the_page_about_the_api(api: Client, address: str) -> None:
    assert 'href="/api/v1/docs"' in api.get(address).content.decode()


def test_the_page_is_in_the_language_of_its_reader(api: Client) -> None:
    page = api.get("/api/v1/docs", headers={"Accept-Language": "de"}).content.decode()
    assert '<html lang="de"' in page
    assert "<h1>API für Programme</h1>" in page


def test_the_page_stays_below_the_bound_of_all_pages(page: str) -> None:
    assert len(page.encode()) < 95_000

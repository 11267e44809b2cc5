"""The pages about the API show the whole document, without scripts."""

import re

import pytest
from django.test import Client

from tests.api.schema_client import DOCUMENT, METHODS

pytestmark = pytest.mark.django_db


ADDRESSES = ("/api/v1/docs", "/api/v1/docs/objects")


@pytest.fixture
def pages(api: Client) -> dict[str, str]:
    answers = {address: api.get(address) for address in ADDRESSES}
    for response in answers.values():
        assert response.headers["Content-Type"].startswith("text/html")
        assert "script-src 'self'" in response.headers["Content-Security-Policy"]
    return {address: response.content.decode() for address, response in answers.items()}


def test_the_pages_show_every_operation_object_and_field(pages: dict[str, str]) -> None:
    requests, objects = pages.values()
    for path, item in DOCUMENT["paths"].items():
        for method in METHODS:
            if method in item:
                assert f"{method.upper()} {path}" in requests
                assert f'id="{item[method]["operationId"]}"' in requests
    for name, schema in DOCUMENT["components"]["schemas"].items():
        assert f'id="{name}"' in objects
        assert all(f"<code>{member}</code>" in objects for member in schema["properties"])


def test_every_link_within_the_pages_leads_somewhere(pages: dict[str, str]) -> None:
    anchors = {address: re.findall(r' id="([^"]*)"', page) for address, page in pages.items()}
    for address, page in pages.items():
        assert len(anchors[address]) == len(set(anchors[address]))
        for other, anchor in re.findall(r'href="([^"#]*)#([^"]*)"', page):
            assert anchor in anchors[other or address]


def test_the_pages_have_no_script_and_no_style_inside(pages: dict[str, str]) -> None:
    for page in pages.values():
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

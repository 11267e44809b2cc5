"""The pages about the API show the whole document, without scripts."""

import json
import re
from html import unescape

import pytest
from django.contrib.auth.models import User
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
        assert re.findall(r"<script[^>]*>(.*?)</script>", page, re.DOTALL) in ([], [""])
        assert "<style" not in page
        assert " style=" not in page


def test_every_operation_has_an_example_of_its_request_and_of_a_json_answer(pages: dict[str, str]) -> None:
    parts = dict(re.findall(r'<h3 id="(\w+)".*?</h3>(.*?)</section>', pages["/api/v1/docs"], re.DOTALL))
    examples = {
        name: [unescape(one) for one in re.findall(r"<pre[^>]*>(.*?)</pre>", part, re.DOTALL)]
        for name, part in parts.items()
    }
    for item in DOCUMENT["paths"].values():
        for operation in (item[method] for method in METHODS if method in item):
            name = operation["operationId"]
            command, *answers = examples[name]
            assert command.startswith('curl -sS "$API')
            assert "{" not in command.partition('" ')[0]
            success = next(iter(operation["responses"].values()))
            if "schema" in success.get("content", {}).get("application/json", {}):
                other = re.search(r'Example of a response: <a lang="en" href="#(\w+)"', parts[name])
                assert bool(answers) != bool(other)
                assert json.loads((answers or examples[other[1] if other else ""][1:])[0])


def test_each_operation_names_its_parameters_which_are_explained_once(pages: dict[str, str]) -> None:
    page = pages["/api/v1/docs"]
    parts = dict(re.findall(r'<h3 id="(\w+)".*?</h3>(.*?)</section>', page, re.DOTALL))
    for item in DOCUMENT["paths"].values():
        for operation in (item[method] for method in METHODS if method in item):
            part = parts[operation["operationId"]]
            for name in (parameter["name"] for parameter in operation.get("parameters", ())):
                assert re.search(rf'<code>{name}</code>|<a href="#\w+">{name}</a>', part), name
            for first, name in re.findall(r'<a href="#(\w+)">([\w-]+)</a>', part):
                assert f"<code>{name}</code>" in parts[first]
    assert page.count("The ETag of the answer that you have.") == 1
    assert len(page.encode()) < 105_000  # with its files still below what the tour allows


def first_command(page: str) -> str:
    found = re.search(r'<pre id="first-curl"[^>]*>(.*?)</pre>', page, re.DOTALL)
    assert found
    return unescape(found[1])


def test_where_no_token_is_needed_the_first_command_has_none(api: Client) -> None:
    command = first_command(api.get("/api/v1/docs").content.decode())
    assert "http://testserver/api/v1/lookups" in command
    assert "Authorization" not in command


def test_who_is_logged_in_sees_where_the_token_stands_and_makes_one(api: Client) -> None:
    api.force_login(User.objects.create_user("ada"))
    page = api.get("/api/v1/docs").content.decode()
    assert "Authorization: Bearer YOUR_TOKEN" in first_command(page)
    assert 'href="/account#new"' in page


@pytest.mark.parametrize("address", ["/", "/help"])
def test_pages_link_to_the_page_about_the_api(api: Client, address: str) -> None:
    assert 'href="/api/v1/docs"' in api.get(address).content.decode()


def test_the_page_is_in_the_language_of_its_reader(api: Client) -> None:
    page = api.get("/api/v1/docs", headers={"Accept-Language": "de"}).content.decode()
    assert '<html lang="de"' in page
    assert "<h1>API für Programme</h1>" in page

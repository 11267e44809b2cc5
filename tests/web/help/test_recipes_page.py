"""The page of the recipes has every program of the file, whole, and links that lead to pages of the portal."""

import re
from html import unescape

import pytest
from django.test import Client

from tests.setup.test_recipes import RECIPES, TASKS

pytestmark = pytest.mark.django_db


def test_the_page_has_each_program_as_it_is_run(visitor: Client) -> None:
    page = visitor.get("/help/recipes").text
    programs = [unescape(one) for one in re.findall(r'<pre id="program[^>]*>(.*?)</pre>', page, re.DOTALL)]
    assert programs == list(RECIPES.values())
    assert re.findall("<h2.*?>(.*?)</h2>", page) == list(TASKS)


def test_the_page_has_the_address_of_the_portal(visitor: Client) -> None:
    assert "API=http://testserver/api/v1\n" in visitor.get("/help/recipes").text


def test_its_links_lead_to_pages(visitor: Client) -> None:
    links = re.findall(
        r'<a href="([^"]+)"',
        re.findall(r'<div class="recipes".*</main>', visitor.get("/help/recipes").text, re.DOTALL)[0],
    )
    assert {"/account", "/api/v1/docs"} < set(links)
    assert not [link for link in links if ".md" in link]

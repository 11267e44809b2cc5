"""What a DOI stands for, on a page of its own and as a part of the page of a lookup or a row."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from tests.proxy import raw_server as raw
from tests.proxy.raw_server import RawServer
from tests.web.conftest import Look, Text, data_of, html_of, newest, run

HTMX = {"HX-Request": "true"}


def text_of(response: Any) -> str:
    return " ".join("".join(Text(response.content.decode()).parts).split())


def links_of(response: Any) -> list[str]:
    """The addresses that htmx asks for, all of which are links too."""
    page = html_of(response)
    found = re.findall(r'hx-get="([^"]*)"', page)
    assert all(f'href="{address}"' in page for address in found)
    return [address.replace("&amp;", "&") for address in found]


def test_the_page_says_title_author_year_container_type_and_who_gives_them(visitor: Client) -> None:
    visitor.post("/lookups", {"text": "10.5555/described-page"})
    page = visitor.get("/metadata", {"name": "10.5555/described-page"})
    assert (page.status_code, data_of(page, "metadata")) == (200, ["given"])
    text = text_of(page)
    assert "Sample title of 10.5555/described-page" in text
    for word in (", Ada", "Journal of Sample Data", "journal article", "As given by Crossref", "UTC"):
        assert word in text


def test_a_lookup_links_to_it_and_htmx_gets_only_the_part(look: Look, visitor: Client) -> None:
    (address,) = links_of(look("10.5555/linked-work"))
    part = visitor.get(address, headers=HTMX)
    assert data_of(part, "metadata") == ["given"]
    assert "<html" not in part.content.decode()
    assert "<html" in visitor.get(address).content.decode()


def test_suggestion_main_doi_and_other_registered_candidates_have_links_too(look: Look) -> None:
    assert links_of(look("10.5555/a\u200bb")) == ["/metadata?name=10.5555%2Fab"]
    assert links_of(look("10.5555/alias-linked")) == ["/metadata?name=10.5555%2Ftarget-linked"]


def test_each_registered_doi_of_a_text_with_several_has_a_link(look: Look) -> None:
    page = look("10.5555/first-work; 10.5555/second-work; 10.5555/missing-work; 10.5555/third-work")
    assert links_of(page) == [f"/metadata?name=10.5555%2F{nth}-work" for nth in ("first", "second", "third")]


def test_the_full_doi_of_a_cut_link_has_a_link_beside_the_cut_one(look: Look) -> None:
    page = look("https://doi.org/10.5555/cut-work#2")
    assert links_of(page) == ["/metadata?name=10.5555%2Fcut-work%232", "/metadata?name=10.5555%2Fcut-work"]


@pytest.mark.parametrize("text", ["10.5555/missing", "no name at all", "10.5555/error-linked"])
def test_where_nothing_is_known_to_be_registered_there_is_no_link(text: str, look: Look) -> None:
    assert links_of(look(text)) == []


def test_a_row_of_a_list_links_to_it(upload: Look, visitor: Client) -> None:
    from resolver.models import Job

    upload("DOI\n10.5555/row-work\n")
    job = run(Job.objects.get())
    assert links_of(visitor.get(f"/jobs/{job.pk}/rows/1")) == ["/metadata?name=10.5555%2Frow-work"]


@pytest.mark.parametrize("name", ["10.5555/50%25", "10.5555/a<b>&lt;\"'", "10.5555/é#?"])
def test_the_link_names_exactly_the_name_of_the_lookup(name: str, look: Look, visitor: Client) -> None:
    page = look(name)
    (address,) = links_of(page)
    assert visitor.get(address).context["name"] == newest().doi


def test_odd_metadata_is_shown_as_text(visitor: Client) -> None:
    page = visitor.get("/metadata", {"name": "10.5555/oddwork-page"})
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html_of(page)
    assert "<script>alert" not in page.content.decode()
    text = text_of(page)
    assert "H2O & E. coli, p < 0.05" in text
    assert "The Sample Consortium and 2 others" in text
    assert "dataset" in text


def test_that_an_agency_gives_none_is_said(visitor: Client) -> None:
    visitor.post("/lookups", {"text": "10.5555/unknownwork-page"})
    page = visitor.get("/metadata", {"name": "10.5555/unknownwork-page"})
    assert (page.status_code, data_of(page, "metadata")) == (200, ["not-available"])
    assert "Its agency has no metadata for this DOI. Agency: Crossref" in text_of(page)


def test_a_stored_answer_says_so_and_can_be_requested_again(visitor: Client, standin: Any) -> None:
    visitor.get("/metadata", {"name": "10.5555/again-work"})
    standin.reset()
    stored = visitor.get("/metadata", {"name": "10.5555/again-work"})
    assert "(stored answer)" in text_of(stored)
    assert standin.requests == []
    assert "/metadata?name=10.5555%2Fagain-work&amp;again=1" in html_of(stored)
    assert "(stored answer)" not in text_of(visitor.get("/metadata", {"name": "10.5555/again-work", "again": "1"}))
    assert len(standin.requests) == 2


@pytest.mark.parametrize(("headers", "status"), [({}, 503), (HTMX, 200)])
def test_a_failure_is_told_with_a_way_to_try_again(
    headers: dict[str, str], status: int, visitor: Client, settings: Any
) -> None:
    with RawServer(lambda request: raw.reset) as server:
        settings.DOI_PROXY_URL = server.url
        page = visitor.get("/metadata", {"name": "10.5555/failed-work"}, headers=headers)
    assert (page.status_code, data_of(page, "metadata")) == (status, ["failed"])
    assert "This says nothing about the DOI. Try again" in text_of(page)


@pytest.mark.parametrize(("headers", "status"), [({}, 503), (HTMX, 200)])
def test_a_pause_is_told_with_its_end(headers: dict[str, str], status: int, visitor: Client, settings: Any) -> None:
    settings.REDIS_URL = ""
    proxy_from_settings().budget.pause(40)
    page = visitor.get("/metadata", {"name": "10.5555/paused-work"}, headers=headers)
    assert (page.status_code, data_of(page, "metadata")) == (status, ["failed"])
    assert "Checks are paused until" in text_of(page)
    assert 30 <= int(page["Retry-After"]) <= 40


def test_sample_data_is_called_so(visitor: Client, settings: Any) -> None:
    settings.DOIPORTAL_SAMPLE_DATA = True
    assert "title and author are made up" in text_of(visitor.get("/metadata", {"name": "10.5555/sample-work"}))


def test_without_a_name_there_is_a_form_and_a_text_without_a_doi_is_refused(visitor: Client) -> None:
    assert visitor.get("/metadata").status_code == 200
    refused = visitor.get("/metadata", {"name": "no name"})
    assert refused.status_code == 422
    assert "This text doesn’t contain a DOI." in text_of(refused)
    assert visitor.get("/metadata", {"name": "x" * 20_000}).status_code == 422
    assert visitor.post("/metadata", {"name": "10.5555/a"}).status_code == 405


def test_a_link_is_read_as_its_name(visitor: Client) -> None:
    page = visitor.get("/metadata", {"name": "https://doi.org/10.5555/by%20link"})
    assert "Sample title of 10.5555/by link" in text_of(page)


def test_a_closed_portal_sends_to_the_login_also_from_a_part_of_a_page(visitor: Client, settings: Any) -> None:
    settings.DOIPORTAL_OPEN = False
    address = "/metadata?name=10.5555/closed"
    assert visitor.get(address).status_code == 302
    part = visitor.get(address, headers=HTMX)
    assert (part.status_code, part["HX-Redirect"]) == (200, "/accounts/login/?next=/metadata%3Fname%3D10.5555/closed")
    visitor.force_login(User.objects.create_user("ada"))
    assert data_of(visitor.get(address, headers=HTMX), "metadata") == ["given"]


def test_the_page_is_read_in_german(visitor: Client) -> None:
    page = visitor.get("/metadata", {"name": "10.5555/oddwork-german"}, headers={"Accept-Language": "de"})
    text = text_of(page)
    assert "Titel und Autor" in text
    assert "Datensatz" in text

"""One lookup with a title, or with a reference around its DOI: compared where the registered title is shown."""

import re
from typing import Any

import pytest
from django.test import Client

from tests.web.conftest import Look, Text, data_of, html_of, newest

HTMX = {"HX-Request": "true"}
NAME = "10.5555/described-one"
TITLE = f"Sample title of {NAME}"


def text_of(response: Any) -> str:
    return " ".join("".join(Text(response.content.decode()).parts).split())


def look_up(visitor: Client, text: str = NAME, **fields: str) -> Any:
    return visitor.post("/lookups", {"text": text, **fields}, follow=True)


def compared(visitor: Client, page: Any) -> Any:
    """The part that the link of the page puts into it."""
    (address,) = re.findall(r'hx-get="([^"]*)"', html_of(page))
    return visitor.get(address.replace("&amp;", "&"), headers=HTMX)


def test_a_page_that_has_not_compared_the_title_says_so_and_sends_nothing_for_it(visitor: Client, standin: Any) -> None:
    standin.reset()
    page = look_up(visitor, title=TITLE)
    assert "We didn’t compare it with your title." in text_of(page)
    assert "Nothing to do" not in text_of(page)
    assert not any("Sample" in target for target in standin.requests)
    assert "We didn’t compare" not in text_of(look_up(visitor))


def test_the_same_title_is_the_work(visitor: Client) -> None:
    part = compared(visitor, look_up(visitor, title=TITLE.upper()))
    assert data_of(part, "work") == ["same"]
    assert "It is the right work." in text_of(part)
    assert data_of(part, "metadata") == ["given"]


def test_another_title_and_author_show_both_sides_with_the_words_that_differ(visitor: Client) -> None:
    part = compared(visitor, look_up(visitor, title="Birds of the coast", author="Okafor, Chidi"))
    assert data_of(part, "work") == ["different"]
    assert dict(zip(data_of(part, "field"), data_of(part, "status"), strict=True)) == {
        "title": "differs",
        "authors": "differs",
        "year": "absent",
        "container": "absent",
    }
    assert "The record says that this DOI stands for another work. The record has another title." in text_of(part)
    assert re.findall("<mark>([^<]*)</mark>", html_of(part)) == ["Birds", "the coast", "Sample title", NAME]


def test_a_reference_around_the_doi_is_compared_as_a_whole(visitor: Client) -> None:
    page = look_up(visitor, f"Okafor, C. (1931). Birds of the coast of Peru. Coasts, 4, 12-19. doi:{NAME}")
    assert "We didn’t compare it with your reference." in text_of(page)
    part = compared(visitor, page)
    assert data_of(part, "work") == ["look"]  # the made-up title has the DOI, which the text has too
    assert "The reference says: Okafor, C. (1931). Birds of the coast of Peru." in text_of(part)
    assert data_of(part, "field") == ["title", "authors", "year"]


@pytest.mark.parametrize(
    "text", [NAME, f"https://doi.org/{NAME}", f"see {NAME} there", f"{NAME} and 10.5555/other-one"]
)
def test_a_text_that_describes_no_work_is_compared_with_nothing(text: str, look: Look) -> None:
    assert "&amp;lookup=" not in html_of(look(text))


def test_the_comparison_is_on_the_page_of_its_own_too(visitor: Client) -> None:
    look_up(visitor, title=TITLE)
    page = visitor.get("/metadata", {"name": NAME, "lookup": str(newest().pk)})
    assert data_of(page, "work") == ["same"]
    assert f"lookup={newest().pk}" not in html_of(visitor.get("/metadata", {"name": NAME}))


@pytest.mark.parametrize("key", ["", "x" * 5000, "00000000-0000-0000-0000-000000000000", "\x00"])
def test_no_other_address_compares_anything(key: str, visitor: Client) -> None:
    page = visitor.get("/metadata", {"name": NAME, "lookup": key})
    assert (page.status_code, data_of(page, "work")) == (200, [])


def test_a_stranger_learns_nothing_of_the_title(visitor: Client, stranger: Client) -> None:
    look_up(visitor, title="My secret title")
    page = stranger.get("/metadata", {"name": NAME, "lookup": str(newest().pk)})
    assert data_of(page, "work") == []
    assert "My secret title" not in html_of(page)


def test_a_check_again_keeps_the_title(visitor: Client) -> None:
    look_up(visitor, title=TITLE, author="Novák")
    visitor.post(f"/lookups/{newest().pk}/again")
    assert (newest().title, newest().author) == (TITLE, "Novák")


def test_a_portal_that_compares_nothing_offers_no_title_and_keeps_none(visitor: Client, settings: Any) -> None:
    settings.METADATA = False
    assert 'name="title"' not in html_of(visitor.get("/"))
    page = look_up(visitor, title=TITLE)
    assert (newest().title, "We didn’t compare" in text_of(page)) == ("", False)


def test_the_form_is_folded_until_something_is_entered(visitor: Client) -> None:
    assert '<details class="of-work">' in html_of(visitor.get("/"))
    refused = visitor.post("/lookups", {"text": NAME, "author": "Novák"})
    assert refused.status_code == 422
    assert '<details class="of-work" open>' in html_of(refused)
    assert "Enter the title too." in text_of(refused)


def test_a_title_beside_a_list_is_refused(visitor: Client) -> None:
    refused = visitor.post("/lookups", {"text": f"{NAME}\n10.5555/b\n10.5555/c", "title": TITLE})
    assert refused.status_code == 422
    assert "A title belongs to one DOI." in text_of(refused)


def test_a_title_is_shown_as_text_and_bounded(visitor: Client) -> None:
    part = compared(visitor, look_up(visitor, title="<script>alert(1)</script> \u202e birds " * 20, author="x" * 2000))
    assert "<script>" not in html_of(part)
    assert look_up(visitor, title="x" * 2001).status_code == 422

"""The box on the front page: one thing leads to its result, a list or a file to its preview; the page says which."""

import re
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from resolver.models import Draft, Lookup
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from tests.web.conftest import html_of, newest, text_of

FIFTY = "\r\n".join(f"10.5555/line-{number}" for number in range(50))


def give(visitor: Client, text: str = "", file: bytes | None = None, page: str = "/lookups", **options: Any) -> Any:
    form: dict[str, Any] = {"text": text}
    if file is not None:
        form["file"] = SimpleUploadedFile("list.csv", file)
    return visitor.post(page, form, **options)


def test_one_line_is_looked_up_exactly_as_it_is(visitor: Client) -> None:
    response = give(visitor, "\r\n  10.1000/182 \r\n\r\n")
    assert (response.status_code, response["Location"]) == (302, f"/lookups/{newest().pk}")
    assert newest().input == "  10.1000/182 "
    assert "as one text" not in text_of(visitor.get(response["Location"]))


def test_a_wrapped_citation_is_one_text_and_the_page_says_so(visitor: Client) -> None:
    page = give(visitor, "Smith, J. A title\r\nthat is wrapped.\r\ndoi:10.1000/182", follow=True)
    assert newest().input == "Smith, J. A title\nthat is wrapped.\ndoi:10.1000/182"
    assert newest().doi == "10.1000/182"
    assert "We looked up your 3 lines as one text" in text_of(page)


def test_lines_with_dois_are_a_list_and_nothing_is_asked_before_it_starts(visitor: Client) -> None:
    response = give(visitor, FIFTY)
    draft = Draft.objects.get()
    assert (response.status_code, response["Location"]) == (302, f"/drafts/{draft.pk}")
    said = text_of(visitor.get(response["Location"]))
    assert "The list you pasted: each line is a row." in said
    assert "Check 50 rows" in said
    assert not Lookup.objects.exists()


def test_what_was_taken_for_a_list_can_be_one_text(visitor: Client) -> None:
    give(visitor, " 10.1000/182\r\n\r\nor 10.1000/1 ")
    draft = Draft.objects.get()
    assert "Look up as a single text" in text_of(visitor.get(f"/drafts/{draft.pk}"))
    response = visitor.post(f"/drafts/{draft.pk}/one")
    assert (response.status_code, newest().input) == (302, " 10.1000/182\n\nor 10.1000/1 ")
    assert not Draft.objects.exists()


def test_while_the_proxy_pauses_the_list_stays(visitor: Client, settings: Any) -> None:
    settings.REDIS_URL = ""
    give(visitor, "10.1000/182\n10.1000/1")
    draft = Draft.objects.get()
    proxy_from_settings().budget.pause(40)
    response = visitor.post(f"/drafts/{draft.pk}/one")
    assert response.status_code == 503
    assert f'action="/drafts/{draft.pk}/one"' in html_of(response)
    assert Draft.objects.exists()


def test_a_file_leads_to_its_preview(visitor: Client) -> None:
    response = give(visitor, file=b"doi\n10.1000/182\n")
    assert response["Location"] == f"/drafts/{Draft.objects.get().pk}"


@pytest.mark.parametrize(
    ("text", "file", "words"),
    [
        (" \n ", None, "There is a problem Enter a DOI, link or text."),
        ("10.1000/182", b"doi\n10.1000/182\n", "There is a problem You entered text and chose a file."),
        ("", b"", "There is a problem The file is empty. Choose another file, or save this one again"),
        ("", b'a,doi\n1,10.1000/1\n2,"10.1000/2\n', "There is a problem Line 3: A quotation mark"),
        ("x" * 10_001, None, "There is a problem This text is longer than 10000 characters. Enter only the part"),
        ("10.1000/1\n" * 3 + "x" * 80, None, "There is a problem This text is longer than 100 characters. Save it"),
        ("10.1000/1\n" * 4, None, "There is a problem Line 4: The file has more than the 3 rows allowed"),
    ],
)
def test_what_cannot_be_taken_is_told_with_the_remedy_and_the_text_stays(
    visitor: Client, settings: Any, text: str, file: bytes | None, words: str
) -> None:
    settings.MAX_PASTED = 100 if "\n" in text else settings.MAX_PASTED
    settings.MAX_ROWS = 3
    response = give(visitor, text, file)
    assert response.status_code == 422
    assert words in text_of(response)
    assert "<title>Error:" in html_of(response)
    assert f"{text}</textarea>" in response.text
    assert not Draft.objects.exists()
    assert not Lookup.objects.exists()


def test_the_files_button_without_a_file_asks_for_one_at_the_files_field(visitor: Client) -> None:
    for text in ("", "10.1000/182"):
        page = visitor.post("/lookups", {"text": text, "go": "file"})
        assert page.status_code == 422
        assert 'role="alert" aria-labelledby="errors-title" tabindex="-1" autofocus' in html_of(page)
        assert '<a href="#id_file">Choose a file first.</a>' in html_of(page)
        assert "Enter a DOI" not in text_of(page)
    assert visitor.post("/lookups", {"text": "10.1000/182"}).status_code == 302
    file = SimpleUploadedFile("list.csv", b"doi\n10.1000/182\n")
    assert visitor.post("/lookups", {"text": "", "go": "file", "file": file}).status_code == 302


def test_the_example_of_the_front_page_is_a_cut_link_whose_doi_is_found(visitor: Client) -> None:
    example = re.search(r'name="text" value="([^"]+)">', html_of(visitor.get("/")))
    assert example
    give(visitor, unescape(example[1]))
    assert newest().outcome == "not-found"
    assert newest().suggestion["doi"] == "10.1002/(SICI)1097-0142(19960401)77:7<1356::AID-CNCR20>3.0.CO;2-#"


@pytest.mark.parametrize("is_open", [True, False])
def test_only_an_open_portal_says_that_no_account_is_needed(visitor: Client, settings: Any, is_open: bool) -> None:
    settings.DOIPORTAL_OPEN = is_open
    visitor.force_login(User.objects.create_user("ada"))
    assert ("You need no account." in text_of(visitor.get("/"))) == is_open


def test_a_paste_on_the_page_for_lists_is_a_list_in_any_case(visitor: Client) -> None:
    give(visitor, "10.1000/182", page="/jobs/new")
    page = visitor.get(f"/drafts/{Draft.objects.get().pk}")
    assert "Check 1 row" in text_of(page)
    assert "Look up as a single text" in text_of(page)


@pytest.mark.parametrize("method", ["GET", "OPTIONS"])
def test_a_request_for_the_server_itself_is_no_page(visitor: Client, method: str) -> None:
    assert visitor.generic(method, "/", PATH_INFO="*").status_code == 404

"""One name: what the form takes, and what the page of the result says."""

import re
from typing import Any

import pytest
from django.test import Client

from doi_reading import read
from resolver.models import Lookup
from resolver.web.lookups.name_links import to_lookup_text
from tests.web.conftest import Look, data_of, html_of, newest, text_of


def test_the_form_leads_to_a_page_of_its_own(visitor: Client):
    response = visitor.post("/lookups", {"text": "10.1000/182"})
    assert response.status_code == 302
    assert response["Location"] == f"/lookups/{newest().pk}"


def test_a_registered_name_shows_agency_presentations_addresses_and_record(look: Look):
    page = look("10.1000/182")
    said = text_of(page)
    assert data_of(page, "outcome") == ["resolved"]
    assert data_of(page, "headline") == ["works"]
    assert data_of(page, "use") == ["own"]
    assert "What to do next" not in said
    assert newest().ra in said
    for presentation in ("10.1000/182", "https://doi.org/10.1000/182", "doi:10.1000/182", "urn:doi:10.1000:182"):
        assert presentation in said
    for address in newest().urls:
        assert f'href="{address}"' in html_of(page)
    assert "The DOI record 2 values" in said


@pytest.mark.clause("E1")
def test_a_bare_hash_is_marked_in_the_link_and_explained(look: Look):
    page = look("https://doi.org/10.1000/456#789")
    assert re.search(r'<mark class="error">#(789)?<sup>', html_of(page))
    assert data_of(page, "headline") == ["cut-link"]
    assert data_of(page, "problem") == ["unescaped-hash"]
    said = text_of(page)
    assert "Your link https://doi.org/10.1000/456#789" in said
    assert re.search(r"A browser opens https://doi\.org/10\.1000/456removed: #789", said)
    assert "Correct link" not in said, "nothing of it is registered"
    assert "Other DOIs we tried 1 (not registered) 10.1000/456#789 (" in said
    assert "Agency Public (the DOI Foundation) (by its prefix)" in said
    assert "Neither 10.1000/456 nor 10.1000/456#789 is registered" in said
    assert "data-copy" not in html_of(page), "a name that isn't registered is not offered for use"


@pytest.mark.clause("E1")
def test_a_link_that_is_cut_stands_above_what_a_browser_opens_and_the_right_one(look: Look):
    page = look("https://doi.org/10.1002/(SICI)1097-0142(19960401)77:7<1356::AID-CNCR20>3.0.CO;2-#")
    assert data_of(page, "headline") == ["cut-link-found"]
    html = html_of(page)
    assert "CO;2-<ins>#</ins></code>" in html
    assert "77:7<ins>%3C</ins>1356::AID-CNCR20<ins>%3E</ins>3.0.CO;2-<ins>%23</ins></dd>" in html


def test_a_citation_in_lines_stays_in_lines_and_what_stands_around_the_doi_is_not_marked_as_a_fault(
    look: Look, visitor: Client
):
    page = look("Smith, J.\nA title.\ndoi:10.1000/182").content.decode()
    assert '<mark class="around">Smith, J.<span class="line-end" title="line feed">↵</span>\nA title.' in page
    assert 'data-problem="surrounding-text"' in page
    assert "<title>Works, but write it like this: Smith, J. A title. doi:10.1000/182" in page
    for address in ("/", "/history"):
        assert "Smith, J. A title. doi:10.1000/182" in text_of(visitor.get(address))


@pytest.mark.clause("E18")
def test_a_suggestion_without_the_space_is_compared_with_the_text_as_it_was_given(look: Look):
    said = text_of(look("10.1000/18 2"))
    assert "We removed the space." in said
    assert "A browser drops “#”, which belongs to the DOI." in text_of(
        look("https://doi.org/" + "10.1002/(SICI)1097-0142(19960401)77:7<1356::AID-CNCR20>3.0.CO;2-#")
    ), "the name that was read ends at it"
    assert "We added" not in said


@pytest.mark.clause("E14", "E1")
def test_the_link_to_use_instead_is_encoded(look: Look):
    page = look("http://dx.doi.org/10.5555/a%23b%20c%3Cd")
    assert data_of(page, "headline") == ["write-differently"]
    assert 'data-copy="https://doi.org/10.5555/a%23b%20c%3Cd" aria-label="Copy link"' in html_of(page)


@pytest.mark.clause("E10")
def test_a_name_that_looks_encoded_twice_and_exists_gets_one_answer(look: Look):
    page = look("https://doi.org/10.5555/a%2520b")
    said = text_of(page)
    assert (data_of(page, "headline"), data_of(page, "use")) == (["double-encoded"], ["doubt"])
    assert "Warning: It looks encoded twice, but this DOI is registered. Check it against the publication." in said
    assert "opens the wrong name" not in said
    assert newest().problems[0]["severity"] == "error", "the stored finding stays as the interface tells it"


@pytest.mark.clause("R3")
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "10.1016/j.no.such",
            "Check the part after the slash, “j.no.such”, against the publication. The prefix 10.1016 is registered.",
        ),
        (
            "10.9999/no.such",
            "Check the part before the slash, 10.9999, against the publication: this prefix isn’t registered.",
        ),
    ],
)
def test_not_registered_says_which_part_to_suspect(look: Look, text: str, sentence: str):
    page = look(text)
    assert data_of(page, "headline") == ["not-registered"]
    assert sentence in text_of(page)
    assert sentence not in text_of(look("10.1000/182"))


def test_under_a_suggestion_nothing_is_said_to_be_written_right(look: Look):
    repaired, missing = text_of(look("10.1371/journal.pone.000O030")), text_of(look("10.1000/no.such"))
    assert "This DOI isn’t registered, but we found one that is" in repaired
    assert "Nothing wrong with how it’s written." not in repaired
    assert "Nothing wrong with how it’s written." in missing


def test_beside_other_registered_dois_nothing_is_said_to_be_written_right(look: Look, visitor: Client):
    look("10.1000/no.such")
    both = [{"doi": f"10.1000/no.such{end}", "reason": "completed by one character", "exists": True} for end in "12"]
    Lookup.objects.update(candidates=both)
    said = text_of(visitor.get(f"/lookups/{newest().pk}"))
    assert "Only one can be meant. Compare them with the publication. 10.1000/no.such1 (" in said
    assert "Nothing wrong with how it’s written." not in said


@pytest.mark.parametrize("text", ["10.1000/ 182", "10.1000 /182", "doi:10.1000/ 182", "https://doi.org/10.1000 / 182"])
def test_of_a_space_at_the_slash_only_the_space_is_wrong(look: Look, text: str):
    page = look(text)
    assert data_of(page, "headline") == ["divided-found"]
    assert "missing-suffix" not in data_of(page, "problem")


@pytest.mark.parametrize("text", ["http://dx.doi.org/10.1000/182", "10.1000%2F182", "The DOI Handbook, 10.1000/182"])
def test_a_doi_that_works_and_is_written_oddly_is_offered_as_name_and_as_link(look: Look, text: str):
    page = look(text)
    assert data_of(page, "headline") == ["write-differently"]
    assert {"10.1000/182", "https://doi.org/10.1000/182"} <= {*data_of(page, "copy")}


def test_a_text_without_a_doi_to_copy_can_be_edited_if_an_address_can_hold_it(look: Look, visitor: Client):
    page = html_of(look("10.1000/missing & more"))
    address = re.search(r'href="(/\?text=[^"]+)"', page)
    assert address
    assert ">10.1000/missing &amp; more</textarea>" in html_of(visitor.get(address[1]))
    assert "?text=" not in html_of(look("10.1000/182")), "it has one to copy"
    assert "?text=" not in html_of(look("é" * 600))


def test_each_of_several_dois_is_shown_with_its_outcome_and_can_be_looked_up(look: Look, visitor: Client):
    page = look("10.1000/182; 10.5555/two; 10.5555/missing-b; 10.5555/unsafe-b")
    said = text_of(page)
    assert "3 of 4 DOIs are registered" in said
    assert "Correct the other DOI in this text: 10.5555/missing-b isn’t registered." in said
    assert data_of(page, "use") == [], "one would drop the others"
    assert "Copy the one that you need." in said
    assert "its own row" not in said, "a text that is looked up has no rows"
    assert "The DOI record 10.1000/182 ·" in said
    assert "10.1000/182 ✓ Resolved Public http" in said
    assert "10.5555/two ✓ Resolved Crossref https://example.org/landing/two" in said
    assert "10.5555/missing-b ✗ Not registered" in said
    html = html_of(page)
    assert 'name="text" value="10.5555/missing-b"><button class="plain">Look up' in html
    assert 'href="javascript:' not in html
    assert "another DOI in the text" not in said, "they are no other readings of the first"
    assert "! Resolved, needs attention and 3 more DOIs" in text_of(visitor.get("/history"))


def test_a_name_that_resolves_says_that_other_readings_were_not_asked_for(look: Look):
    said = text_of(look("10.5555/exists."))
    assert "Other ways to read it 1 (not checked)" in said


def test_other_candidates_that_exist_stand_beside_the_suggestion(look: Look, visitor: Client):
    look("10.1000/182.")
    found = newest()
    also = {"doi": "10.1000/1", "reason": "for a test", "exists": True}
    found.candidates = [*found.candidates, also, {"doi": "10.1000/2", "reason": "for a test", "exists": False}]
    found.save()
    said = text_of(visitor.get(f"/lookups/{found.pk}"))
    assert "Also registered Only one can be meant. Compare them with the publication. 10.1000/1 (for a test)" in said
    assert "10.1000/2 (for a test; not registered)" in said


def test_each_form_of_the_name_is_to_be_copied_and_no_button_is_dead_without_a_script(look: Look):
    page = look("10.5555/a%3Cb")
    html = html_of(page)
    assert "024 7_ $a10.5555/a&lt;b$2doi" in data_of(page, "copy")
    for text in ("10.5555/a&lt;b", "https://doi.org/10.5555/a%3Cb", "doi:10.5555/a%3Cb", "urn:doi:10.5555:a%3Cb"):
        assert re.search(rf'data-copy="{text}" aria-label="Copy[^"]+"[^>]* hidden>Copy[^<]*</button>', html), text
    assert re.search(r'<script src="/static/resolver/copy[^"]*\.js" defer></script>', html)
    in_files = html.count('<script src="/static/')
    assert html.count("<script") == in_files, "no script in the page itself: a strict content security policy holds"
    assert " style=" not in html


def test_a_very_long_name_is_cut_where_it_is_shown_and_whole_where_it_is_copied(look: Look):
    name = "10.5555/" + "x" * 3000
    page = look(name)
    assert f'data-copy="{name}"' in html_of(page)
    assert f">{name[:600]}…</code>" in html_of(page)


@pytest.mark.clause("S11")
def test_a_look_alike_is_named(look: Look):
    said = text_of(look("10.5555/a\u2013b\u2013c"))
    assert "The name has a character that looks like a more common one. The DOI is registered like this." in said
    assert said.count("looks like") == 1
    assert "(en dash)" in said


def test_a_suggestion_says_where_it_leads_and_can_be_selected_as_a_whole(look: Look, visitor: Client):
    page = look("10.5555/a\u200bb")
    said = text_of(page)
    assert "We removed an invisible character (zero width space)." in said
    assert "Registered at Crossref · leads to example.org" in said
    assert '<code class="whole">10.5555/ab</code>' in html_of(page)
    assert data_of(page, "copy")[0] == "10.5555/ab"


@pytest.mark.clause("E11")
def test_a_name_that_would_read_otherwise_is_asked_for_by_its_link():
    for name in ("10.1000/a%41", "10.1000/456#789", "10.1000/a&lt;b", "10.1000/a b", "10.1000/ä"):
        assert str(read(to_lookup_text(name)).doi) == name


def test_could_not_ask_says_that_nothing_was_learned_and_never_not_found(look: Look, settings: Any):
    settings.DOI_PROXY_URL = "http://127.0.0.1:9"
    page = look("10.1000/182")
    said = text_of(page)
    assert data_of(page, "headline") == ["unreachable"]
    assert "Your DOI may still be right" in said
    assert "egistered" not in said.replace("Registration", "")
    assert "not found" not in said


def test_an_address_that_is_no_web_address_is_text_never_a_link(look: Look, visitor: Client):
    look("10.1000/182")
    found = newest()
    found.urls = ["javascript:alert(1)", "data:text/html,x", "https://ok.example/", 'https://"><b>', "java\nscript:x"]
    found.save()
    page = visitor.get(f"/lookups/{found.pk}")
    html = html_of(page)
    assert 'href="https://ok.example/"' in html
    assert 'href="javascript:' not in html
    assert 'href="data:' not in html
    assert "<b>" not in html
    assert "javascript:alert(1)" in text_of(page)


def test_check_again_asks_the_same_text_anew(look: Look, visitor: Client):
    look("10.1000/182")
    assert "We stored this answer in the last 24 hours" in text_of(look("10.1000/182"))
    page = visitor.post(f"/lookups/{newest().pk}/again", follow=True)
    assert "a stored one" not in text_of(page)
    assert Lookup.objects.count() == 3


@pytest.mark.parametrize("text", ["", "   ", "x" * 10_001])
def test_an_empty_or_oversized_text_gets_an_error_by_the_field(look: Look, text: str):
    page = look(text)
    assert page.status_code == 422
    assert 'id="id_text_error"' in html_of(page)
    assert 'aria-invalid="true"' in html_of(page)
    assert "There is a problem" in text_of(page)


def test_the_bound_of_a_text_is_the_setting_and_the_error_names_it(look: Look, settings: Any):
    settings.MAX_CELL = 20
    assert look("10.5555/" + "x" * 12).status_code == 200
    page = look("10.5555/" + "x" * 13)
    assert page.status_code == 422
    assert "This text is longer than 20 characters. Enter only the part with the DOI." in text_of(page)
    assert Lookup.objects.count() == 1


def test_the_front_page_takes_a_text_for_its_field_but_none_that_is_too_long(visitor: Client):
    assert "10.1000/&lt;x&gt;</textarea>" in html_of(visitor.get("/?text=10.1000%2F%3Cx%3E"))
    assert "xxx" not in html_of(visitor.get("/?text=" + "x" * 10_001))


@pytest.mark.parametrize(
    "text",
    ["a\x00b 10.1000/1\x00", "\u202e10.1000/182", "10.1000/" + "é" * 3000, "<script>alert(1)</script>",
     "10.1000/'\"<b>", "\ufeff", "\x1a0000", "{{ 7 }}", "10.1000/\ue000"],
)  # fmt: skip
def test_odd_text_gets_a_page(look: Look, text: str):
    page = look(text)
    assert page.status_code == 200
    assert "<script>" not in html_of(page)
    assert not set("\x00\u202e\ue000") & set(html_of(page))


def test_bytes_that_are_no_utf8_get_a_page(visitor: Client):
    body = b"text=10.1000%2F%ff%ed%a0%80"
    page = visitor.post("/lookups", body, content_type="application/x-www-form-urlencoded", follow=True)
    assert page.status_code == 200


def test_a_lone_surrogate_that_came_by_another_way_is_shown_by_its_code_point(visitor: Client):
    visitor.post("/api/v1/lookups", '{"input": "10.1000/\\ud800\\u0000"}', content_type="application/json")
    for address in (f"/lookups/{newest().pk}", "/history", "/"):
        page = visitor.get(address)
        assert page.status_code == 200
        assert "U+D800" in text_of(page)


def test_sample_data_is_said_on_every_page(visitor: Client, look: Look, settings: Any):
    assert "Sample data" not in text_of(visitor.get("/"))
    settings.DOIPORTAL_SAMPLE_DATA = True
    for address in ("/", "/history", "/jobs", "/jobs/new", "/help", "/encode", "/accounts/login/"):
        assert "Sample data." in text_of(visitor.get(address))
    assert "this answer came from the sample proxy" in text_of(look("10.1000/182"))


def test_where_nobody_was_asked_none_is_named_and_nothing_is_to_be_asked_again(look: Look, settings: Any):
    settings.DOIPORTAL_SAMPLE_DATA = True
    said = text_of(look("hello"))
    assert "When we read it" in said
    for words in ("this answer came from the sample proxy", "DOI proxy http", "Check again", "When we checked"):
        assert words in text_of(look("10.1000/182"))
        assert words not in said
    assert "When we checked" in text_of(look("10.5555/a\u200bb")), "what else it may mean was asked for"

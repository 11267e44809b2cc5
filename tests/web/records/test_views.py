"""The record page: what a click would do, with each parameter, and every value of the record."""

import re
from typing import Any

import pytest
from django.test import Client

from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.standin.server import SampleProxyServer
from tests.web.conftest import Look, html_of, redirect_of, text_of


def test_without_a_name_the_page_asks_for_one(visitor: Client):
    page = visitor.get("/records")
    assert page.status_code == 200
    assert "DOI record" in text_of(page)
    assert 'id="errors-title"' not in html_of(page)


@pytest.mark.clause("P1", "A3", "A5")
def test_a_name_shows_where_a_click_leads_and_every_value(record: Look):
    page = record("10.1000/182")
    said = text_of(page)
    assert "<title>Where a link with 10.1000/182 goes" in html_of(page)
    assert "This link goes to http" in said
    assert "It comes from the URL in the DOI record." in said
    assert "1 URL string http" in said
    assert "100 HS_ADMIN admin 200:0.na/10.1000" in said
    assert "May delete the handle, change values" in said
    assert 'href="https://doi.org/10.1000/182"' in html_of(page)
    assert 'href="http://testserver/10.1000/182"' in html_of(page)
    assert "Checked on" in said


def test_a_prefix_s_record_that_says_nothing_of_its_names_is_folded_away(record: Look):
    page = record("10.1000/182")
    assert "<h2>The record</h2>" in html_of(page)
    folded = html_of(page).partition("<details>")[2].partition("</details>")[0]
    assert "Record of the prefix (it has no locations" in folded
    assert "0.NA/10.1000" in folded
    assert "HS_SERV" in folded
    assert html_of(page).count("<details>") == 1


def test_a_link_and_a_doi_that_needs_encoding_are_taken_as_they_are_meant(record: Look):
    page = record("https://doi.org/10.5555/a%3Cb")
    assert "10.5555/a<b" in text_of(page)
    assert 'href="https://doi.org/10.5555/a%3Cb"' in html_of(page)


@pytest.mark.clause("P3", "L2", "L5")
def test_a_list_of_locations_is_a_table_and_says_how_one_is_chosen(record: Look):
    page = record("10.5555/loc-1")
    assert redirect_of(page) == ("redirect", "https://example.org/landing/loc-1")
    said = text_of(page)
    assert "Locations in value 1000" in said
    assert "id: 0 weight: 1 chosen" in said
    assert "id: 1 weight: 0 left out by weight" in said
    assert "weight: one is left." in said


@pytest.mark.clause("P6")
def test_noredirect_is_tried(record: Look):
    page = record("10.1000/182", noredirect="on")
    assert "doi.org would show the record’s values" in text_of(page)
    assert 'href="https://doi.org/10.1000/182?noredirect"' in html_of(page)


@pytest.mark.clause("P9")
def test_types_and_indexes_are_tried_and_stay_in_the_form(record: Look):
    page = record("10.1000/182", type="HS_ADMIN URL", index="1 100")
    assert "type=HS_ADMIN&amp;type=URL&amp;index=1&amp;index=100" in html_of(page)
    assert 'value="HS_ADMIN URL"' in html_of(page)
    said = text_of(record("10.1000/182", type="HS_ADMIN"))
    assert "There is no address to redirect to. You selected only these values: 100 HS_ADMIN." in said
    none = text_of(record("10.1000/182", type="EMAIL"))
    assert none.count("The record has no value with a requested type") == 1
    assert "doi.org would show no values" in none


@pytest.mark.clause("P9")
def test_a_parameter_may_be_repeated_in_the_address_of_the_page(visitor: Client):
    page = visitor.get("/records?name=10.1000%2F182&type=URL&type=EMAIL")
    assert 'value="URL EMAIL"' in html_of(page)


@pytest.mark.clause("P10")
def test_an_appended_text_is_tried_and_encoded_in_the_link(record: Look):
    page = record("10.5555/x", urlappend="?page=2&a=é")
    assert "https://example.org/landing/x?page=2&a=%C3%A9" in text_of(page)
    assert "urlappend=%3Fpage%3D2%26a%3D%C3%A9" in html_of(page)


@pytest.mark.clause("P11")
def test_showurls_lists_all_addresses(record: Look):
    page = record("10.5555/loc-1", action="showurls")
    assert redirect_of(page)[0] == "address-list"
    assert "doi.org would list 2 addresses, as XML" in text_of(page)


@pytest.mark.clause("P11")
def test_another_action_is_passed_by_as_the_proxy_does(record: Look):
    page = record("10.5555/loc-1", action="foo")
    assert redirect_of(page)[0] == "redirect"
    assert 'href="https://doi.org/10.5555/loc-1"' in html_of(page)
    assert not re.search(r'name="action"[^>]* checked', html_of(page))


@pytest.mark.clause("P8", "P12")
@pytest.mark.parametrize(("flag", "asked"), [("cert", "?cert"), ("nols", "?nols=y")])
def test_other_parameters_stay_in_the_link_and_in_the_form(record: Look, flag: str, asked: str):
    page = record("10.5555/x", **{flag: "y"})
    assert f'href="https://doi.org/10.5555/x{asked}"' in html_of(page)
    assert re.search(rf'name="{flag}"[^>]* checked', html_of(page))
    assert redirect_of(page) == ("redirect", "https://example.org/landing/x")


@pytest.mark.clause("P7")
def test_an_alias_is_followed_and_both_records_are_shown(record: Look):
    page = record("10.5555/alias-1")
    said = text_of(page)
    assert "Alias of 10.5555/target-1" in said
    assert "The record Record of 10.5555/alias-1" in said
    assert "Record of the main DOI Record of 10.5555/target-1" in said
    assert redirect_of(page) == ("redirect", "https://example.org/landing/target-1")
    assert redirect_of(record("10.5555/alias-1", ignore_aliases="on")) == ("values",)


@pytest.mark.clause("P7")
def test_a_loop_of_aliases_ends_in_a_sentence(record: Look):
    said = text_of(record("10.5555/loop-1"))
    assert "doi.org would stop following the aliases" in said
    assert "They form a loop." in said
    assert "Only the Registration Agency can correct this." in said


@pytest.mark.clause("P4", "P5")
def test_a_name_that_is_not_there_gets_its_advice_with_a_link(record: Look):
    page = record("10.5555/missing-1/")
    assert redirect_of(page) == ("not-found",)
    assert "doi.org would answer: DOI name not found" in text_of(page)
    assert "The name ends in a slash." in text_of(page)
    assert 'href="/records?name=10.5555%2Fmissing-1"' in html_of(page)


@pytest.mark.clause("A8")
def test_an_address_that_is_no_web_address_is_text_and_a_record_without_one_is_a_good_record(record: Look):
    page = record("10.5555/unsafe-1")
    assert redirect_of(page) == ("values",)
    assert "javascript:alert(1) Not a link" in text_of(page)
    assert 'href="javascript:' not in html_of(page)
    assert "A record without a URL" in text_of(record("10.5555/nourl-1"))


@pytest.mark.clause("P2")
def test_of_several_url_values_the_page_says_that_the_documents_differ(record: Look):
    said = text_of(record("10.5555/two-1"))
    assert "Of 2 URL values, number 1 is used." in said
    assert "Older documents say that it can be any of them." in said


def test_while_the_proxy_must_not_be_asked_the_page_says_until_when(record: Look, settings: Any):
    settings.REDIS_URL = ""  # a pause in Redis would hold for the tests after it
    proxy_from_settings().budget.pause(40)
    page = record("10.5555/later")
    assert page.status_code == 503
    assert 30 <= int(page["Retry-After"]) <= 40
    assert "Checks are paused until" in text_of(page)
    assert 'value="10.5555/later"' in html_of(page)


def test_could_not_ask_says_that_nothing_was_learned(record: Look, settings: Any):
    settings.DOI_PROXY_URL = "http://127.0.0.1:9"
    said = text_of(record("10.5555/new-one"))
    assert "Couldn’t check: no answer from the DOI service" in said
    assert "This says nothing about the DOI" in said
    assert "not found" not in said


@pytest.mark.clause("P8")
def test_auth_asks_anew(record: Look, standin: SampleProxyServer):
    record("10.1000/182")
    standin.reset()
    record("10.1000/182")
    assert standin.requests == []
    record("10.1000/182", auth="on")
    assert [target for target in standin.requests if target.startswith("/api/handles/10.1000/182")]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"name": ""}, "Enter a DOI or a link."),
        ({"name": "  "}, "Enter a DOI or a link."),
        ({"name": "no doi at all"}, "This text doesn’t contain a DOI."),
        ({"name": "10.1000/" + "x" * 10_000}, "This text is longer than 10000 characters."),
        ({"index": "one"}, "Enter each index as a whole number"),
        ({"locatt": "id"}, "Enter an attribute, a colon and a value"),
        ({"country": "gbr"}, "Enter a country as two letters"),
        ({"type": " ".join(["URL"] * 21)}, "You entered 21 values. Enter 20 or fewer."),
        ({"urlappend": "x" * 1001}, "This has 1001 characters. The limit is 1000."),
        ({"urlappend": "\x00"}, "Null characters are not allowed."),
    ],
)
def test_bad_input_gets_an_error_by_its_field_and_in_the_summary(record: Look, parameters: Any, message: str):
    page = record(**{"name": "10.1000/182", **parameters})
    assert page.status_code == 422
    assert text_of(page).count(message) == 2
    [field] = parameters
    assert f'href="#id_{field}"' in html_of(page)
    assert re.search(rf'id="id_{field}"[^>]*aria-invalid="true"|aria-invalid="true"[^>]*id="id_{field}"', html_of(page))
    assert "<title>Error: " in html_of(page)


@pytest.mark.parametrize("name", ["<script>alert(1)</script> 10.1000/182", "10.1000/'\"<b>", "10.1000/{{ 7 }}"])
def test_odd_names_get_a_page(record: Look, name: str):
    page = record(name)
    assert page.status_code == 200
    assert "<script>" not in html_of(page)
    assert "<b>" not in html_of(page)


def test_nothing_is_stored_in_the_history(record: Look, visitor: Client):
    record("10.1000/182")
    assert "No lookups yet." in text_of(visitor.get("/history"))


def test_a_lookup_leads_to_the_record_page_and_back(look: Look, visitor: Client):
    page = look("10.5555/a%3Cb")
    link = re.search(r'href="(/records\?[^"]*)"', html_of(page))
    assert link
    followed = visitor.get(link[1].replace("&amp;", "&"))
    assert "10.5555/a<b" in text_of(followed)
    back = re.search(r'href="(/\?text=[^"]*)"', html_of(followed))
    assert back
    assert visitor.get(back[1]).status_code == 200


def test_what_the_sample_proxy_would_do_is_not_told_of_doi_org(record: Look, settings: Any):
    settings.DOIPORTAL_SAMPLE_DATA = True
    said = text_of(record("10.1000/182"))
    assert "With the sample proxy, this link goes to http" in said
    assert "This link goes to" not in said

"""From a lookup to the record of its name, and to what a click would do in another way."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.steps import look_up


@pytest.mark.clause("P3", "P6", "P11")
def test_a_librarian_sees_where_a_click_leads_and_tries_a_parameter(page: Page):
    look_up(page, "10.1525/bio.2009.59.5.9")
    page.get_by_text("The DOI record").click()
    page.get_by_role("link", name="Record page").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("→ With the sample proxy, this link goes to")
    verdict = page.get_by_role("region", name="With the sample proxy")
    expect(verdict.get_by_role("link")).to_have_text("http://mr.crossref.org/iPage?doi=10.1525%2Fbio.2009.59.5.9")
    expect(page.get_by_role("row").filter(has_text="mr.crossref.org")).to_contain_text("chosen")
    page.get_by_text("Parameters to try").click()
    page.get_by_label("Location with the attribute").fill("id:2")
    page.get_by_label("DOI or link").press("Enter")
    expect(verdict.get_by_role("link")).to_have_text("http://www.bioone.org/doi/full/10.1525/bio.2009.59.5.9")
    expect(page.get_by_role("link", name="?locatt=id:2").first).to_have_attribute(
        "href", "https://doi.org/10.1525/bio.2009.59.5.9?locatt=id:2"
    )
    page.get_by_label("Show the values instead").check()
    page.get_by_role("button", name="Show where the link goes").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("doi.org would show the record’s values")
    page.get_by_role("link", name="Without parameters").click()
    expect(page.get_by_label("Location with the attribute")).to_have_value("")


@pytest.mark.clause("P4", "P5")
def test_a_link_with_a_slash_too_many_leads_to_the_name_without_it(page: Page):
    answer = page.goto("/10.5555/missing-here/")
    assert answer
    assert answer.status == 404
    assert "set-cookie" not in answer.headers
    expect(page.get_by_role("heading", level=1)).to_contain_text("DOI name not found")
    without = page.get_by_role("link", name="10.5555/missing-here", exact=True)
    expect(without).to_have_attribute("href", "/10.5555/missing-here")
    page.get_by_role("link", name="Look up this name").click()
    expect(page.get_by_label("DOI, link or text")).to_have_value("https://doi.org/10.5555/missing-here/")
    page.get_by_role("button", name="Look up").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("not a registered DOI")


@pytest.mark.clause("P6")
def test_the_values_that_a_link_asks_for_lead_to_the_record_page(page: Page):
    page.goto("/10.1000/182?noredirect")
    expect(page.get_by_role("row").filter(has_text="HS_ADMIN")).to_contain_text("May delete the handle")
    page.get_by_role("link", name="Full record").click()
    assert urlsplit(page.url).path == "/records"
    expect(page.get_by_role("heading", level=1)).to_have_text("→ With the sample proxy, this link goes to")

"""`/abcde` is the short DOI 10/abcde, but never in place of a page of the portal."""

import pytest
from django.test import Client

from tests.gateway.conftest import ProxyBehind
from tests.proxy import raw_server as raw


@pytest.mark.clause("S12", "P7")
def test_a_short_doi_resolves_without_its_prefix(behind: ProxyBehind, program: Client) -> None:
    behind.records["10/p54k"] = [("HS_ALIAS", "10.1000/182")]
    answer = program.get("/p54k")
    assert (answer.status_code, answer["Location"]) == (301, "/10.1000/182")
    assert behind.asked == ["/api/handles/10/p54k", "/api/handles/10.1000/182"]
    assert program.get("/p54k?noredirect").status_code == 200


@pytest.mark.parametrize("accept", ["text/html", "application/vnd.citationstyles.csl+json"])
def test_where_there_is_none_a_mistyped_page_is_the_portals_404(
    accept: str, behind: ProxyBehind, program: Client
) -> None:
    for _ in range(2):
        answer = program.get("/histori", headers={"Accept": accept})
        assert answer.status_code == 404
        assert b"DOI name not found" not in answer.content
    assert behind.asked == ["/api/handles/10/histori"]


def test_a_short_doi_whose_alias_leads_nowhere_is_told_as_such(behind: ProxyBehind, program: Client) -> None:
    behind.records["10/p54k"] = [("HS_ALIAS", "10.1000/gone")]
    answer = program.get("/p54k")
    assert answer.status_code == 404
    assert b"The link is for <code>10/p54k</code>, an alias of this name." in answer.content


def test_one_that_could_not_be_asked_is_no_404(behind: ProxyBehind, program: Client) -> None:
    behind.records["10/p54k"] = raw.reset
    answer = program.get("/p54k")
    assert (answer.status_code, answer["Cache-Control"]) == (500, "no-store")
    assert len(behind.asked) == 3


@pytest.mark.parametrize("page", ["history", "records", "jobs/new", "ab", "abcdefghi", "robots.txt", "p54k/x"])
def test_the_portals_own_addresses_stay_its_own(page: str, behind: ProxyBehind, program: Client) -> None:
    behind.records[f"10/{page}"] = [("URL", "https://x.example/")]
    assert program.get(f"/{page}").status_code in (200, 404)


@pytest.mark.clause("P8")
def test_a_short_doi_that_was_missing_is_asked_for_past_what_is_stored(behind: ProxyBehind, program: Client) -> None:
    assert program.get("/n3w").status_code == 404
    behind.records["10/n3w"] = [("URL", "https://example.org/new")]
    assert program.get("/n3w?auth").status_code == 302

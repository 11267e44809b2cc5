"""Who would rather have data than a page is sent where the proxy behind sends them (content negotiation)."""

from email.utils import parsedate_to_datetime

import pytest
from django.test import Client
from django.utils import timezone

from tests.gateway.conftest import ProxyBehind
from tests.proxy import raw_server as raw

CSL = "application/vnd.citationstyles.csl+json"
CROSSREF = "https://api.crossref.org/v1/works/10.1000%2F182/transform"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
REDIRECT = raw.http(302, "<html>", Location=CROSSREF, Vary="Accept", Content_Type="text/html")


def asked_for_pages(behind: ProxyBehind) -> list[str]:
    return [target for target in behind.asked if not target.startswith("/api/")]


@pytest.mark.parametrize(
    "accept",
    [CSL, f"{CSL}, text/html; q=0.1", "application/rdf+xml", "text/x-bibliography; style=apa; locale=fr-FR"],
)
def test_who_asks_for_data_is_sent_to_the_agency(accept: str, behind: ProxyBehind, program: Client) -> None:
    behind.elsewhere = REDIRECT
    answer = program.get("/10.1000/182", headers={"Accept": accept})
    assert (answer.status_code, answer["Location"], answer["Vary"]) == (302, CROSSREF, "Accept")
    assert parsedate_to_datetime(answer["Expires"]) <= timezone.now()
    assert [request.headers["accept"] for request in behind.server.requests] == [accept]
    assert behind.asked == ["/10.1000/182"]


@pytest.mark.clause("P8", "P10", "P11", "A10")
def test_what_the_link_asks_for_besides_is_passed_on_as_it_is_understood(behind: ProxyBehind, program: Client) -> None:
    behind.elsewhere = REDIRECT
    query = (
        "?urlappend=%3Fa=1%26b%23c&locatt=id:1&auth&cert=false&evil=%0D%0A&ignore_aliases&type=URL&pretty&callback=f"
    )
    assert program.get(f"/10.1000/182{query}", headers={"Accept": CSL})["Location"] == CROSSREF
    assert behind.asked == [
        "/10.1000/182?auth=true&cert=true&ignore_aliases=true&type=URL&locatt=id:1&urlappend=?a%3D1%26b%23c"
    ]


@pytest.mark.parametrize("accept", ["", "*/*", "text/html", BROWSER, f"{CSL};q=0.5, text/html"])
def test_browsers_and_curl_are_sent_to_the_thing_itself(accept: str, behind: ProxyBehind, program: Client) -> None:
    behind.elsewhere = REDIRECT
    answer = program.get("/10.1000/182", headers={"Accept": accept} if accept else {})
    assert (answer.status_code, answer["Location"]) == (302, "https://www.doi.org/hb.html")
    assert answer["Vary"] == "Accept"
    assert asked_for_pages(behind) == []


@pytest.mark.parametrize("query", ["?noredirect", "?action=showurls"])
def test_who_asks_for_the_record_gets_it_whatever_they_accept(query: str, behind: ProxyBehind, program: Client) -> None:
    behind.elsewhere = REDIRECT
    assert program.get(f"/10.1000/182{query}", headers={"Accept": CSL}).status_code == 200
    assert asked_for_pages(behind) == []


@pytest.mark.parametrize("answered", [raw.http(200, "<html>", Content_Type="text/html"), raw.http(406, "")])
def test_where_there_are_no_data_the_name_leads_where_it_always_does(
    answered: bytes, behind: ProxyBehind, program: Client
) -> None:
    behind.elsewhere = answered
    answer = program.get("/10.1000/182", headers={"Accept": CSL})
    assert (answer.status_code, answer["Location"]) == (302, "https://www.doi.org/hb.html")


@pytest.mark.parametrize(
    ("answered", "status"),
    [
        (raw.http(404, "<html>", Content_Type="text/html"), 404),
        (raw.http(302, "", Location="javascript:alert(1)"), 500),
        (raw.reset, 500),
    ],
)
def test_other_answers_are_told_as_they_are(
    answered: raw.Answer, status: int, behind: ProxyBehind, program: Client
) -> None:
    behind.elsewhere = answered
    answer = program.get("/10.1000/182", headers={"Accept": CSL})
    assert answer.status_code == status
    assert answer["Vary"] == "Accept, Accept-Language"
    assert "Location" not in answer
    assert ("no-store" in answer.get("Cache-Control", "")) == (status >= 500)


@pytest.mark.parametrize(
    ("accept", "sent"),
    [
        (f"{CSL};q=0.5 , ../../etc/passwd, <script>/x", f"{CSL}; q=0.5"),
        (f"{CSL}; x=<script>alert(1)</script>; style=apa", f"{CSL}; style=apa"),
        (f"{CSL}; x=' OR 1=1--, ${{jndi:ldap://x/y}}", CSL),
        (", ".join(f"a/n{number}" for number in range(40)), ", ".join(f"a/n{number}" for number in range(10))),
        (f"{CSL}{'; a=b' * 20}", f"{CSL}; a=b; a=b; a=b; a=b"),
    ],
)
def test_of_a_strangers_header_only_plain_media_ranges_are_passed_on(
    accept: str, sent: str, behind: ProxyBehind, program: Client
) -> None:
    behind.elsewhere = REDIRECT
    assert program.get("/10.1000/182", headers={"Accept": accept}).status_code == 302
    assert behind.server.requests[0].headers["accept"] == sent


def test_where_none_is_left_the_name_leads_where_it_always_does(behind: ProxyBehind, program: Client) -> None:
    behind.elsewhere = REDIRECT
    answer = program.get("/10.1000/182", headers={"Accept": "../../etc/passwd"})
    assert answer["Location"] == "https://www.doi.org/hb.html"
    assert asked_for_pages(behind) == []


@pytest.mark.clause("P7")
@pytest.mark.parametrize("place", ["{proxy}/10.1000/182", "/10.1000/182", "{proxy}/10.1000/182?a=b"])
def test_of_an_alias_the_main_name_on_the_portal_has_the_data(place: str, behind: ProxyBehind, program: Client) -> None:
    behind.records["10.1000/old"] = [("HS_ALIAS", "10.1000/182")]
    behind.elsewhere = raw.http(301, "", Location=place.format(proxy=behind.server.url))
    answer = program.get("/10.1000/old", headers={"Accept": CSL})
    assert (answer.status_code, answer["Location"]) == (301, "/10.1000/182")


def test_data_at_the_proxy_behind_itself_are_no_alias(behind: ProxyBehind, program: Client) -> None:
    place = f"{behind.server.url}/metadata/10.1000/182"
    behind.elsewhere = raw.http(302, "", Location=place)
    assert program.get("/10.1000/182", headers={"Accept": CSL})["Location"] == place

"""Every recorded answer of the DOI proxy comes through the gateway as it is, but for the differences listed here."""

import pytest

from tests.gateway_outside.behind import Behind
from tests.gateway_outside.portal import Gateway
from tests.gateway_outside.recorded import Recording, differences, put_behind, recordings

# Of the network in front of doi.org, or of one connection: not the gateway's to give. An operator's web server may.
HOPS = {
    "header server": "names the software",
    "header strict-transport-security": "is for whoever ends TLS: the web server in front",
    "header permissions-policy": "the network in front of doi.org adds it",
    "header cf-cache-status": "the network in front of doi.org adds it",
    "header transfer-encoding": "is of one connection",
    "header connection": "is of one connection",
}
NOT_COMPRESSED = "nothing is compressed here, and every origin may read: no other request gets another answer"
COUNTRY = "Accept, and the header in which this operator has the country named"
PUT = "nothing can be written through a gateway: 405, told in its own words"
OWN_PAGE = "a page of this portal, in its own words"
NO_SUCH_SERVICE = (
    "shortdoi.org is another service, and asking it makes a short DOI; here this is a name with a parameter"
)
NAMED = "the recorded request was another, about the same name: its form is compared"

LISTED: dict[str, dict[str, str]] = {
    "handles_api success_recorded": {"header vary": NOT_COMPRESSED},
    "handles_api error_code_2": {
        "request": NAMED,
    },
    "handles_api error_code_2_stage": {
        "request": NAMED,
    },
    "handles_api error_code_301": {
        "status 400, here 405": PUT,
        "member responseCode": PUT,
        "member message": PUT,
        "member handle": PUT,
    },
    "handles_api jsonp": {"text": "the same value, without the white space"},
    "handles_api service_handle_10.SERV/CROSSREF": {
        "member responseCode": "the recording is by another program, which left it out",
        "member handle": "the recording is by another program, in small letters; here it is as asked for",
    },
    "which_ra ra_path_recorded_2026": {"header vary": NOT_COMPRESSED},
    "redirects html_head_302": {"header vary": COUNTRY},
    "redirects curl_sici_2021": {
        "header vary": COUNTRY,
        "header content-length": "the body shows the address as in the header; there, by its length, as stored",
    },
    "redirects curl_head_2023": {"header vary": COUNTRY},
    "redirects conneg_302_OP": {
        "header content-length": "without the space before the address",
        "body": "without the space before the address",
    },
    "redirects alias_301": {
        "header location": "the main name at the portal itself",
        "header content-length": "a body as with every redirect",
        "body": "a body as with every redirect",
    },
    "redirects http_to_https_301": {
        "status 301, here 302": "TLS ends before the portal; this is where the proxy behind sends who asks for data",
        "header cache-control": "an hour is the time of the network in front of doi.org",
        "body": "a body as with every redirect",
    },
    "redirects plain_http_303_in_2016": {"status 303, here 302": "302 today", "header vary": COUNTRY},
    "redirects not_found_404_html": {
        "page title": OWN_PAGE,
        "page list": OWN_PAGE,
        "header content-type": "with a space after the semicolon, which means the same",
    },
    "shortdoi json": {"status 200, here 404": NO_SUCH_SERVICE, "body": NO_SUCH_SERVICE},
}


@pytest.fixture(params=recordings(), ids=lambda recording: recording.id)
def recording(request: pytest.FixtureRequest) -> Recording:
    return request.param


@pytest.mark.clause("A1", "A2", "A3", "A4", "A5", "P1", "P4", "R1", "R3", "R5")
def test_the_answer_is_the_recorded_one_but_for_what_is_listed(
    gateway: Gateway, behind: Behind, recording: Recording
) -> None:
    put_behind(recording, behind)
    accept = {"Accept": recording.raw["accept"]} if "accept" in recording.raw else {}
    if recording.name.partition("?")[0] == "10.1000/1":  # recorded at three times: forget what was said before
        gateway.ask(f"/api/handles/{recording.name}?auth")
    answer = gateway.ask(recording.target, recording.method, **accept)
    found = set(differences(recording, answer)) - HOPS.keys()
    assert found == LISTED.get(recording.id, {}).keys(), (answer.status, answer.headers, answer.body[:1000])


def test_what_is_listed_was_recorded() -> None:
    assert LISTED.keys() <= {recording.id for recording in recordings()}
    assert all(reason for listed in LISTED.values() for reason in listed.values())


def test_what_the_network_in_front_of_doi_org_adds_is_another_here(gateway: Gateway, behind: Behind) -> None:
    found = set()
    for recording in recordings():
        if "headers" in recording.raw:
            put_behind(recording, behind)
            found |= set(differences(recording, gateway.ask(recording.target, recording.method)))
    assert HOPS.keys() <= found

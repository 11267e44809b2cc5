"""Locations, aliases and content negotiation of the sample proxy, seen with its sample records."""

import pytest

from tests.standin.conftest import Caller


def address(get: Caller, target: str, **headers: str) -> str:
    got = get(target, headers={name.replace("_", "-"): value for name, value in headers.items()})
    assert got.headers["vary"] == "Accept"
    if got.status == 301:  # to the main name
        return address(get, got.headers["location"], **headers)
    assert got.status == 302
    return got.headers["location"]


@pytest.mark.clause("P3", "P11", "L2", "L3", "L4")
@pytest.mark.parametrize("name", ["10.123/456", "10.5555/country-1"])
def test_the_handbook_s_example_can_be_tried(get: Caller, name: str) -> None:
    assert address(get, f"/{name}", CF_IPCountry="GB") == "https://uk.example.com/"
    assert address(get, f"/{name}?locatt=id:1", CF_IPCountry="GB") == "https://www1.example.com/"
    assert address(get, f"/{name}?locatt=country:gb") == "https://uk.example.com/"
    others = {"https://www1.example.com/", "https://www2.example.com/"}
    assert {address(get, f"/{name}?locatt=country:us", CF_IPCountry="US") for _ in range(40)} == others


@pytest.mark.clause("L6")
@pytest.mark.parametrize("word", ["badloc", "bombloc", "conneg"])
def test_locations_that_are_no_use_leave_the_url_value(get: Caller, word: str) -> None:
    assert address(get, f"/10.5555/{word}-1") == f"https://example.org/landing/{word}-1"
    assert get(f"/10.5555/{word}-1?action=showurls").text.count("<location ") == 1


@pytest.mark.clause("P3", "L1")
def test_a_prefix_can_have_locations_for_its_names(get: Caller) -> None:
    assert address(get, "/10.5237/sample-party") == "https://example.org/prefix-10.5237/10.5237%2Fsample-party"
    for name, own in (("sample-with-url", "landing/"), ("sample-with-location", "own-location")):
        found = {address(get, f"/10.5237/{name}") for _ in range(40)}
        assert {place.split("/")[3] for place in found} == {own.partition("/")[0], "prefix-10.5237"}
    namespace = get("/api/handles/0.NA/10.5237?type=HS_NAMESPACE").json
    assert namespace["values"][0]["data"]["value"] == "<namespace><locs>0.NA/10.5237</locs></namespace>"
    assert get("/api/handles/0.na/10.1000").json["values"][0]["data"]["value"] == "10.SERV/DEFAULT"
    assert get("/api/handles/0.NA/10.99999").status == 404


@pytest.mark.clause("P7")
def test_twenty_aliases_are_followed_and_no_more(get: Caller) -> None:
    assert get("/10.5555/chain20-x?urlappend=+a").headers["location"] == "/10.5555/target-x?urlappend=+a"
    assert address(get, "/10.5555/chain20-x") == "https://example.org/landing/target-x"
    assert get("/10.5555/chain21-x").status == 500
    assert address(get, "/10.5555/alias-x") == "https://example.org/landing/target-x"
    assert get("/10.5555/chain1-x?ignore_aliases").status == 200


@pytest.mark.clause("P1")
def test_an_address_with_a_line_break_is_shown_and_not_sent(get: Caller) -> None:
    got = get("/10.5555/crlf-1")
    assert (got.status, "set-cookie" in got.headers, "location" in got.headers) == (200, False, False)
    assert "control character" in got.text


@pytest.mark.clause("P1")
@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("10.5555/a/b", "https://api.crossref.org/v1/works/10.5555%2Fa%2Fb/transform"),
        ("10.5438/bv9z-dc66", "https://data.crosscite.org/10.5438%2Fbv9z-dc66"),
        ("doi:10.2777/28598", "https://ra.publications.europa.eu/data/10.2777%2F28598"),
    ],
)
def test_who_asks_for_metadata_is_sent_to_the_agency(get: Caller, name: str, place: str) -> None:
    assert address(get, f"/{name}", Accept="application/x-bibtex") == place
    assert address(get, f"/{name}", Accept="text/html,*/*;q=0.8") != place


@pytest.mark.parametrize(
    ("name", "status"), [("10.5555/missing", 404), ("10.5555/busy", 503), ("10.1430/8105", 302), ("10.5555/loop", 500)]
)
def test_metadata_of_what_has_none_is_answered_as_ever(get: Caller, name: str, status: int) -> None:
    got = get(f"/{name}", headers={"Accept": "application/json"})
    assert got.status == status
    assert "api.crossref.org" not in got.headers.get("location", "")

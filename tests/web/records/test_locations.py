"""The record page of unusual records: several locations, those of a prefix, and what a hostile stranger wrote."""

import json
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from django.test import Client

from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.standin.server import SampleProxyServer
from tests.web.conftest import Look, html_of, redirect_of, text_of


@pytest.fixture(scope="module")
def placed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SampleProxyServer]:
    """A proxy with a name whose locations leave two to chance, and one for Norway."""
    xml = """<locations><location id="a" href="https://a.example/"/><location id="b" href="https://b.example/"/>
    <location id="c" country="no" href="https://c.example/"/></locations>"""
    file = tmp_path_factory.mktemp("records") / "records.json"
    script = "&lt;script>alert(1)&lt;/script>\u202e"
    hostile = f'<locations chooseby="{script}"><location href="https://a.example/" label="{script}"/></locations>'
    records = {
        "10.1000/placed": ("10320/loc", xml),
        "10.1000/weighed": ("10320/loc", xml.replace('id="a"', 'weight="0.01"')),
        **{f"10.1000/alias{at}": ("HS_ALIAS", f"10.1000/alias{at + 1}") for at in range(22)},
        "10.1001/by-its-prefix": ("URL", "https://x.example/"),
        "0.NA/10.1001": ("HS_NAMESPACE", "<namespace><locs>10.1001/places</locs></namespace>"),
        "10.1001/places": (
            "10320/loc",
            '<locations><location href_template="https://p.example/{hdl}"/></locations>',
        ),
        "10.1002/alone": ("URL", "https://x.example/"),
        "10.1000/dangling": ("HS_ALIAS", "10.1000/nowhere"),
        "10.1000/to-a-prefix": ("HS_ALIAS", "10.1000"),
        "10.1000": ("HS_SERV", "10.SERV/CROSSREF"),
        "10.1000/hostile": ("10320/loc", hostile),
        "10.1000/hostile-alias": ("HS_ALIAS", unescape(script)),
    }
    found = [
        {"doi": name, "values": [{"index": 1000, "type": kind, "data": {"format": "string", "value": text}}]}
        for name, (kind, text) in records.items()
    ]
    file.write_text(json.dumps({"records": found}))
    with SampleProxyServer(file) as server:
        yield server


@pytest.fixture
def two_locations(placed: SampleProxyServer, settings: Any) -> str:
    settings.DOI_PROXY_URL = placed.url
    return "10.1000/placed"


@pytest.mark.clause("L4")
def test_the_country_is_that_by_which_the_gateway_goes(
    visitor: Client, record: Look, two_locations: str, settings: Any
):
    settings.COUNTRY_HEADER = "CF-IPCountry"
    here = {"CF-IPCountry": "NO"}
    page = visitor.get("/records", {"name": two_locations}, headers=here)
    assert redirect_of(page) == ("redirect", "https://c.example/")
    assert visitor.get(f"/{two_locations}", headers=here)["Location"] == "https://c.example/"
    elsewhere = visitor.get("/records", {"name": two_locations, "country": "gb"}, headers=here)
    assert "https://c.example/" not in redirect_of(elsewhere)


@pytest.mark.clause("L4")
def test_a_lookup_tells_the_location_of_the_readers_country_too(
    visitor: Client, look: Look, two_locations: str, settings: Any
):
    settings.COUNTRY_HEADER = "CF-IPCountry"
    found = look(two_locations)
    assert "country: no chosen" not in text_of(found)
    page = visitor.get(found.request["PATH_INFO"], headers={"CF-IPCountry": "NO"})
    assert "country: no chosen" in text_of(page)


@pytest.mark.clause("L5")
def test_where_chance_decides_no_address_is_promised(record: Look, two_locations: str):
    page = record(two_locations)
    assert redirect_of(page) == ("redirect", "https://a.example/", "https://b.example/")
    assert "This link goes to one of 2 web addresses" in text_of(page)
    assert "one of 2, at random" in text_of(page)


@pytest.mark.clause("L5")
def test_where_the_documents_differ_over_unequal_weights_the_page_says_so(record: Look, two_locations: str):
    said = text_of(record("10.1000/weighed"))
    assert "The DOI Handbook of 2026 says that the highest weight wins." in said
    assert "Handbook" not in text_of(record(two_locations))


@pytest.mark.clause("P7")
def test_more_aliases_than_doi_org_follows_are_told(record: Look, two_locations: str):
    page = record("10.1000/alias0")
    assert redirect_of(page) == ("too-many-aliases",)
    said = text_of(page)
    assert "doi.org would stop following the aliases" in said
    assert "There are more than 20 in a row." in said


@pytest.mark.clause("L3", "P11")
def test_an_attribute_of_a_location_is_tried(record: Look, two_locations: str):
    page = record(two_locations, locatt="id:b")
    assert redirect_of(page) == ("redirect", "https://b.example/")
    assert f'href="https://doi.org/{two_locations}?locatt=id:b"' in html_of(page)


@pytest.mark.clause("L2", "P3")
def test_locations_of_the_prefix_are_told_with_the_record_that_they_come_from(
    record: Look, placed: SampleProxyServer, settings: Any
):
    settings.DOI_PROXY_URL = placed.url
    page = record("10.1001/by-its-prefix")
    assert redirect_of(page) == ("redirect", "https://x.example/", "https://p.example/10.1001%2Fby-its-prefix")
    said = text_of(page)
    assert "one of 2, at random" in said
    assert said.count("Record for all names of the prefix") == 2
    assert "Record of 0.NA/10.1001" in said
    assert "Record of 10.1001/places" in said


@pytest.mark.clause("L4")
def test_a_country_is_tried_and_is_no_part_of_the_link(record: Look, two_locations: str):
    page = record(two_locations, country="NO")
    assert redirect_of(page) == ("redirect", "https://c.example/")
    assert f'href="https://doi.org/{two_locations}"' in html_of(page)


@pytest.mark.clause("P7")
def test_an_alias_of_a_name_that_is_not_there_says_so(record: Look, placed: SampleProxyServer, settings: Any):
    settings.DOI_PROXY_URL = placed.url
    page = record("10.1000/dangling")
    assert redirect_of(page) == ("not-found",)
    said = text_of(page)
    assert "The name is an alias, but the name it stands for isn’t registered." in said
    assert "Alias of 10.1000/nowhere" in said


@pytest.mark.clause("P5", "P7")
def test_an_alias_of_a_prefix_alone_is_pointed_out(record: Look, two_locations: str):
    said = text_of(record("10.1000/to-a-prefix"))
    assert "There is no address to redirect to. This is only a prefix" in said


@pytest.mark.clause("L4")
def test_the_country_that_the_portal_is_set_to_holds_where_none_is_tried(
    record: Look, two_locations: str, settings: Any
):
    settings.COUNTRY = "no"
    page = record(two_locations)
    assert redirect_of(page) == ("redirect", "https://c.example/")
    assert "NO (this portal’s setting)" in text_of(page)
    assert redirect_of(record(two_locations, country="fr")) == ("redirect", "https://a.example/", "https://b.example/")


@pytest.mark.clause("L6", "E14")
@pytest.mark.parametrize("name", ["10.1000/hostile", "10.1000/hostile-alias"])
def test_nothing_of_a_strangers_record_is_run(record: Look, placed: SampleProxyServer, settings: Any, name: str):
    settings.DOI_PROXY_URL = placed.url
    page = record(name)
    assert "<script>alert(1)</script>" in text_of(page)
    assert "<script>" not in html_of(page)
    assert "\u202e" not in html_of(page)


def test_a_prefix_that_must_not_be_asked_keeps_no_stored_record_from_being_shown(
    record: Look, visitor: Client, placed: SampleProxyServer, settings: Any
):
    settings.DOI_PROXY_URL, settings.REDIS_URL = placed.url, ""  # a pause in Redis would hold for the tests after it
    visitor.get("/api/handles/10.1002/alone")
    proxy_from_settings().budget.pause(40)
    page = record("10.1002/alone")
    assert page.status_code == 200
    assert redirect_of(page) == ("redirect", "https://x.example/")

"""The spellings of a name in a path, decoded once from the raw request target; the Not Found page and its advice."""

from urllib.parse import quote

import pytest

from tests.gateway_outside.behind import Behind
from tests.gateway_outside.portal import Gateway

LANDING = "https://example.org/landing"
TREACHEROUS = {
    "a/b:c": "a/b:c",
    "encoded%2Fslash": "encoded/slash",
    "456%23789": "456#789",
    "a%3Fb=c": "a?b=c",
    "a%2523": "a%23",
    "100%25": "100%",
    "%41%62c": "Abc",
    "terra+aqua": "terra+aqua",
    "a%20b": "a b",
    "a//b": "a//b",
    "a/..%2Fb": "a/../b",
    "a/.%2Fb": "a/./b",
    "%C3%81.GUTI%C3%89RREZ": "Á.GUTIÉRREZ",
    "A%CC%81": "A\u0301",
    "(SICI)5/6%3C642::A%3E3.0;2-%23": "(SICI)5/6<642::A>3.0;2-#",
    "a%5Cb": "a\\b",
    "a,b": "a,b",
    "demo/": "demo/",
}


@pytest.mark.clause("P1", "E5", "E8", "E9", "E10", "E13", "U5", "S10")
@pytest.mark.parametrize(("path", "suffix"), TREACHEROUS.items())
def test_the_name_is_decoded_once_and_asked_for_whole(
    gateway: Gateway, behind: Behind, name: str, path: str, suffix: str
) -> None:
    whole = f"{name}.{suffix}"
    behind.record(whole, ("URL", LANDING))
    assert gateway.ask(f"/{name}.{path}").location == LANDING
    assert gateway.ask(f"/api/handles/{name}.{path}").json["handle"] == whole
    assert [request.name for request in behind.asked_for(whole)] == [whole]


@pytest.mark.clause("E7", "E8")
def test_what_stands_behind_a_raw_question_mark_or_hash_is_not_of_the_name(
    gateway: Gateway, behind: Behind, name: str
) -> None:
    behind.record(name, ("URL", LANDING))
    assert gateway.ask(f"/{name}?b").location == LANDING
    assert gateway.ask(f"/api/handles/{name}?b/c").json["handle"] == name
    # A browser sends no fragment; who sends one all the same means the same by it.
    assert gateway.ask(f"/{name}#b").location in (LANDING, "")


@pytest.mark.clause("N1", "N2", "N3", "P14")
@pytest.mark.parametrize(
    "spelling",
    [
        "doi:{n}", "DOI:{n}", "urn:doi:{u}", "URN:DOI:{u}", "urn:doi:{n}", "info:doi/{n}", "doi%3A{n}", "{n}",
        "hdl:{n}", "HDL:{n}", "urn:hdl:{u}", "Urn:Hdl:{n}", "info:hdl/{n}", "urn:eidr:{u}",
        "/{n}", "///{n}", "%2F{n}", "/doi:{n}", "//urn:hdl:{u}",
    ],
)  # fmt: skip
def test_every_spelling_leads_to_the_same_name(gateway: Gateway, behind: Behind, name: str, spelling: str) -> None:
    whole = f"{name}/b:c"
    behind.record(whole, ("URL", LANDING))
    prefix, suffix = whole.split("/", 1)
    path = spelling.format(n=whole, u=f"{prefix}:{suffix.replace('/', '%2F')}")
    assert gateway.ask(f"/{path}").location == LANDING


@pytest.mark.clause("P4", "P5")
def test_a_missing_name_gets_a_page_with_advice(gateway: Gateway, behind: Behind, name: str) -> None:
    behind.record(name, ("URL", LANDING))
    page = gateway.ask(f"/{name}/")
    assert page.status == 404
    assert page["content-type"].startswith("text/html")
    assert f'href="/{name}"' in page.text, "the same name without the slash"
    assert "slash" in page.text
    assert "prefix" in gateway.ask("/10.5556").text
    doubled = gateway.ask(f"/{name.replace('/', '//')}")
    assert (doubled.status, f'href="/{name}"' in doubled.text) == (404, True)
    assert "DOI name not found" in page.text


@pytest.mark.clause("P5", "E7")
def test_a_name_that_was_cut_at_its_hash_is_offered_where_it_exists(
    gateway: Gateway, behind: Behind, name: str
) -> None:
    """What stood behind the # never came; but a name that was written with other damage can be found."""
    behind.record(name, ("URL", LANDING))
    behind.agency(name, {"RA": "Crossref"})
    page = gateway.ask(f"/{name}{quote('.')}")
    assert page.status == 404
    assert f'href="/{name}"' in page.text


@pytest.mark.clause("A1")
def test_slashes_before_the_api_are_dropped_and_those_before_the_name_are_not(
    gateway: Gateway, behind: Behind, name: str
) -> None:
    behind.record(name, ("URL", LANDING))
    assert gateway.ask(f"///api/handles/{name}").json["handle"] == name
    assert gateway.ask(f"/api/handles//{name}").json["responseCode"] == 100

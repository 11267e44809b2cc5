"""Metadata of made-up works, which the sample proxy gives in place of the agencies."""

import pytest

from resolver.standin.endpoints import answer_request
from resolver.standin.server import SampleProxyServer
from resolver.standin.work_services import CSL_JSON
from tests.standin.conftest import Caller, Got

ACCEPTS = {"Accept": CSL_JSON}


def follow(get: Caller, name: str) -> Got:
    """The answer behind the redirect of a name, at the sample proxy itself."""
    sent = get(f"/{name}", headers=ACCEPTS)
    if sent.status == 301:
        sent = get(sent.headers["location"], headers=ACCEPTS)
    assert sent.status == 302
    place = sent.headers["location"]
    assert place.startswith(get.standin.url + "/metadata/"), place
    return get(place.removeprefix(get.standin.url), headers=ACCEPTS)


@pytest.mark.clause("P1")
@pytest.mark.parametrize(
    ("name", "kind"), [("10.5555/a/b#c", "article-journal"), ("10.5438/bv9z-dc66", "dataset"), ("10.1000%2F182", "")]
)
def test_names_of_crossref_and_datacite_have_metadata(get: Caller, name: str, kind: str) -> None:
    if not kind:
        assert "/metadata/" not in get(f"/{name}", headers=ACCEPTS).headers["location"]
        return
    got = follow(get, name.replace("#", "%23"))
    assert (got.status, got.headers["content-type"]) == (200, CSL_JSON)
    assert (got.json["DOI"], got.json["type"], got.json["title"]) == (name, kind, f"Sample title of {name}")


def test_the_same_name_in_any_case_is_the_same_work(get: Caller) -> None:
    one, other = follow(get, "10.5555/some-work").json, follow(get, "10.5555/SOME-work").json
    assert (one["author"], one["issued"]) == (other["author"], other["issued"])


def test_of_an_alias_the_main_name_is_described(get: Caller) -> None:
    assert follow(get, "10.5555/alias-work").json["DOI"] == "10.5555/target-work"


@pytest.mark.parametrize("name", ["10.2777/28598", "10.5555/unknownwork"])
def test_some_names_have_none(get: Caller, name: str) -> None:
    assert follow(get, name).status == 406


@pytest.mark.parametrize("name", ["10.5555/missing", "10.1/never", "a%FF", ""])
def test_what_does_not_exist_has_none(get: Caller, name: str) -> None:
    assert get(f"/metadata/{name}", headers=ACCEPTS).status == 404


def test_an_agency_without_a_service_leads_to_the_page(get: Caller) -> None:
    assert "/metadata/" not in get("/10.1430/8105", headers=ACCEPTS).headers["location"]


@pytest.mark.parametrize("host", ["evil.example/path", "a b", "x" * 300, "a\r\nb", ""])
def test_a_host_that_is_none_is_not_repeated(standin: SampleProxyServer, host: str) -> None:
    got = answer_request(standin.answers, "/10.5555/work", {**ACCEPTS, "Host": host})
    assert got.headers["Location"] == "https://api.crossref.org/v1/works/10.5555%2Fwork/transform"

"""Each parameter of the DOI proxy, asked of the gateway by its address alone."""

import re

import pytest

from tests.gateway_outside.behind import Behind, text
from tests.gateway_outside.portal import Gateway

LANDING = "https://example.org/landing"
ADMIN = text(100, "HS_ADMIN", {"handle": "0.na/10.5555", "index": 200, "permissions": "011111110010"}, "admin")


def put(behind: Behind, name: str) -> list[dict[str, object]]:
    """A record with a value of each of four types, out of order."""
    values = [
        ADMIN,
        text(2, "URL", f"{LANDING}?copy=2"),
        text(1, "URL", LANDING),
        text(3, "EMAIL", "desk@example.org"),
        text(700050, "700050", "20200101"),
    ]
    behind.record(name, *values)
    return values


@pytest.mark.clause("P2", "P1")
def test_of_several_urls_the_one_with_the_lowest_index_is_taken(gateway: Gateway, behind: Behind, name: str) -> None:
    put(behind, name)
    answer = gateway.ask(f"/{name}")
    assert (answer.status, answer.location) == (302, LANDING)
    assert "Accept" in answer["vary"]


@pytest.mark.clause("P9", "A6", "H2")
@pytest.mark.parametrize(
    ("query", "indexes"),
    [
        ("", [100, 2, 1, 3, 700050]),
        ("type=URL", [2, 1]),
        ("type=url&type=EMAIL", [2, 1, 3]),
        ("index=100", [100]),
        ("index=1&index=100", [100, 1]),
        ("index=1&type=EMAIL", [1, 3]),
        ("type=nothing", []),
        ("index=x", []),
    ],
)
def test_type_and_index_choose_values_and_a_value_that_matches_any_counts(
    gateway: Gateway, behind: Behind, name: str, query: str, indexes: list[int]
) -> None:
    values = {value["index"]: value for value in put(behind, name)}
    answer = gateway.ask(f"/api/handles/{name}?{query}")
    assert answer.status == 200
    assert answer.json["responseCode"] == (1 if indexes else 200)
    assert answer.json.get("values", []) == [values[index] for index in indexes]


@pytest.mark.clause("P9")
def test_a_redirect_can_be_chosen_by_index(gateway: Gateway, behind: Behind, name: str) -> None:
    put(behind, name)
    assert gateway.ask(f"/{name}?index=2").location == f"{LANDING}?copy=2"
    assert gateway.ask(f"/{name}?type=EMAIL").status == 200
    assert not gateway.ask(f"/{name}?type=EMAIL").location


@pytest.mark.clause("P6", "A8")
@pytest.mark.parametrize("query", ["noredirect", "noredirect=", "noredirect=true", "NOTHING&noredirect"])
def test_noredirect_shows_the_values(gateway: Gateway, behind: Behind, name: str, query: str) -> None:
    put(behind, name)
    answer = gateway.ask(f"/{name}?{query}")
    assert (answer.status, answer.location) == (200, "")
    assert answer["content-type"].startswith("text/html")
    for shown in (LANDING, "desk@example.org", "HS_ADMIN", "700050", "20200101"):
        assert shown in answer.text


@pytest.mark.clause("A8")
def test_a_record_without_a_web_address_is_shown_and_no_error(gateway: Gateway, behind: Behind, name: str) -> None:
    behind.record(name, ("EMAIL", "desk@example.org"), ("DOI", "10.5555/other"), ADMIN)
    answer = gateway.ask(f"/{name}")
    assert (answer.status, answer.location) == (200, "")
    assert "desk@example.org" in answer.text
    assert "10.5555/other" in answer.text
    assert gateway.ask(f"/api/handles/{name}").json["responseCode"] == 1


@pytest.mark.clause("P7")
def test_aliases_are_followed_to_the_main_name_unless_ignored(gateway: Gateway, behind: Behind, name: str) -> None:
    behind.record(name, ("HS_ALIAS", f"{name}.B"), ("URL", "https://example.org/of-the-alias"))
    behind.record(f"{name}.b", ("HS_ALIAS", f"{name}.c"))
    put(behind, f"{name}.c")
    moved = gateway.ask(f"/{name}?urlappend=a+b")
    assert (moved.status, moved.location) == (301, f"/{name}.c?urlappend=a+b")
    assert gateway.ask(moved.location).location == f"{LANDING}a+b"
    assert gateway.ask(f"/{name}?ignore_aliases").location == "https://example.org/of-the-alias"
    assert gateway.ask(f"/api/handles/{name}").json["values"][0]["type"] == "HS_ALIAS", "REST follows none"


@pytest.mark.clause("P8", "P13", "A6")
@pytest.mark.parametrize("parameter", ["auth", "auth=true", "cert"])
@pytest.mark.parametrize("face", ["/", "/api/handles/"])
def test_auth_and_cert_go_past_what_is_kept_and_ask_the_same_of_the_proxy_behind(
    gateway: Gateway, behind: Behind, name: str, face: str, parameter: str
) -> None:
    put(behind, name)
    gateway.ask(f"{face}{name}")
    behind.record(name, ("URL", f"{LANDING}/new"))
    answer = gateway.ask(f"{face}{name}?{parameter}")
    assert f"{LANDING}/new" in (answer.location or answer.text)
    first, second = behind.asked_for(name)
    assert "?" not in first.target
    assert parameter.partition("=")[0] in second.target.partition("?")[2]


@pytest.mark.clause("P13", "P16", "A2")
def test_an_answer_is_kept_for_a_day_and_says_how_old_it_is(gateway: Gateway, behind: Behind, name: str) -> None:
    put(behind, name)
    behind.agency(name, {"RA": "Crossref"})
    of_values = (f"/api/handles/{name}", f"/api/handles/{name.upper()}?type=URL", f"/{name}?noredirect")
    for target in (*of_values, f"/{name}?index=1"):
        answer = gateway.ask(target)
        assert answer["age"].isdigit()
        assert answer["expires"]
    assert gateway.ask(f"/{name}")["cache-control"] == "private, no-store", "it has two URL values (P16)"
    assert len(behind.asked_for(name)) == 1
    for _ in range(2):
        assert gateway.ask(f"/doiRA/{name}").json == [{"DOI": name, "RA": "Crossref"}]
    assert len([target for target in behind.targets if target.startswith("/doiRA/")]) == 1


@pytest.mark.clause("P13", "P4")
def test_that_a_name_is_missing_is_kept_too_and_auth_asks_again(gateway: Gateway, behind: Behind, name: str) -> None:
    assert [gateway.ask(f"/api/handles/{name}").status for _ in range(2)] == [404, 404]
    assert len(behind.asked_for(name)) == 1
    put(behind, name)
    assert gateway.ask(f"/{name}").status == 404
    assert gateway.ask(f"/{name}?auth").location == LANDING
    assert gateway.ask(f"/{name}").location == LANDING


@pytest.mark.clause("P10")
def test_what_is_to_be_appended_stands_at_the_end(gateway: Gateway, behind: Behind, name: str) -> None:
    put(behind, name)
    query = "urlappend=%3Fparam1=12345%26param2=6789"
    assert gateway.ask(f"/{name}?{query}").location == f"{LANDING}?param1=12345&param2=6789"
    assert gateway.ask(f"/{name}?index=2&urlappend=%26more").location == f"{LANDING}?copy=2&more"
    assert gateway.ask(f"/{name}?urlappend=/%C3%A9%2525").location == f"{LANDING}/%C3%A9%25"


@pytest.mark.clause("P12")
@pytest.mark.parametrize("query", ["nols=y", "nols=y&nosfx=y", "something=else"])
def test_nols_and_what_nobody_knows_change_nothing(gateway: Gateway, behind: Behind, name: str, query: str) -> None:
    put(behind, name)
    assert gateway.ask(f"/{name}?{query}").location == LANDING
    assert len(gateway.ask(f"/api/handles/{name}?{query}").json["values"]) == 5


@pytest.mark.clause("A6", "A7")
def test_pretty_and_jsonp(gateway: Gateway, behind: Behind, name: str) -> None:
    values = put(behind, name)
    plain, pretty = gateway.ask(f"/api/handles/{name}"), gateway.ask(f"/api/handles/{name}?pretty")
    assert pretty.json == plain.json
    assert len(pretty.text.splitlines()) > 20 > len(plain.text.splitlines())
    wrapped = gateway.ask(f"/api/handles/{name}?callback=processResponse")
    assert re.fullmatch(r"processResponse\(\{.*\}\);", wrapped.text, re.DOTALL)
    assert "javascript" in wrapped["content-type"]
    assert wrapped["x-content-type-options"] == "nosniff"
    assert plain["access-control-allow-origin"] == "*"
    assert values[0]["type"] == "HS_ADMIN"


@pytest.mark.clause("H1", "S12")
def test_any_handle_resolves_and_not_only_a_doi_name(gateway: Gateway, behind: Behind) -> None:
    handles = ["1721.1/71495", "0.NA/10.5559", "10.SERV/EXAMPLE", "10779/uos.123.v1", "21.T11148/abc", "10/zz9zz9"]
    for handle in handles:
        behind.record(handle, ("URL", f"{LANDING}/{handle}"))
        assert gateway.ask(f"/api/handles/{handle}").json["handle"] == handle
        assert gateway.ask(f"/{handle}").location == f"{LANDING}/{handle}"
    # A short DOI is taken without its 10/ too, but for those that the portal has a page of.
    assert gateway.ask("/zz9zz9").location == f"{LANDING}/10/zz9zz9"
    assert gateway.ask("/history").status == 200


@pytest.mark.clause("R1", "R2", "R3", "R4", "S14", "E6")
@pytest.mark.parametrize("face", ["/doiRA/", "/ra/"])
def test_which_ra_keeps_order_commas_and_repetitions(gateway: Gateway, behind: Behind, face: str) -> None:
    told = {"10.5555/r,1": {"RA": "Crossref"}, "10.5555/r2": {"RA": "DataCite"}, "10.5555": {"RA": "New One"}}
    told |= {"10/zz8zz8": {"status": "Invalid DOI"}, "10.5555/r3": {"status": "Unknown"}, "": {"status": "Invalid DOI"}}
    for name, verdict in told.items():
        behind.agency(name, verdict)
    asked = [
        "10.5555/r2",
        "10.5555/r,1",
        "10.5555",
        "10/zz8zz8",
        "10.5555/r3",
        "10.5555/r2",
        "10.5555/R2",
        "10.5555/no",
    ]
    answer = gateway.ask(face + ",".join(name.replace(",", "%2C") for name in asked))
    verdicts = [told.get(name.lower(), {"status": "DOI does not exist"}) for name in asked]
    assert answer.json == [{"DOI": name, **verdict} for name, verdict in zip(asked, verdicts, strict=True)]
    assert answer["content-type"] == "application/json;charset=UTF-8"
    assert [item["DOI"] for item in gateway.ask(f"{face}10.5555/r2,,10.5555/r2").json] == [
        "10.5555/r2",
        "",
        "10.5555/r2",
    ]

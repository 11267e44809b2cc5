"""Multiple resolution, from the record to the redirect: the Handbook's worked example and what stands around it."""

from xml.etree import ElementTree

import pytest

from tests.gateway_outside.behind import Behind
from tests.gateway_outside.portal import Gateway

# DOI Handbook 2026, 10.4.2: the addresses that may be chosen, by the query and the requester's country.
UK, WWW1, WWW2 = "https://uk.example.com/", "https://www1.example.com/", "https://www2.example.com/"
WORKED = f"""<locations>
<location id="0" href="{UK}" country="gb" weight="0" />
<location id="1" href="{WWW1}" weight="1" />
<location id="2" href="{WWW2}" weight="1" />
</locations>"""
RESULTS = [
    ("", "GB", {UK}),
    ("", "FR", {WWW1, WWW2}),
    ("", "", {WWW1, WWW2}),
    ("?locatt=id:1", "", {WWW1}),
    ("?locatt=id:0", "", {UK}),
    ("?locatt=country:gb", "", {UK}),
    ("?locatt=country:us", "US", {WWW1, WWW2}),
]


@pytest.fixture
def asks(gateway: Gateway, behind: Behind, name: str):
    """`asks(xml, query, country)`: where thirty requests are sent to."""

    def ask(xml: str, query: str = "", country: str = "") -> set[str]:
        behind.record(name, ("URL", "https://www.defaultexample.com"), ("10320/loc", xml))
        gateway.ask(f"/{name}?auth")
        header = {"X_Country": country} if country else {}
        return {gateway.ask(f"/{name}{query}", **header).location for _ in range(30)}

    return ask


@pytest.mark.clause("P3", "P11", "L1", "L2", "L3", "L4", "L5")
@pytest.mark.parametrize(("query", "country", "targets"), RESULTS)
def test_the_worked_example_of_the_handbook(asks, query: str, country: str, targets: set[str]) -> None:
    """Thirty times one of two and never the other: that happens once in half a thousand million runs."""
    assert asks(WORKED, query, country) == targets


@pytest.mark.clause("L2", "L5")
@pytest.mark.parametrize(
    ("attributes", "weights", "chosen"),
    [
        ("", [1, 0, -1], {0}),
        ("", [0, 0, -5], {0, 1, 2}),
        ("", ["", 0, 0], {0}),
        ("", ["x", 0, 0], {0}),
        ('chooseby="weighted"', [0, 2, 0], {1}),
        ('chooseby="unknown,weighted"', [0, 0, 1], {2}),
    ],
)
def test_weights_decide_at_the_end(asks, attributes: str, weights: list[object], chosen: set[int]) -> None:
    locations = [
        f'<location href="https://example.org/{number}"' + (f' weight="{weight}"/>' if weight != "" else "/>")
        for number, weight in enumerate(weights)
    ]
    xml = f"<locations {attributes}>{''.join(locations)}</locations>"
    assert asks(xml) == {f"https://example.org/{number}" for number in chosen}


@pytest.mark.clause("L4")
def test_where_no_location_is_of_the_country_those_without_one_remain(asks) -> None:
    xml = f'<locations><location href="{UK}" country="gb"/><location href="{WWW1}"/></locations>'
    assert asks(xml, "", "gb") == {UK}
    assert asks(xml, "", "fr") == {WWW1}
    assert asks(xml, "", "no country at all") == {WWW1}


@pytest.mark.clause("P11", "L1")
def test_all_addresses_are_listed_on_request(gateway: Gateway, behind: Behind, name: str) -> None:
    behind.record(name, ("URL", "https://www.defaultexample.com"), ("10320/loc", WORKED))
    answer = gateway.ask(f"/{name}?action=showurls")
    assert answer.status == 200
    assert "xml" in answer["content-type"]
    known = {one.attrib["href"]: one.attrib for one in ElementTree.fromstring(answer.body)}
    assert set(known) == {UK, WWW1, WWW2}
    assert known[UK] == {"href": UK, "id": "0", "country": "gb", "weight": "0"}
    assert [known[one]["weight"] for one in (WWW1, WWW2)] == ["1", "1"]


@pytest.mark.clause("L1", "L3")
def test_locations_of_the_prefix_are_used_beside_the_addresses_of_the_record(gateway: Gateway, behind: Behind) -> None:
    template = '<locations><location href_template="https://example.org/ui/{hdl}"/></locations>'
    behind.record(
        "0.NA/10.55550", ("HS_NAMESPACE", "<namespace><locs>0.NA/10.55550</locs></namespace>"), ("10320/loc", template)
    )
    behind.record("10.55550/a b", ("URL", "https://example.org/landing"))
    behind.record(
        "10.55550/own",
        ("URL", "https://example.org/"),
        ("10320/loc", f'<locations><location href="{WWW1}"/></locations>'),
    )
    behind.record("10.55550/alone", ("10320/loc", f'<locations no_nslocs="true"><location href="{WWW1}"/></locations>'))

    def targets(name: str) -> set[str]:
        return {gateway.ask(f"/10.55550/{name}").location for _ in range(40)}

    assert targets("a%20b") == {"https://example.org/landing", "https://example.org/ui/10.55550%2Fa%20b"}
    assert targets("own") == {WWW1, "https://example.org/ui/10.55550%2Fown"}
    assert targets("alone") == {WWW1}

"""Locations as a table: which one would be chosen, why, and never a promise where chance decides."""

import pytest

from resolver.domain.display.handle_values import ValueContent, describe_values
from resolver.domain.display.location_table import MOST_ITEMS, LocationCriteria
from resolver.domain.redirect.locations import choose_location, parse_locations

HANDBOOK = """<locations>
<location id="0" href="http://uk.example.com/" country="gb" weight="0" />
<location id="1" href="http://www1.example.com/" weight="1" />
<location id="2" href="http://www2.example.com/" weight="1" />
</locations>"""


def told(xml: str, **circumstances: object) -> ValueContent:
    value = {"index": 1000, "type": "10320/LOC", "data": {"format": "string", "value": xml}}
    [row] = describe_values([value], LocationCriteria("10.123/456", **circumstances)).rows  # type: ignore[arg-type]
    return row.data


def verdicts(xml: str, **circumstances: object) -> list[str]:
    places = told(xml, **circumstances).places
    return [place.verdict for place in places.rows] if places else []


def tones(xml: str, **circumstances: object) -> list[str]:
    places = told(xml, **circumstances).places
    return [place.tone for place in places.rows] if places else []


def steps(xml: str, **circumstances: object) -> tuple[str, ...]:
    places = told(xml, **circumstances).places
    return places.steps if places else ()


@pytest.mark.clause("L2", "L5")
def test_where_chance_decides_each_is_one_of_so_many():
    assert verdicts(HANDBOOK) == ["left out by country", "one of 2, at random", "one of 2, at random"]
    assert tones(HANDBOOK) == ["unknown", "info", "info"]
    assert steps(HANDBOOK) == (
        "locatt: the link asks for no attribute, so nothing changes.",
        "country: the reader's country isn't known here, so those without a country are kept: 2 of 3.",
        "weight: one of 2 is chosen at random.",
    )


@pytest.mark.clause("L3")
def test_an_attribute_that_is_asked_for_decides():
    assert verdicts(HANDBOOK, locatt=[("id", "0")]) == ["chosen", "left out by locatt", "left out by locatt"]
    assert tones(HANDBOOK, locatt=[("id", "0")]) == ["good", "unknown", "unknown"]
    assert steps(HANDBOOK, locatt=[("id", "0")]) == ("locatt: id:0: 1 of 3 kept.",)


@pytest.mark.clause("L2", "L3")
def test_an_attribute_that_none_has_counts_for_nothing():
    assert steps(HANDBOOK, locatt=[("id", "9")])[0] == "locatt: no location has id:9, so this step has no effect."
    assert verdicts(HANDBOOK, locatt=[("id", "9")]) == verdicts(HANDBOOK)


@pytest.mark.clause("L3")
def test_the_headers_decide_too_and_are_told_only_where_they_do():
    headers = [("http_role", "browser"), ("language", "de")]
    xml = HANDBOOK.replace('id="1"', 'id="1" language="de"')
    assert verdicts(xml, by_headers=headers)[1] == "chosen"
    assert steps(xml, by_headers=headers) == ("locatt: language:de: 1 of 3 kept.",)
    assert steps(HANDBOOK, by_headers=headers) == steps(HANDBOOK)


@pytest.mark.clause("P3")
def test_a_location_that_is_chosen_from_among_others_too_is_told_as_one_of_them():
    own, others = parse_locations(HANDBOOK), parse_locations('<locations><location href="https://p/"/></locations>')
    choice = choose_location(own.join(others), pick=lambda among: among[0])
    assert verdicts(HANDBOOK, choice=choice)[1:] == ["one of 3, at random"] * 2
    alone = choose_location(own.join(others), locatt=[("href", "https://p/")], pick=lambda among: among[0])
    assert verdicts(HANDBOOK, choice=alone) == ["left out by locatt"] * 3


@pytest.mark.clause("L4")
def test_the_country_of_who_asks_decides():
    assert verdicts(HANDBOOK, country="gb")[0] == "chosen"
    assert steps(HANDBOOK, country="gb")[-1] == "country: those for GB are kept: 1 of 3."
    assert "country: none is for the country FR, so those without a country are kept: 2 of 3." in steps(
        HANDBOOK, country="fr"
    )


@pytest.mark.clause("L2", "L4")
@pytest.mark.parametrize(
    ("country", "here"), [("fr", "none is for the country FR"), ("", "the reader's country isn't known here")]
)
def test_where_each_location_is_for_another_country_the_country_counts_for_nothing(country: str, here: str):
    xml = HANDBOOK.replace('weight="1"', 'country="us"')
    assert steps(xml, country=country)[1] == (
        f"country: {here}, and each is for a country, so this step has no effect."
    )


@pytest.mark.clause("L5")
def test_of_unequal_weights_it_is_not_told_that_chance_decides():
    one, other = (f'<location href="https://{host}.example/" weight="{{}}"/>' for host in "ab")
    xml = f"<locations>{one}{other}</locations>"
    unequal, equal, none = xml.format(0.99, 0.01), xml.format(0.5, 0.5), xml.format(0, -1)
    assert verdicts(unequal) == ["one of 2", "one of 2"]
    assert steps(unequal)[-1] == "weight: 2 are left, with unequal weights."
    assert verdicts(equal) == verdicts(none) == ["one of 2, at random", "one of 2, at random"]


@pytest.mark.clause("L5")
def test_a_weight_of_nothing_is_left_out_by_weight():
    one, other = (
        '<location href="https://a.example/" weight="1"/>',
        '<location href="https://b.example/" weight="0"/>',
    )
    xml = f"<locations>{one}{other}</locations>"
    assert verdicts(xml) == ["chosen", "left out by weight"]


@pytest.mark.clause("L1")
def test_addresses_are_made_from_templates_and_other_attributes_are_kept():
    places = told('<locations><location href_template="https://x.example/{hdl}" label="L"/></locations>').places
    assert places
    [place] = places.rows
    assert place.address
    assert place.address.text == "https://x.example/10.123%2F456"
    assert place.attributes == (("label", "L"), ("made from", "https://x.example/{hdl}"))


@pytest.mark.clause("L6")
@pytest.mark.parametrize("href", ["javascript:alert(1)", "", "//x"])
def test_nobody_is_sent_to_what_is_no_web_address(href: str):
    xml = f'<locations><location href="{href}"/><location href="https://b.example/"/></locations>'
    assert verdicts(xml) == ["never used", "chosen"]


@pytest.mark.clause("L6")
@pytest.mark.parametrize(
    "xml",
    ["<locations", "<!DOCTYPE x [<!ENTITY e 'e'>]><locations/>", "<other/>", '<locations><location href="href="x/>'],
)
def test_xml_that_cannot_be_read_is_shown_as_it_is(xml: str):
    data = told(xml)
    assert data.places is None
    assert data.text == xml
    assert data.notes[0].startswith("This list of locations can't be read: ")


def test_very_many_locations_are_shown_in_part_and_say_so():
    places = told("<locations>" + '<location href="https://a.example/"/>' * (MOST_ITEMS + 3) + "</locations>").places
    assert places
    assert len(places.rows) == MOST_ITEMS
    assert places.notes == ("3 more locations are not shown.",)
    assert places.rows[0].verdict == f"one of {MOST_ITEMS + 3}, at random"

"""10320/loc: reading the value, and choosing among its locations."""

from collections.abc import Sequence

import pytest

from resolver.domain.redirect.locations import (
    Location,
    LocationChoice,
    UnreadableXml,
    choose_by_weight,
    choose_location,
    find_locations_handle,
    parse_locations,
)

HANDBOOK = """<locations>
<location id="0" href="https://uk.example.com/" country="gb" weight="0" />
<location id="1" href="https://www1.example.com/" weight="1" />
<location id="2" href="https://www2.example.com/" weight="1" />
</locations>"""


def last(among: Sequence[Location]) -> Location:
    assert len(among) > 1, "chance is asked only where it has something to decide"
    return among[-1]


def ids(locations: Sequence[Location]) -> str:
    return "".join(location.attributes.get("id", "?") for location in locations)


def chosen(xml: str, country: str = "", /, **locatt: str) -> LocationChoice:
    return choose_location(parse_locations(xml), locatt=tuple(locatt.items()), country=country, pick=last)


def locations(*each: str, chooseby: str = "") -> str:
    """One `<location>` for each text of attributes, with ids that count from 0."""
    inside = "".join(f'<location id="{number}" href="https://x/{number}" {one}/>' for number, one in enumerate(each))
    return f'<locations chooseby="{chooseby}">{inside}</locations>'


@pytest.mark.clause("L2", "L3", "L4", "L5", "P11")
@pytest.mark.parametrize(
    ("country", "locatt", "among", "method"),
    [
        ("gb", {}, "0", "country"),
        ("GB", {}, "0", "country"),
        ("uk", {}, "0", "country"),
        ("de", {}, "12", ""),
        ("", {}, "12", ""),
        ("", {"id": "1"}, "1", "locatt"),
        ("gb", {"id": "1"}, "1", "locatt"),
        ("", {"id": "0"}, "0", "locatt"),
        ("", {"country": "gb"}, "0", "locatt"),
        ("us", {"country": "us"}, "12", ""),
        ("gb", {"id": "9"}, "0", "country"),
    ],
)
def test_the_handbook_s_example(country: str, locatt: dict[str, str], among: str, method: str) -> None:
    choice = chosen(HANDBOOK, country, **locatt)
    assert (ids(choice.among), choice.method) == (among, method)
    assert choice.location == choice.among[-1]


@pytest.mark.clause("L2")
@pytest.mark.parametrize(
    ("chooseby", "country", "locatt", "among"),
    [
        ("country,locatt,weighted", "gb", {"label": "b"}, "1"),
        ("locatt,country,weighted", "gb", {"label": "b"}, "1"),
        ("country,locatt", "gb", {"label": "a"}, "0"),
        ("country", "gb", {"label": "b"}, "01"),
        ("country", "fr", {"label": "b"}, "2"),
        ("locatt", "gb", {"label": "b"}, "13"),
        ("country,locatt", "gb", {"label": "c"}, "01"),
        ("weighted", "gb", {"label": "a"}, "0123"),
        ("weighted,locatt", "gb", {"label": "a"}, "0123"),
        (" LOCATT , ,Country", "gb", {"label": "b"}, "1"),
        ("nonsense,locatt", "gb", {"label": "a"}, "0"),
        ("nonsense", "gb", {"label": "a"}, "0123"),
        ("country," * 100 + "locatt", "gb", {"label": "a"}, "0"),
        ("", "gb", {"label": "b"}, "1"),
    ],
)
def test_methods_are_applied_in_the_order_given(
    chooseby: str, country: str, locatt: dict[str, str], among: str
) -> None:
    one = 'country="gb" label="a"', 'country="gb" label="b"', 'label="c"', 'country="us" label="b"'
    assert ids(chosen(locations(*one, chooseby=chooseby), country, **locatt).among) == among


@pytest.mark.clause("L2")
def test_a_method_that_would_leave_none_is_undone_and_the_next_one_decides() -> None:
    choice = chosen(locations('country="gb"', 'country="us"', 'country="us" weight="0"'), "fr", id="7")
    assert [(step.method, ids(step.left), step.undone) for step in choice.steps] == [
        ("locatt", "012", True),
        ("country", "012", True),
        ("weighted", "01", False),
    ]


@pytest.mark.clause("L2")
def test_one_location_needs_no_method() -> None:
    choice = chosen(locations('weight="0"'), "gb")
    assert (ids(choice.among), choice.method) == ("0", "")


@pytest.mark.clause("L3")
@pytest.mark.parametrize(
    ("locatt", "among"),
    [
        ([("label", "a"), ("cr_src", "y")], "1"),
        ([("cr_src", "y"), ("label", "a")], "1"),
        ([("label", "A")], "012"),
        ([("label", "none"), ("cr_src", "y")], "12"),
        ([("cr_src", "y"), ("label", "none")], "12"),
        ([("label", "a"), ("label", "b")], "01"),
        ([("label", "b"), ("label", "a")], "2"),
        ([("extra", None)], "2"),
        ([("extra", None), ("label", "a")], "2"),
        ([("nothing", None)], "012"),
        ([("country", None)], "012"),
    ],
)
def test_each_attribute_has_its_turn_and_is_undone_by_itself(locatt: list[tuple[str, str | None]], among: str) -> None:
    xml = locations('label="a" cr_src="x"', 'label="a" cr_src="y"', 'label="b" cr_src="y" extra=""')
    assert ids(choose_location(parse_locations(xml), locatt=locatt, pick=last).among) == among


@pytest.mark.clause("L4")
def test_where_no_country_fits_those_without_one_are_kept() -> None:
    xml = locations('country="gb"', "", 'country=" "', 'country="FR"')
    assert [ids(chosen(xml, country).among) for country in ("de", "", "fr", "GB")] == ["12", "12", "3", "0"]


@pytest.mark.clause("L5")
@pytest.mark.parametrize(
    ("weights", "among"),
    [
        (["1", "0", "0.5"], "02"),
        (["0", "0", "0"], "012"),
        (["-1", "0", "-0.5"], "012"),
        (["-1", None, "0"], "1"),
        (["0", "nan", "0"], "1"),
        (["0", "inf", "1e999"], "12"),
        (["0", "heavy", ""], "12"),
        (["0", "1_0", "\u0661"], "12"),
        (["1e-300", "0", "0"], "0"),
        ([" 2 ", "0", "+.5"], "02"),
    ],
)
def test_the_choice_is_among_positive_weights_else_among_all(weights: list[str | None], among: str) -> None:
    one = ("" if weight is None else f'weight="{weight}"' for weight in weights)
    assert ids(chosen(locations(*one)).among) == among


@pytest.mark.clause("L5")
@pytest.mark.parametrize("weight", ["nan", "inf", "-inf", "1e999", "", "x", "0x1", "1" * 400])
def test_a_weight_that_is_no_finite_number_is_1(weight: str) -> None:
    assert Location({"weight": weight}).weight == 1.0


@pytest.mark.clause("L5")
def test_chance_takes_each_in_proportion_to_its_weight() -> None:
    among = [Location({"id": str(at), "weight": weight}) for at, weight in enumerate(["1", "0", "3"])]
    assert ids([choose_by_weight(among, chance) for chance in (0.0, 0.24, 0.25, 0.5, 1 - 2**-53)]) == "00222"
    zeros = [Location({"id": str(at), "weight": "0"}) for at in range(4)]
    assert ids([choose_by_weight(zeros, chance) for chance in (0.0, 0.3, 0.6, 1 - 2**-53)]) == "0123"
    huge = [Location({"id": str(at), "weight": "1e308"}) for at in range(4)]
    assert ids([choose_by_weight(huge, chance) for chance in (0.0, 0.3, 0.6, 0.9)]) == "0123"


@pytest.mark.clause("L5")
def test_a_location_for_programs_is_for_a_reader_only_when_asked_for_by_its_attributes() -> None:
    xml = locations('http_role="conneg" weight="0"', 'http_role="browser" weight="0"', 'weight="0"')
    assert ids(chosen(xml).among) == "12"
    assert ids(chosen(xml, http_role="conneg").among) == "0"
    assert ids(chosen(xml, id="0").among) == "0"
    alone = chosen(locations('http_role="CONNEG"', 'http_role="conneg"'), "gb")
    assert (alone.location, alone.method) == (None, "")
    labelled = locations('http_role="conneg" label="a"', 'label="a"', "")
    assert ids(chosen(labelled, label="a").among) == "1"
    assert ids(chosen(labelled, label="a", http_role="conneg").among) == "0"
    assert ids(chosen(labelled, http_role="browser", label="a").among) == "1"
    only_for_programs = locations('http_role="conneg" language="de"', "", 'http_role="conneg"')
    assert ids(chosen(only_for_programs, http_role="browser", language="de").among) == "1"


def test_no_location_is_no_choice() -> None:
    assert chosen("<locations/>", "gb", id="1").location is None


@pytest.mark.clause("L1")
def test_a_template_takes_the_percent_encoded_name() -> None:
    location = Location({"href_template": "https://x/?id={hdl}&again={hdl}"})
    assert location.find_href("10.1/a/b?c&d\u00e9") == (
        "https://x/?id=10.1%2Fa%2Fb%3Fc%26d%C3%A9&again=10.1%2Fa%2Fb%3Fc%26d%C3%A9"
    )
    assert (
        Location({"href": " https://x/{hdl} ", "href_template": "https://y/"}).find_href("10.1/a") == "https://x/{hdl}"
    )
    assert Location({"id": "1"}).find_href("10.1/a") is None
    path = Location({"href_template": "https://x/{hdl:path}?id={hdl}"})
    assert path.find_href("10.1/a/b?c") == "https://x/10.1/a/b%3Fc?id=10.1%2Fa%2Fb%3Fc"


@pytest.mark.clause("L1", "A9")
def test_half_of_a_surrogate_pair_in_a_name_makes_an_address_all_the_same() -> None:
    assert Location({"href_template": "https://x/{hdl}"}).find_href("10.1/\ud800") == "https://x/10.1%2F%3F"


@pytest.mark.clause("L6")
def test_a_template_cannot_be_made_to_fill_the_memory() -> None:
    assert Location({"href_template": "https://x/" + "{hdl}" * 12_000}).find_href("10.1/" + "a" * 8_000) is None
    assert Location({"href_template": "https://x/" + "{hdl:path}" * 6_000}).find_href("10.1/" + "a" * 8_000) is None
    assert Location({"href_template": "https://x/{hdl}"}).find_href("10.1/" + "a" * 7_000) is not None


@pytest.mark.clause("L1")
def test_other_elements_and_deeper_ones_are_passed_by() -> None:
    xml = """<?xml version="1.0" encoding="ISO-8859-1"?><!-- from Crossref -->
    <locations http_sc="302"><location label="\u00e9" href="https://x/?a&amp;b"/><xlocation id="1"/>
    <group><location id="2"/></group></locations>"""
    read = parse_locations(xml)
    assert read.chooseby == ("locatt", "country", "weighted")
    assert [location.attributes for location in read.locations] == [{"label": "\u00e9", "href": "https://x/?a&b"}]


@pytest.mark.clause("L6")
@pytest.mark.parametrize(
    ("xml", "why"),
    [
        ("", "no element"),
        ("https://example.org/", "not well-formed"),
        ('<locations><location href="href="https://x/" /></locations>', "not well-formed"),
        ('<locations><location href="https://x/?a&b=1"/></locations>', "not well-formed"),
        ('<locations><location href="&x;"/></locations>', "undefined entity"),
        ("<location/>", "outermost"),
        ("<!DOCTYPE locations><locations/>", "DOCTYPE"),
        ('<!DOCTYPE l [<!ENTITY a "b">]><locations/>', "DOCTYPE"),
        ('<!DOCTYPE l SYSTEM "file:///etc/passwd"><locations/>', "DOCTYPE"),
        ("<locations><?php echo 1 ?></locations>", "processing instruction"),
        ("<locations>\x00</locations>", "not well-formed"),
        ("<locations>\ud800</locations>", "surrogate"),
        ("<locations>" + "<location/>" * 300 + "</locations>", "300 elements"),
        (f'<locations chooseby="{",".join(map(str, range(17)))}"/>', "16 methods"),
        ("<locations>" + "<a>" * 16 + "</a>" * 16 + "</locations>", "16 deep"),
        ("<locations><location " + " ".join(f'a{n}="1"' for n in range(65)) + "/></locations>", "64 attributes"),
        ("<locations>" + " " * 65536 + "</locations>", "64 kB"),
        ("<a>" * 20_000, "16 deep"),
    ],
)
def test_what_is_no_plain_list_of_locations_is_refused_with_the_reason(xml: str, why: str) -> None:
    with pytest.raises(UnreadableXml, match=why):
        parse_locations(xml)


@pytest.mark.clause("L6")
@pytest.mark.parametrize(
    ("xml", "handle"),
    [
        ("<namespace><locs>0.NA/10.5237</locs></namespace>", "0.NA/10.5237"),
        ("<namespace><x/><locs> 0.NA/10.5237\n</locs><locs>b</locs></namespace>", "0.NA/10.5237"),
        ("<namespace><locs/></namespace>", None),
        ("<namespace/>", None),
        ("<other><locs>0.NA/10.5237</locs></other>", None),
        ('<!DOCTYPE n [<!ENTITY a "0.NA/1">]><namespace><locs>&a;</locs></namespace>', None),
        ("0.NA/10.5237", None),
    ],
)
def test_a_namespace_names_the_handle_with_the_locations_of_a_prefix(xml: str, handle: str | None) -> None:
    assert find_locations_handle(xml) == handle

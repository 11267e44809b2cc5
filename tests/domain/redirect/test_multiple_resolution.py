"""What a click on a name leads to where there are locations: its own, or those of its prefix."""

import pytest

from resolver.domain.handle.answers import Answer, NoValues, ProxyError, Unreachable
from resolver.domain.redirect.resolve_results import AddressList, Redirect
from tests.domain.records import alias, outcome, record, redirect, resolved, shown_values, url, value

NAME, PREFIX = "10.1/a b", "0.NA/10.1"
TWO = '<locations><location id="0" href="https://loc/0"/><location id="1" href="https://loc/1" weight="0"/></locations>'
NAMESPACE = "<namespace><locs>{}</locs></namespace>"


def with_locations(xml: str, kind: str = "10320/loc") -> Answer:
    return record(value(1, "URL", "https://value/"), value(1000, kind, xml))


def of_prefix(xml: str) -> Answer:
    return record(value(4, "HS_NAMESPACE", NAMESPACE.format(PREFIX)), value(5, "10320/loc", xml))


@pytest.mark.clause("P3", "L3", "L4", "P11")
@pytest.mark.parametrize("kind", ["10320/loc", "10320/LOC"])
def test_a_location_goes_before_the_url_value(kind: str) -> None:
    records = {NAME: with_locations(TWO, kind)}
    found, asked = resolved(NAME, records)
    assert isinstance(found, Redirect)
    assert (found.url, asked) == ("https://loc/0", [NAME, PREFIX])
    assert found.choice is not None
    assert found.why == (
        "A location in the record's own 10320/loc at index 1000 is chosen: the only one left with a positive weight."
    )
    there = redirect(NAME, records, "locatt=id:1&urlappend=%3Fx")
    assert there.url == "https://loc/1?x"
    assert "attribute that the request asks for" in there.why


@pytest.mark.clause("L4", "L5")
def test_the_country_is_the_requester_s_and_chance_is_told() -> None:
    xml = TWO.replace('weight="0"', 'country="gb"').replace(
        "</locations>", '<location href="https://loc/2"/></locations>'
    )
    british = redirect(NAME, {NAME: with_locations(xml)}, country="GB")
    assert (british.url, "country" in british.why) == ("https://loc/1", True)
    other = redirect(NAME, {NAME: with_locations(xml)})
    assert (other.url, "One of 2 locations in " in other.why) == ("https://loc/2", True)


@pytest.mark.clause("L6")
@pytest.mark.parametrize(
    "xml",
    [
        '<locations><location id="3" href="href="http://x/" weight="0" /></locations>',  # as the Handbook prints it
        '<!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/passwd">]><locations><location href="&x;"/></locations>',
        "",
    ],
)
def test_locations_that_cannot_be_read_are_told_and_the_url_value_is_used(xml: str) -> None:
    found, asked = resolved(NAME, {NAME: with_locations(xml), PREFIX: of_prefix(TWO)})
    assert isinstance(found, Redirect)
    assert (found.url, asked) == ("https://value/", [NAME])
    assert "cannot be read" in found.why


def test_of_several_values_the_first_that_can_be_read_counts() -> None:
    answer = record(value(9, "10320/loc", TWO), value(3, "10320/loc", "<"), value(1, "10320/loc", {"a": 1}, "odd"))
    assert redirect(NAME, {NAME: answer}).url == "https://loc/0"


@pytest.mark.clause("P1")
@pytest.mark.parametrize("address", ["javascript:alert(1)", "https://x/&#10;y", "", "ldap://x/"])
def test_a_location_to_which_nobody_can_be_sent_is_none(address: str) -> None:
    xml = f'<locations><location id="a" href="{address}"/><location href="https://loc/0" weight="0"/></locations>'
    assert redirect(NAME, {NAME: with_locations(xml)}, "locatt=id:a").url == "https://loc/0"
    assert (
        redirect(NAME, {NAME: with_locations(f'<locations><location href="{address}"/></locations>')}).url
        == "https://value/"
    )


def test_where_only_programs_are_sent_a_reader_gets_the_url_value() -> None:
    xml = '<locations><location weight="0" http_role="conneg" href_template="http://data.crossref.org/{hdl}"/></locations>'
    reader = redirect(NAME, {NAME: with_locations(xml)})
    assert (reader.url, "No location in " in reader.why) == ("https://value/", True)
    assert (
        redirect(NAME, {NAME: with_locations(xml)}, "locatt=http_role:conneg").url
        == "http://data.crossref.org/10.1%2Fa%20b"
    )


@pytest.mark.clause("L1", "P3")
def test_the_locations_of_a_prefix_stand_beside_the_url_values_of_its_names() -> None:
    template = '<locations><location href_template="https://prefix/{hdl}"/></locations>'
    records = {NAME: url("https://value/"), PREFIX: of_prefix(template)}
    found, asked = resolved(NAME, records)
    assert isinstance(found, Redirect)
    assert found.choice is not None
    assert (found.varies, asked) == (True, [NAME, PREFIX])
    assert addresses(found) == ["https://value/", "https://prefix/10.1%2Fa%20b"]
    assert found.why == (
        "One of 2 locations in the record's URL values and the prefix's (0.NA/10.1) 10320/loc at index 5 "
        "is chosen at random."
    )
    elsewhere = records | {
        PREFIX: record(value(4, "HS_NAMESPACE", NAMESPACE.format("10.9/locs"))),
        "10.9/locs": record(value(1, "10320/loc", template)),
        "10.2/b": alias(NAME),
    }
    found, asked = resolved("10.2/b", elsewhere)
    assert isinstance(found, Redirect)
    assert addresses(found) == ["https://value/", "https://prefix/10.1%2Fa%20b"]
    assert asked == ["10.2/b", NAME, PREFIX, "10.9/locs"]


def addresses(found: Redirect) -> list[str | None]:
    """The addresses of the random choice."""
    return [one.find_href(NAME) for one in found.choice.among] if found.choice else []


ONE = '<locations><location id="9" label="p" href="https://prefix/"{}/></locations>'


@pytest.mark.clause("L1", "L5", "P3")
@pytest.mark.parametrize(
    ("own", "prefix", "query", "among"),
    [
        (url("https://value/"), ONE.format(' weight="0"'), "", ["https://value/"]),
        (url("https://value/1", "https://value/2"), ONE.format(""), "", ["https://value/1", "https://value/2", "https://prefix/"]),
        (url("https://value/"), ONE.format(""), "locatt=label:p", ["https://prefix/"]),
        (url("https://value/"), ONE.format(' http_role="conneg"'), "", ["https://value/"]),
        (url("javascript:x"), ONE.format(' weight="0"'), "", ["https://prefix/"]),
        (record(value(1, "EMAIL", "x")), ONE.format(' weight="0"'), "", ["https://prefix/"]),
        (record(value(1, "URL.x", "https://value/")), ONE.format(""), "", ["https://value/", "https://prefix/"]),
        (with_locations(TWO), ONE.format(""), "", ["https://loc/0", "https://prefix/"]),
        (with_locations(TWO), ONE.format(' weight="0"'), "", ["https://loc/0"]),
        (with_locations(TWO), ONE.format(""), "locatt=id:9", ["https://prefix/"]),
        (with_locations("<locations/>"), ONE.format(""), "", ["https://prefix/"]),
        (with_locations(TWO.replace(' weight="0"', "").replace("<locations", '<locations chooseby="weighted"')),
         ONE.format(""), "locatt=id:9", ["https://loc/0", "https://loc/1", "https://prefix/"]),
        (url("https://value/"), ONE.format("").replace("<locations", '<locations chooseby="weighted"'), "locatt=id:9",
         ["https://value/", "https://prefix/"]),
    ],
)  # fmt: skip
def test_the_locations_of_a_prefix_join_those_of_the_record(
    own: Answer, prefix: str, query: str, among: list[str]
) -> None:
    assert addresses(redirect(NAME, {NAME: own, PREFIX: of_prefix(prefix)}, query)) == among


@pytest.mark.parametrize("word", ["true", "1", "yes", " TRUE "])
def test_a_record_can_keep_the_locations_of_its_prefix_away(word: str) -> None:
    own = with_locations(TWO.replace("<locations", f'<locations no_nslocs="{word}"'))
    found, asked = resolved(NAME, {NAME: own, PREFIX: of_prefix(ONE.format(""))})
    assert isinstance(found, Redirect)
    assert (addresses(found), asked) == (["https://loc/0"], [NAME])


@pytest.mark.parametrize("word", ["false", "0", "", "no"])
def test_a_record_that_does_not_say_so_joins_its_prefix(word: str) -> None:
    own = with_locations(TWO.replace("<locations", f'<locations no_nslocs="{word}"'))
    assert len(addresses(redirect(NAME, {NAME: own, PREFIX: of_prefix(ONE.format(""))}))) == 2


@pytest.mark.clause("P1")
@pytest.mark.parametrize(
    ("of_all", "of_one", "of_the_prefix", "status"),
    [
        ("", "", "", 302),
        ("303", "", "", 303),
        ("303", "307", "", 307),
        ("", "", "301", 301),
        ("308", "", "301", 308),
        ("200", "", "", 302),
        ("301 ", "", "", 302),
        ("303", "x", "", 302),
        ("\u0663\u0660\u0663", "", "", 302),
    ],
)
def test_the_locations_say_the_status_of_the_redirect(
    of_all: str, of_one: str, of_the_prefix: str, status: int
) -> None:
    def say(code: str) -> str:
        return f' http_sc="{code}"' if code else ""

    own = f'<locations{say(of_all)}><location href="https://loc/"{say(of_one)}/></locations>'
    prefix = f'<locations{say(of_the_prefix)}><location href="https://prefix/" weight="0"/></locations>'
    assert redirect(NAME, {NAME: with_locations(own), PREFIX: of_prefix(prefix)}).status == status


@pytest.mark.clause("P1")
def test_the_status_of_locations_is_not_that_of_a_url_value_in_their_place() -> None:
    assert redirect(NAME, {NAME: url("https://value/")}).status == 302
    xml = f'<locations http_sc="301"><location href="https://loc/{"x" * 7_980}"/></locations>'
    found = redirect(NAME, {NAME: with_locations(xml)}, f"urlappend={'y' * 100}")
    assert (found.url.startswith("https://value/"), found.status) == (True, 302)


@pytest.mark.clause("L1")
def test_only_the_sources_that_offer_something_are_told() -> None:
    template = ONE.format("")
    for own in (record(value(1, "EMAIL", "x")), url("javascript:x"), with_locations("<locations/>")):
        why = redirect(NAME, {NAME: own, PREFIX: of_prefix(template)}).why
        assert why.startswith("A location in the prefix's (0.NA/10.1) 10320/loc at index 5 is chosen")


@pytest.mark.clause("P3", "P9")
@pytest.mark.parametrize("query", ["index=1", "type=URL", "index=1&type=URL"])
def test_a_request_for_some_values_does_not_concern_the_prefix(query: str) -> None:
    found, asked = resolved(NAME, {NAME: url("https://value/"), PREFIX: of_prefix(TWO)}, query)
    assert isinstance(found, Redirect)
    assert (found.url, asked) == ("https://value/", [NAME])


@pytest.mark.clause("P3")
def test_of_several_namespaces_the_first_that_names_a_handle_counts() -> None:
    named = NAMESPACE.format(PREFIX)
    values = [value(at, "HS_NAMESPACE", text) for at, text in enumerate(("<", "<namespace/>", named), 2)]
    found = redirect(NAME, {NAME: url("https://value/"), PREFIX: record(*values, value(9, "10320/loc", TWO))})
    assert addresses(found) == ["https://value/", "https://loc/0"]


@pytest.mark.parametrize(
    "answer",
    [
        ProxyError("no"),
        Unreachable("no"),
        NoValues(),
        record(),
        record(value(4, "HS_NAMESPACE", "<namespace/>"), value(5, "10320/loc", TWO)),
        record(value(4, "HS_NAMESPACE", NAMESPACE.format("10.9/gone"))),
        record(value(4, "HS_NAMESPACE", NAMESPACE.format(PREFIX)), value(5, "10320/loc", "<broken")),
        record(value(4, "HS_NAMESPACE", NAMESPACE.format(PREFIX)), value(5, "10320/loc", "<locations/>")),
        alias("10.1/x"),
    ],
)
def test_a_prefix_that_says_nothing_or_fails_is_no_failure_of_the_name(answer: Answer) -> None:
    assert redirect(NAME, {NAME: url("https://value/"), PREFIX: answer}).url == "https://value/"


@pytest.mark.parametrize(("name", "query"), [(NAME, "type=URL"), (NAME, "noredirect"), ("10.1", ""), (PREFIX, "")])
def test_the_prefix_is_not_asked_where_it_cannot_matter(name: str, query: str) -> None:
    assert resolved(name, {name: url("https://value/")}, query)[1] == [name]


@pytest.mark.clause("P9")
def test_a_type_leaves_the_locations_out_too() -> None:
    assert redirect(NAME, {NAME: with_locations(TWO)}, "type=URL").url == "https://value/"
    assert shown_values(NAME, {NAME: with_locations("<")}, "type=10320/loc")


@pytest.mark.clause("P11")
def test_showurls_lists_the_locations() -> None:
    listed = outcome(NAME, {NAME: with_locations(TWO)}, "action=showurls")
    assert isinstance(listed, AddressList)
    assert listed.urls == ("https://loc/0", "https://loc/1")
    found = outcome(NAME, {NAME: url("https://value/"), PREFIX: of_prefix(TWO)}, "action=showurls")
    assert isinstance(found, AddressList)
    assert found.urls == ("https://value/", "https://loc/0", "https://loc/1")
    assert (found.listed[0].attributes["weight"], found.listed[0].attributes["mode"]) == ("1", "legacy")

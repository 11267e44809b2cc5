"""What holds of every record and request that strangers may send: a click leads to a sound address or nowhere."""

import re
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import event, example, given
from hypothesis import strategies as st

from resolver.domain.handle.answers import Answer, MissingHandle, NoValues, ProxyError
from resolver.domain.handle.json_responses import record_reply
from resolver.domain.handle.names_in_path import find_name_in_path, parse_which_ra_list
from resolver.domain.handle.proxy_parameters import ProxyParameters
from resolver.domain.redirect.locations import (
    Location,
    Locations,
    UnreadableXml,
    choose_by_weight,
    choose_location,
    parse_locations,
)
from resolver.domain.redirect.resolve_results import AddressList, Redirect, ShownValues
from tests.doi_reading.strategies import PROPERTY, TEXTS
from tests.domain.records import record, resolved, value

SOUND = re.compile(r"(?:https?|ftp)://[!#$%&'()*+,./0-9:;=?@A-Z\[\]_a-z~-]+\Z", re.IGNORECASE)
HANDLES = st.sampled_from(["10.1/a", "10.1/B", "10.1/c", "10/abc", "abc", "0.NA/10.1", "10.1", ""])
ADDRESSES = st.one_of(
    st.sampled_from(["https://x/", "ftp://y/z", "javascript:x", " https://\u00e9/ ", "https://x/\r\nA: b", "//x", ""]),
    st.text().map("https://x/".__add__),
)
WEIGHTS = st.one_of(st.none(), st.floats().map(str), st.text(max_size=5))
ATTRIBUTES = st.fixed_dictionaries(
    {},
    optional={
        "href": ADDRESSES,
        "href_template": st.sampled_from(["https://x/{hdl}", "{hdl}", "https://{hdl}/"]),
        "id": st.sampled_from(["0", "1"]),
        "country": st.sampled_from(["gb", "UK", "us", ""]),
        "weight": WEIGHTS.map(lambda weight: "" if weight is None else weight),
        "http_role": st.sampled_from(["conneg", "browser"]),
    },
)
PLAIN_TEXT = re.compile(r"<!--.*?-->|<!\[CDATA\[.*?]]>", re.DOTALL)
METHODS = st.lists(st.sampled_from(["locatt", "country", "weighted", "other"]), max_size=4).map(tuple)
LISTS = st.builds(Locations, METHODS, st.lists(st.builds(Location, ATTRIBUTES), max_size=6).map(tuple))
LOCATT = st.lists(st.sampled_from([("id", "1"), ("country", "gb"), ("http_role", "conneg"), ("x", "")]), max_size=2)
COUNTRIES = st.sampled_from(["", "gb", "GB", "us", "fr"])
PIECES = [
    "<locations>", "</locations>", "<location ", 'href="https://x/"', 'id="&lt;"', "/>", "<!DOCTYPE", "<!-- -->",
    "<?x?>", "&a;", "]]>", "<![CDATA[", "\x00", "\ud800", 'chooseby="x"', ">",
]  # fmt: skip
XML = st.one_of(
    TEXTS,
    st.lists(st.sampled_from(PIECES), max_size=9).map(" ".join),
    st.just('<locations><location href="https://loc/"/><location href_template="{hdl}"/></locations>'),
    st.just("<namespace><locs>10.1/c</locs></namespace>"),
)
VALUES = st.one_of(
    st.builds(value, st.integers(-1, 3), st.just("URL"), ADDRESSES),
    st.builds(value, st.integers(-1, 3), st.just("HS_ALIAS"), HANDLES),
    st.builds(value, st.integers(-1, 3), st.sampled_from(["10320/LOC", "HS_NAMESPACE"]), XML),
    st.builds(value, st.integers(-1, 3), st.sampled_from(["URL", "HS_ALIAS", "10320/loc", "X"]), st.none() | HANDLES),
)
ANSWERS = st.one_of(
    st.lists(VALUES, max_size=4).map(lambda values: record(*values)),
    st.sampled_from([MissingHandle(), NoValues(), ProxyError("x")]),
)
RECORDS = st.builds(dict.__or__, st.fixed_dictionaries({"10.1/a": ANSWERS}), st.dictionaries(HANDLES, ANSWERS))
PARAMETERS = [
    "noredirect", "ignore_aliases", "type=URL", "type=10320/loc", "index=1", "action=showurls", "callback=f", "pretty",
    "urlappend=%0D%0Ax%C3%A9", "locatt=id:1", "locatt=http_role:conneg", "%FF&&=", "callback=a()",
]  # fmt: skip
QUERIES = st.lists(st.sampled_from(PARAMETERS), max_size=4).map("&".join)


def first(among: Sequence[Location]) -> Location:
    return among[0]


@pytest.mark.clause("P1", "P7", "L6")
@PROPERTY
@given(st.just("10.1/A") | HANDLES, RECORDS, QUERIES, COUNTRIES)
def test_every_resolution_ends_and_every_address_is_sound(
    name: str, records: dict[str, Answer], query: str, country: str
) -> None:
    found, asked = resolved(name, records, query, country)
    event(type(found).__name__)
    assert len(asked) <= 25, "the name, a short DOI, twenty aliases, a prefix, its locations"
    if isinstance(found, Redirect):
        assert SOUND.match(found.url)
    if isinstance(found, AddressList):
        assert all(map(SOUND.match, found.urls))
    if isinstance(found, ShownValues):
        assert found.why
        assert set(map(id, found.values)) <= set(map(id, getattr(found.record, "values", ())))


@pytest.mark.clause("L2", "L3", "L4", "L5")
@PROPERTY
@given(LISTS, LOCATT, COUNTRIES)
def test_a_choice_is_one_of_the_locations_and_each_step_leaves_some_of_the_last(
    given_: Locations, locatt: list[tuple[str, str]], country: str
) -> None:
    choice = choose_location(given_, locatt=locatt, country=country, pick=first)
    readers = [location for location in given_.locations if not location.for_programs]
    asked = bool(locatt) and choice.location is not None and choice.location.for_programs
    assert (choice.location is None) is (not readers and not asked)
    if choice.location is None:
        return
    assert choice.location in choice.among
    assert asked or all(location in readers for location in choice.among)
    assert choice.steps[-1].left == choice.among
    before = list(given_.locations)
    for step in choice.steps:
        assert step.left or not readers
        assert all(location in before for location in step.left) or asked
        before = list(step.left) or before
    assert len(choice.among) == 1 or choice.steps[-1].method == "weighted"


@pytest.mark.clause("L5")
@PROPERTY
@given(st.lists(WEIGHTS, min_size=1, max_size=5), st.floats(0, 1, exclude_max=True))
def test_chance_takes_a_positive_weight_where_there_is_one(weights: list[str | None], chance: float) -> None:
    among = [Location({} if weight is None else {"weight": weight}) for weight in weights]
    taken = choose_by_weight(among, chance)
    assert taken in among
    assert taken.weight > 0 or all(location.weight <= 0 for location in among)


@pytest.mark.clause("L6")
@PROPERTY
@given(XML)
@example("<locations><!-- <!DOCTYPE --><![CDATA[<!DOCTYPE]]></locations>")
def test_any_text_is_a_list_of_locations_or_is_refused(text: str) -> None:
    try:
        read = parse_locations(text)
    except UnreadableXml:
        return
    assert "<!DOCTYPE" not in PLAIN_TEXT.sub("", text)
    assert read.chooseby


@pytest.mark.clause("A1", "A2", "A7")
@PROPERTY
@given(TEXTS, ANSWERS, QUERIES)
def test_every_answer_is_json_or_a_call_with_json(name: str, answer: Answer, query: str) -> None:
    reply = record_reply(name, answer, ProxyParameters.of(query))
    assert reply.status in {200, 404, 500}
    assert reply.body.startswith(b"f({") if "javascript" in reply.content_type else reply.body.startswith(b"{")


@pytest.mark.clause("E15", "R2")
@PROPERTY
@given(TEXTS)
def test_any_path_is_read_without_an_exception(raw: str) -> None:
    name: Any = find_name_in_path(raw)
    assert name is None or isinstance(name.encode(), bytes)
    assert len(parse_which_ra_list(raw)) == raw.count(",") + 1

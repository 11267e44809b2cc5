"""Handle values in words: whatever a proxy sent, there are rows, bounded, and no fault."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resolver.domain.display.handle_values import (
    MOST_CHARACTERS,
    MOST_ITEMS,
    MOST_VALUES,
    RIGHTS,
    HandleValueRow,
    ValueContent,
    describe_rights,
    describe_values,
)
from resolver.domain.display.link_or_text import LONGEST_TEXT
from resolver.domain.display.times_and_durations import format_timestamp, format_ttl


def value(format_name: str, data: Any, kind: str = "X", **more: Any) -> dict[str, Any]:
    return {"index": 1, "type": kind, "data": {"format": format_name, "value": data}, **more}


def data_of(format_name: str, data: Any, kind: str = "X") -> ValueContent:
    [row] = describe_values([value(format_name, data, kind)]).rows
    return row.data


@pytest.mark.clause("A3", "A4")
def test_each_value_is_a_row_in_the_order_in_which_it_came():
    found = describe_values(
        [value("string", "b", index=100, ttl=86400, timestamp="2004-01-21T14:14:17Z"), value("string", "a")]
    )
    moment = "21 January 2004, 14:14:17 UTC"
    assert found.rows == (
        HandleValueRow("100", "X", "string", ValueContent("b"), "24 hours (86400 s)", moment),
        HandleValueRow("1", "X", "string", ValueContent("a"), "", ""),
    )
    assert found.left_out == 0


@pytest.mark.clause("A3")
@pytest.mark.parametrize(
    ("ttl", "words"),
    [
        (86400, "24 hours (86400 s)"), (3600, "1 hour (3600 s)"), (90, "1 minute 30 seconds (90 s)"),
        (1, "1 second (1 s)"),
        (172800, "2 days (172800 s)"), (0, "0 s"), (-5, "-5 s"), (10**30, f"{10**30} s"), (None, ""), (True, "True"),
        ("2030-01-02T03:04:05Z", "until 2 January 2030, 03:04:05 UTC"),
        ("2030-01-02", "until 2 January 2030"),
        ("soon", "soon"), ("0001-01-01T00:00:00+14:00", "0001-01-01T00:00:00+14:00"),
    ],
)  # fmt: skip
def test_time_to_live_is_told_in_words_or_as_a_date(ttl: Any, words: str):
    assert format_ttl(ttl) == words


@pytest.mark.clause("A3")
def test_a_date_alone_gets_no_time_of_day():
    assert format_timestamp("2004-01-21") == "21 January 2004"
    assert format_timestamp("2004-01-21T00:00:00Z") == "21 January 2004, 00:00:00 UTC"


@pytest.mark.clause("A5")
def test_permissions_are_spelled_out_from_the_last_place_to_the_first():
    given, refused = describe_rights("011111110010") or ((), ())
    assert given == (
        "delete the handle", "change values", "remove values", "add values", "change administrators",
        "remove administrators", "add administrators", "read values that are not public",
    )  # fmt: skip
    assert refused == ("create handles", "create prefixes below", "delete prefixes below", "list handles")
    for place, right in enumerate(RIGHTS):
        assert describe_rights(f"{1 << place:012b}") == ((right,), tuple(other for other in RIGHTS if other != right))


@pytest.mark.clause("A5")
def test_an_administrator_is_a_reference_and_keeps_what_is_besides():
    admin = {"handle": "0.na/10.1000", "index": 200, "permissions": "011111110010", "legacyByteLength": True}
    told = data_of("admin", admin)
    assert told.text == "200:0.na/10.1000"
    assert told.notes[0].startswith("May delete the handle, change values,")
    assert told.notes[1].startswith("May not create handles,")
    assert told.notes[2:] == ("Permissions: 011111110010.", 'Also: {"legacyByteLength": true}')


@pytest.mark.clause("A5")
@pytest.mark.parametrize("mask", ["0111", "01111111001x", "", "0" * 13])
def test_permissions_of_another_form_are_shown_as_they_are(mask: str):
    told = data_of("admin", {"handle": "h", "index": 1, "permissions": mask})
    assert told.notes == (f"Permissions in an unknown form: {mask or 'none'}.",)


@pytest.mark.clause("A4")
def test_a_list_of_references_is_one_item_each_and_bounded():
    assert data_of("vlist", [{"handle": "0.NA/10.1", "index": 300}, "odd"]).items == ("300:0.NA/10.1", "odd")
    long = data_of("vlist", [{"handle": "h", "index": number} for number in range(MOST_ITEMS + 2)])
    assert len(long.items) == MOST_ITEMS
    assert long.notes == ("2 more references are not shown.",)


@pytest.mark.clause("A4")
@pytest.mark.parametrize(
    ("format_name", "text", "shown", "note"),
    [
        ("base64", "w6ksIFg=", "é, X", "Decoded from base64, 5 bytes."),
        ("hex", "6869", "hi", "Decoded from hex, 2 bytes."),
        ("hex", "ff00", "ff 00", "2 bytes that aren't text, decoded from hex."),
        ("base64", "not so", "not so", "This isn't base64, so we show it unchanged."),
        ("hex", "6", "6", "This isn't hex, so we show it unchanged."),
    ],
)
def test_encoded_data_is_text_or_a_few_bytes(format_name: str, text: str, shown: str, note: str):
    assert data_of(format_name, text) == ValueContent(shown, notes=(note,))


def test_many_bytes_are_shown_in_part():
    told = data_of("hex", "ff" * 1000)
    assert told.text == " ".join(["ff"] * 32) + "…"
    assert told.notes == ("1,000 bytes that aren't text, decoded from hex.",)


@pytest.mark.clause("A4")
@pytest.mark.parametrize("format_name", ["site", "key", "something new", ""])
def test_other_formats_are_indented_json(format_name: str):
    told = data_of(format_name, {"serial": 1, "servers": [{"port": 2641}]})
    assert told.lines
    assert json.loads(told.text) == {"serial": 1, "servers": [{"port": 2641}]}
    assert '\n  "serial": 1' in told.text


@pytest.mark.clause("A8")
@pytest.mark.parametrize(
    ("url", "link", "note"),
    [
        ("https://a.example/?x=1", True, ""),
        ("FTP://a.example/", True, ""),
        (" https://a.example/ ", True, "White space around it is ignored."),
        ("mailto:a@b.example", False, "Not a link: it begins with mailto:, but only http, https and ftp are allowed."),
        ("java\nscript:alert(1)", False, "Not a link: it contains an invisible character."),
        ("https://a.example/\u202egpj", False, "Not a link: it contains an invisible character."),
        ("www.example", False, "Not a link: it isn't a complete web address."),
        ("", False, "Not a link: it is empty."),
    ],
)  # fmt: skip
def test_only_a_web_address_becomes_a_link(url: str, link: bool, note: str):
    told = data_of("string", url, "URL")
    assert told == ValueContent(url.strip(), link=link, notes=(note,) if note else ())


def test_what_is_too_long_is_cut_and_says_so():
    told = data_of("string", "x" * (LONGEST_TEXT + 1234))
    assert told == ValueContent("x" * LONGEST_TEXT, notes=("1,234 more characters are not shown.",))
    assert data_of("string", "https://a.example/" + "x" * LONGEST_TEXT, "URL").link is False


def test_a_record_with_very_many_values_is_shown_in_part_and_says_so():
    found = describe_values([{"index": number} for number in range(1000)])
    assert (len(found.rows), found.left_out) == (MOST_VALUES, 1000 - MOST_VALUES)


def test_a_record_with_very_much_text_is_shown_in_part_and_says_so():
    found = describe_values([value("string", "x" * LONGEST_TEXT)] * MOST_VALUES)
    assert MOST_CHARACTERS * 0.9 < sum(len(row.data.text) for row in found.rows) <= MOST_CHARACTERS
    assert found.left_out == MOST_VALUES - len(found.rows)


def test_of_one_value_that_is_very_long_something_is_shown():
    locations = '<location href="https://a.example/" ' + " ".join(f'a{n}="{"x" * 200}"' for n in range(12)) + "/>"
    found = describe_values([value("string", f"<locations>{locations * 22}</locations>", "10320/loc")] * 3)
    assert 1 <= len(found.rows) < 3
    assert found.rows[0].data.places


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
FORMATS = st.sampled_from(["string", "base64", "hex", "admin", "vlist", "site", "key", "", "odd"])
TYPES = st.sampled_from(["URL", "10320/loc", "HS_ADMIN", "X"])


@pytest.mark.slow
@pytest.mark.clause("A9")
@given(
    st.lists(st.builds(value, FORMATS, ANY_JSON, TYPES, index=ANY_JSON, ttl=ANY_JSON, timestamp=ANY_JSON)) | ANY_JSON
)
def test_any_json_at_all_gives_rows_of_text(values: Any):
    for row in describe_values(values).rows:
        assert all(isinstance(text, str) for text in (row.index, row.type, row.format, row.ttl, row.timestamp))
        assert isinstance(row.data, ValueContent)

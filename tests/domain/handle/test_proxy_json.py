"""The doi.org JSON dialect: what is read out of an answer, and what is made of a bad one."""

import json

import pytest

from resolver.domain.handle import json_responses, proxy_json
from resolver.domain.handle.answers import MissingHandle, NoValues, ProxyError, WhichRaAnswer
from resolver.domain.handle.record import HandleValue, Record

URL = {"index": 1, "type": "URL", "data": {"format": "string", "value": "https://example.org/"}, "ttl": 86400}
ADMIN = {
    "index": 100,
    "type": "HS_ADMIN",
    "data": {
        "format": "admin",
        "value": {"handle": "0.na/10.1", "index": 200, "permissions": "011111110010", "legacyByteLength": True},
    },
    "ttl": "2030-01-01T00:00:00Z",
}


def body(**members: object) -> bytes:
    return json.dumps(members).encode()


def record(*values: object) -> bytes:
    return body(responseCode=1, handle="10.1000/182", values=values)


def decoded(*values: object) -> Record:
    answer = proxy_json.decode_record(record(*values), "10.1000/182")
    assert isinstance(answer, Record), answer
    return answer


@pytest.mark.clause("A1")
def test_a_success_is_a_record_that_keeps_the_whole_object() -> None:
    answer = decoded(ADMIN, URL)
    assert answer.urls == ("https://example.org/",)
    assert answer.raw["values"][0] == ADMIN


@pytest.mark.clause("A5")
def test_extra_members_of_an_administrator_are_kept() -> None:
    answer = decoded(ADMIN)
    assert answer.values[0].data["legacyByteLength"] is True
    assert answer.values[0].data["permissions"] == "011111110010"


@pytest.mark.clause("A5")
def test_a_value_whose_data_are_no_object_is_kept_as_it_came() -> None:
    value = {"index": 7, "type": "X", "data": "text", "ttl": 1, "more": [1]}
    answer = decoded(value)
    assert (answer.values[0].data, answer.values[0].raw) == ("text", value)


@pytest.mark.clause("A3")
def test_a_time_to_live_may_be_a_date_and_is_kept() -> None:
    answer = decoded(ADMIN)
    assert answer.values[0].raw["ttl"] == "2030-01-01T00:00:00Z"


@pytest.mark.clause("A2")
def test_the_response_code_decides() -> None:
    assert isinstance(proxy_json.decode_record(body(responseCode=100, handle="10.1/a"), "10.1/a"), MissingHandle)
    assert isinstance(proxy_json.decode_record(body(responseCode=200, handle="10.1/a"), "10.1/a"), NoValues)
    assert isinstance(proxy_json.decode_record(body(responseCode=200, handle="10.1/a", values=[]), "10.1/a"), NoValues)
    failed = proxy_json.decode_record(body(responseCode=2, message="no such luck", handle="10.1/a"), "10.1/a")
    assert isinstance(failed, ProxyError)
    assert "no such luck" in failed.reason


@pytest.mark.clause("A1")
def test_the_handle_is_compared_without_ascii_case_only() -> None:
    assert isinstance(proxy_json.decode_record(body(responseCode=1, handle="10.1/ABC"), "10.1/abc"), Record)
    assert isinstance(proxy_json.decode_record(body(responseCode=1, handle="10.1/\u00c1"), "10.1/\u00e1"), ProxyError)


@pytest.mark.clause("A4")
@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"format": "base64", "value": "aMOp"}, "h\u00e9"),
        ({"format": "base64", "value": "aM*Op"}, None),  # no alphabet of base64 has this sign
        ({"format": "hex", "value": "68c3a9"}, "h\u00e9"),
        ({"format": "hex", "value": "ff"}, b"\xff"),
        ({"format": "hex", "value": "zz"}, None),
        ({"format": "vlist", "value": [{"handle": "10.1/a", "index": 1}]}, [{"handle": "10.1/a", "index": 1}]),
        ({"format": "site", "value": {"version": 1}}, {"version": 1}),
        ({"format": "key", "value": {"kty": "RSA"}}, {"kty": "RSA"}),
        ("plain", "plain"),
        (None, None),
    ],
)
def test_data_is_read_by_its_format_and_unknown_ones_are_kept(data: object, expected: object) -> None:
    assert decoded({"index": 7, "type": "X", "data": data}).values[0].data == expected


@pytest.mark.clause("A8")
def test_a_success_without_values_is_still_a_record() -> None:
    answer = proxy_json.decode_record(body(responseCode=1, handle="10.1/a"), "10.1/a")
    assert isinstance(answer, Record)
    assert answer.urls == ()


def test_an_index_written_as_text_is_read() -> None:
    assert decoded({**URL, "index": "12"}).values[0].index == 12


@pytest.mark.clause("A9")
@pytest.mark.parametrize(
    "bad",
    [
        b"",
        b"  \n",
        b"<!DOCTYPE html><html></html>",
        b"\xef\xbb\xbf<html>",
        b"not json",
        b"\xff\xfe\x00",
        b"[]",
        b"17",
        b"null",
        b'{"responseCode": NaN, "handle": "10.1000/182"}',
        b'{"responseCode": 1, "handle": "10.1000/182", "values": [], "x": 1e400}',
        b'{"responseCode": 1, "handle": "10.1000/182", "values": [], "x": [-1E999]}',
        b'{"responseCode": true, "handle": "10.1000/182"}',
        b'{"responseCode": "1", "handle": "10.1000/182"}',
        b'{"responseCode": 301, "handle": "10.1000/182"}',
        b'{"handle": "10.1000/182"}',
        b'{"responseCode": 1, "values": []}',
        b'{"responseCode": 1, "handle": 5, "values": []}',
        b'{"responseCode": 1, "handle": "10.1000/other", "values": []}',
        b'{"responseCode": 100, "handle": "10.1000/other"}',
        b'{"responseCode": 1, "handle": "10.1000/182", "values": "URL"}',
        b'{"responseCode": 1, "handle": "10.1000/182", "values": [5]}',
        b'{"responseCode": 1, "handle": "10.1000/182", "values": [{"index": 1.5, "type": "URL"}]}',
        b'{"responseCode": 1, "handle": "10.1000/182", "values": [{"index": 1, "type": 5}]}',
        b'{"responseCode": 1, "handle": "10.1000/182", "values": ' + b"[" * 100 + b"]" * 100 + b"}",
        b"[" * 500_000,
        b'{"a":' * 200_000,
        b'{"responseCode": ' + b"9" * 10_000 + b', "handle": "10.1000/182"}',
    ],
)
def test_an_unusable_answer_is_a_proxy_error_with_a_reason(bad: bytes) -> None:
    answer = proxy_json.decode_record(bad, "10.1000/182")
    assert isinstance(answer, ProxyError)
    assert answer.reason


def test_a_large_record_is_read() -> None:
    answer = decoded(*({**URL, "index": number} for number in range(20_000)))
    assert len(answer.values) == 20_000


@pytest.mark.clause("R1")
def test_agencies_come_in_the_order_asked() -> None:
    text = b'[{"DOI":"10.5240/X","RA":"EIDR"},{"DOI":"notADoi","status":"Invalid DOI"}]'
    assert proxy_json.decode_agencies(text, ["10.5240/x", "notADoi"]) == [
        WhichRaAnswer("10.5240/x", ra="EIDR"),
        WhichRaAnswer("notADoi", status="Invalid DOI"),
    ]


@pytest.mark.clause("R5")
def test_an_agency_never_heard_of_is_taken_as_it_is() -> None:
    assert proxy_json.decode_agencies(b'[{"DOI":"10.1/a","RA":"New One"}]', ["10.1/a"])[0].ra == "New One"


@pytest.mark.parametrize(
    "bad",
    [
        b"",
        b"<html>",
        b"{}",
        b"[]",
        b"[1]",
        b'[{"DOI":"10.1/b","RA":"X"}]',
        b'[{"DOI":"10.1/a"}]',
        b'[{"DOI":"10.1/a","RA":7}]',
        b'[{"DOI":"10.1/a","RA":"X"},{"DOI":"10.1/a","RA":"X"}]',
        b'[{"DOI":"10.1/a","RA":"' + b"X" * 201 + b'"}]',
        b"[" * 100_000,
    ],
)
def test_a_list_that_does_not_fit_is_refused(bad: bytes) -> None:
    with pytest.raises(proxy_json.WireError):
        proxy_json.decode_agencies(bad, ["10.1/a"])


@pytest.mark.clause("R3")
def test_agencies_are_written_as_the_service_writes_them() -> None:
    text = proxy_json.encode_agencies(
        [WhichRaAnswer("10.7554", ra="Crossref"), WhichRaAnswer("10.99999", status="DOI does not exist")]
    )
    expected = (
        '[\n  {\n    "DOI": "10.7554",\n    "RA": "Crossref"\n  },\n'
        '  {\n    "DOI": "10.99999",\n    "status": "DOI does not exist"\n  }\n]'
    )
    assert text.decode() == expected


@pytest.mark.clause("S8")
def test_of_a_type_only_ascii_letters_are_folded() -> None:
    kind = HandleValue(1, "10320/LOC", "string", "")
    assert kind.is_type("10320/loc")
    assert not HandleValue(1, "\N{KELVIN SIGN}", "string", "").is_type("k")


@pytest.mark.clause("A6")
def test_pretty_indents() -> None:
    missing = {"responseCode": 100, "handle": "10.1/a"}
    assert b"\n  " in proxy_json.encode_json_object(missing, pretty=True)
    assert proxy_json.encode_json_object(missing) == b'{"responseCode":100,"handle":"10.1/a"}'


def test_what_is_encoded_is_decoded_again() -> None:
    name = "10.1/\u00e1\ud800"
    for code, kind in (
        (proxy_json.SUCCESS, Record),
        (proxy_json.NOT_FOUND, MissingHandle),
        (proxy_json.VALUES_NOT_FOUND, NoValues),
    ):
        written = proxy_json.encode_json_object(
            {"responseCode": code, "handle": name, "values": [URL], "alias_of": None}
        )
        assert isinstance(proxy_json.decode_record(written, name), kind)
    assert isinstance(proxy_json.decode_record(proxy_json.encode_error(name, "sorry"), name), ProxyError)


@pytest.mark.clause("A7")
def test_what_ends_a_line_in_older_javascript_is_escaped_in_jsonp() -> None:
    body = '{"a":"\u2028x\u2029"}'.encode()
    assert json_responses.encode_jsonp("f", body) == b'f({"a":"\\u2028x\\u2029"});'


@pytest.mark.clause("A7")
def test_a_callback_is_a_plain_name_or_refused() -> None:
    assert (
        json_responses.encode_jsonp("processResponse", b'{"a":"\xe2\x80\xa8"}') == b'processResponse({"a":"\\u2028"});'
    )
    for name in ("angular.callbacks._0", "jQuery1124_17.x", "$.a.b", "a" * 128, "classes.of"):
        assert json_responses.encode_jsonp(name, b"{}") == name.encode() + b"({});"
    for name in ("", "1a", "a.", ".a", "a..b", "a.1", "alert(1)", "a[0]", "a b", "f\n", "a.b\n", "\u00e9", "a" * 129,
                 "delete", "function", "new.target", "a.class", "this.f", "null", "a." * 64 + "b"):  # fmt: skip
        with pytest.raises(proxy_json.WireError):
            json_responses.encode_jsonp(name, b"{}")

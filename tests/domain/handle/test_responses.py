"""The JSON that is answered, from what the proxy behind has said."""

import json
from typing import Any

import pytest

from resolver.domain.handle.answers import Answer, MissingHandle, NoValues, ProxyError, Unreachable, WhichRaAnswer
from resolver.domain.handle.json_responses import JsonReply, build_agencies_reply, record_reply
from resolver.domain.handle.proxy_json import build_answer, decode_record
from resolver.domain.handle.proxy_parameters import ProxyParameters
from tests.domain.records import value

NAME = "10.1000/ABC"
RAW: dict[str, Any] = {
    "responseCode": 1,
    "unknown": [{"member": None}],
    "handle": "10.1000/abc",
    "values": [
        value(100, "HS_ADMIN", {"handle": "0.na/10.1000", "index": 200, "permissions": "01", "legacyByteLength": True}),
        value(1, "URL", "https://example.org/\u2028</script>"),
        {
            "index": "7",
            "type": "HS_SITE",
            "data": {"format": "site", "value": {"version": 1}},
            "ttl": "2030-01-01T00:00:00Z",
        },
        value(303, "HS_PUBKEY", {"kty": "DSA", "y": "x"}, "key"),
        value(9, "#HS_SITE#Denver", "AAEC/w==", "base64"),
        value(10, "X", "zz", "hex"),
        value(11, "HS_VLIST", [{"handle": "200/1", "index": 300}], "vlist"),
        {"index": 12, "type": "NEW", "data": "isn't an object", "extra": 1.5},
    ],
}
RECORD = build_answer(RAW)


def reply(answer: Answer, query: str = "") -> JsonReply:
    return record_reply(NAME, answer, ProxyParameters.of(query))


@pytest.mark.clause("A1", "A3", "A4", "A5", "A6", "S9")
@pytest.mark.parametrize("query", ["", "pretty", "auth&cert&pretty=true"])
def test_a_record_goes_out_value_for_value_under_the_name_as_asked(query: str) -> None:
    got = reply(RECORD, query)
    assert (got.status, got.content_type) == (200, "application/json;charset=UTF-8")
    assert list(json.loads(got.body).items()) == list({**RAW, "handle": NAME}.items())
    assert got.body.startswith(b'{\n  "responseCode": 1' if query else b'{"responseCode":1,')


@pytest.mark.clause("P9", "A6")
@pytest.mark.parametrize(
    ("query", "kept"), [("type=url", [1]), ("index=7&type=HS_ADMIN", [0, 2]), ("index=9&index=303&index=5", [3, 4])]
)
def test_only_values_of_a_type_or_index_asked_for_go_out_as_they_are(query: str, kept: list[int]) -> None:
    assert json.loads(reply(RECORD, query).body) == {
        **RAW, "handle": NAME, "values": [RAW["values"][at] for at in kept],
    }  # fmt: skip


@pytest.mark.clause("A2")
@pytest.mark.parametrize(
    ("answer", "query", "status", "content"),
    [
        (RECORD, "type=zap", 200, {"responseCode": 200, "handle": NAME}),
        (NoValues({"responseCode": 200, "handle": "x", "values": []}), "", 200,
         {"responseCode": 200, "handle": NAME, "values": []}),
        (NoValues(), "type=URL", 200, {"responseCode": 200, "handle": NAME}),
        (MissingHandle({"responseCode": 100, "handle": "x", "new": 1}), "", 404,
         {"responseCode": 100, "handle": NAME, "new": 1}),
        (MissingHandle(), "", 404, {"responseCode": 100, "handle": NAME}),
        (ProxyError("no luck"), "", 500, {"responseCode": 2, "message": "no luck", "handle": NAME}),
        (ProxyError("code 2: x", {"responseCode": 2, "message": "x", "handle": "y", "new": 1}), "", 500,
         {"responseCode": 2, "message": "x", "handle": NAME, "new": 1}),
        (Unreachable("timed out"), "", 500, {"responseCode": 2, "message": "timed out", "handle": NAME}),
    ],
)  # fmt: skip
def test_the_code_goes_with_its_http_status(answer: Answer, query: str, status: int, content: dict[str, Any]) -> None:
    got = reply(answer, query)
    assert (got.status, json.loads(got.body)) == (status, content)


@pytest.mark.clause("A1")
def test_values_that_came_as_an_object_stay_one_until_some_are_chosen() -> None:
    answer = build_answer({**RAW, "values": RAW["values"][1]})
    assert json.loads(reply(answer).body)["values"] == RAW["values"][1]
    assert json.loads(reply(answer, "index=1").body)["values"] == [RAW["values"][1]]


@pytest.mark.clause("A7")
@pytest.mark.parametrize("answer", [RECORD, MissingHandle(), ProxyError("no luck")])
def test_a_callback_wraps_whatever_is_answered(answer: Answer) -> None:
    got = reply(answer, "callback=process_1$&index=1")
    assert (got.content_type, got.status) == ("application/javascript;charset=UTF-8", reply(answer).status)
    assert got.body.startswith(b"process_1$({")
    assert got.body.endswith(b"});")
    assert b"\xe2\x80\xa8" not in got.body  # U+2028 ends a line in older JavaScript
    assert json.loads(got.body[len("process_1$(") : -2]) == json.loads(reply(answer, "index=1").body)


@pytest.mark.clause("A7")
@pytest.mark.parametrize("callback", ["alert(1)", "a..b", "", "a%0Ab", "%3Cscript%3E", "%C3%A9", "a" * 129])
def test_any_other_callback_is_refused_and_not_repeated(callback: str) -> None:
    got = reply(RECORD, f"callback={callback}")
    assert (got.status, got.content_type) == (500, "application/json;charset=UTF-8")
    refusal = json.loads(got.body)
    assert (refusal["responseCode"], set(refusal)) == (2, {"responseCode", "message", "handle"})
    assert b"<script>" not in got.body
    assert b"alert" not in got.body


def test_what_goes_out_comes_in_again_as_the_same_answer() -> None:
    again = decode_record(reply(RECORD).body, NAME.lower())
    assert again == build_answer({**RAW, "handle": NAME})


@pytest.mark.clause("R1", "R3")
def test_which_ra_is_a_list_in_the_order_asked() -> None:
    got = build_agencies_reply(
        [
            WhichRaAnswer("10.1/b", ra="EIDR"),
            WhichRaAnswer("x", status="Invalid DOI"),
            WhichRaAnswer("10.1/b", ra="EIDR"),
        ]
    )
    assert (got.status, got.content_type) == (200, "application/json;charset=UTF-8")
    assert json.loads(got.body) == [
        {"DOI": "10.1/b", "RA": "EIDR"}, {"DOI": "x", "status": "Invalid DOI"}, {"DOI": "10.1/b", "RA": "EIDR"},
    ]  # fmt: skip
    assert build_agencies_reply([]).body == b"[]"


@pytest.mark.clause("A2", "R3")
@pytest.mark.parametrize("failure", [ProxyError("why"), Unreachable("why")])
def test_a_name_that_could_not_be_asked_has_no_status_in_a_list(failure: ProxyError | Unreachable) -> None:
    got = build_agencies_reply([WhichRaAnswer("10.1/b", ra="EIDR"), failure])
    assert (got.status, json.loads(got.body)) == (500, {"responseCode": 2, "message": "why"})

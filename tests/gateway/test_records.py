"""`/api/handles/<name>`: the record as the proxy behind gives it, value for value."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from resolver.models import InFlightRequest, StoredAnswer
from resolver.services.proxy_answers.configured_proxy import budget_from_settings
from tests.gateway.conftest import ProxyBehind
from tests.proxy import raw_server as raw

ODD: dict[str, Any] = {
    "responseCode": 1,
    "handle": "10.1000/Odd",
    "note": {"kept": [1, 2.5, None, True]},
    "values": [
        {"index": 100, "type": "HS_ADMIN", "ttl": 86400, "timestamp": "2020-03-30T02:01:43Z",
         "data": {"format": "admin", "value": {"handle": "0.NA/10.1000", "index": 200, "permissions": "011111110010",
                                               "legacyByteLength": True}}},
        {"index": 1, "type": "URL", "data": {"format": "string", "value": "https://example.org/é"},
         "ttl": "2030-01-01T00:00:00Z", "more": "kept"},
        {"index": 2, "type": "HS_SITE", "data": {"format": "site", "value": {"version": 1, "servers": []}}},
        {"index": 300, "type": "HS_PUBKEY", "data": {"format": "key", "value": {"kty": "RSA", "n": "0" * 20}}},
        {"index": 4, "type": "X", "data": {"format": "a new one", "value": [10**30, 0.1]}},
    ],
}  # fmt: skip


@pytest.mark.clause("A1", "A3", "A4", "A5", "A8")
def test_a_record_is_the_same_value_for_value_asked_for_or_stored(behind: ProxyBehind, program: Client) -> None:
    behind.records["10.1000/Odd"] = raw.http(200, ODD)
    for _ in range(2):
        answer = program.get("/api/handles/10.1000/Odd")
        assert (answer.status_code, answer.json()) == (200, ODD)
        assert answer["Content-Type"] == "application/json;charset=UTF-8"
    assert behind.asked == ["/api/handles/10.1000/Odd"]


@pytest.mark.clause("A1", "S8")
def test_the_name_is_echoed_as_it_was_asked_for_whoever_asked_before(behind: ProxyBehind, program: Client) -> None:
    behind.records["10.1000/Odd"] = raw.http(200, ODD)
    for name in ("10.1000/Odd", "10.1000/ODD"):
        assert program.get(f"/api/handles/{name}").json() == {**ODD, "handle": name}
    assert len(behind.asked) == 1


@pytest.mark.clause("A2")
@pytest.mark.parametrize(
    ("behind_it", "status", "body"),
    [
        (None, 404, {"responseCode": 100, "handle": "10.1000/a"}),
        (
            raw.http(200, {"responseCode": 200, "handle": "10.1000/a"}),
            200,
            {"responseCode": 200, "handle": "10.1000/a"},
        ),
    ],
)
def test_the_codes_go_with_their_status(
    behind_it: raw.Answer | None, status: int, body: dict[str, Any], behind: ProxyBehind, program: Client
) -> None:
    if behind_it:
        behind.records["10.1000/a"] = behind_it
    for _ in range(2):
        answer = program.get("/api/handles/10.1000/a")
        assert (answer.status_code, answer.json()) == (status, body)
    assert len(behind.asked) == 1


@pytest.mark.clause("A2")
@pytest.mark.parametrize(
    ("behind_it", "message"),
    [
        (raw.http(500, {"responseCode": 2, "message": "out of order", "handle": "10.1000/a"}), "out of order"),
        (raw.http(500, {"responseCode": 4, "message": "wrong", "handle": "10.1000/a"}), "response code 4: wrong"),
        (raw.PAGE, "a web page, not data"),
        (raw.reset, "cut before the answer"),
        (raw.http(503, "busy"), "isn't working (HTTP 503)"),
    ],
)
def test_what_could_not_be_asked_is_an_error_and_never_kept(
    behind_it: raw.Answer, message: str, behind: ProxyBehind, program: Client, settings: Any
) -> None:
    settings.PROXY_LONGEST_PAUSE = 0.0
    behind.records["10.1000/a"] = behind_it
    answer = program.get("/api/handles/10.1000/a")
    assert (answer.status_code, answer.json()["responseCode"]) == (500, 2)
    assert answer.json()["handle"] == "10.1000/a"
    assert message in answer.json()["message"]
    assert answer["Cache-Control"] == "no-store"
    assert not StoredAnswer.objects.exists()
    behind.records["10.1000/a"] = [("URL", "https://example.org/")]
    assert program.get("/api/handles/10.1000/a").status_code == 200


@pytest.mark.clause("A1", "A2")
def test_an_error_that_the_proxy_tells_comes_as_it_tells_it(behind: ProxyBehind, program: Client) -> None:
    told = {"responseCode": 2, "message": "Something", "handle": "10.1000/A", "extra": {"a": [1.50, None]}}
    behind.records["10.1000/a"] = raw.http(500, told)
    answer = program.get("/api/handles/10.1000/a")
    assert (answer.status_code, answer.json()) == (500, {**told, "handle": "10.1000/a"})


@pytest.mark.clause("A2")
@pytest.mark.usefixtures("away")
def test_a_proxy_that_is_not_there_is_code_2(program: Client) -> None:
    answer = program.get("/api/handles/10.1000/182")
    assert (answer.status_code, answer.json()["responseCode"]) == (500, 2)


@pytest.mark.clause("P9", "A5", "A6", "H2")
@pytest.mark.parametrize(
    ("query", "indexes"),
    [
        ("type=URL", [1]),
        ("type=url&index=300", [1, 300]),
        ("index=100&index=4", [100, 4]),
        ("type=URL&type=HS_SITE", [1, 2]),
        ("index=9", None),
    ],
)
def test_values_are_chosen_by_type_or_index_from_the_one_stored_record(
    query: str, indexes: list[int] | None, behind: ProxyBehind, program: Client
) -> None:
    behind.records["10.1000/Odd"] = raw.http(200, ODD)
    program.get("/api/handles/10.1000/Odd")
    answer = program.get(f"/api/handles/10.1000/Odd?{query}")
    assert answer.status_code == 200
    if indexes is None:
        assert answer.json()["responseCode"] == 200
    else:
        kept = [value for value in ODD["values"] if value["index"] in indexes]
        assert answer.json() == {**ODD, "values": kept}, "as they are, with every member"
    assert behind.asked == ["/api/handles/10.1000/Odd"]


@pytest.mark.clause("P7", "A1")
def test_an_alias_is_not_followed(behind: ProxyBehind, program: Client) -> None:
    behind.records |= {"10/p54k": [("HS_ALIAS", "10.1000/182")]}
    program.get("/10/p54k")
    answer = program.get("/api/handles/10/p54k")
    assert [value["type"] for value in answer.json()["values"]] == ["HS_ALIAS"]
    assert len(behind.asked) == 2


@pytest.mark.clause("P8", "A6")
def test_auth_and_cert_go_past_what_is_stored_and_are_passed_on(behind: ProxyBehind, program: Client) -> None:
    for query in ("", "?auth", "?auth=true&cert", "?cert=false", ""):
        answer = program.get(f"/api/handles/10.1000/182{query}")
        assert answer.status_code == 200
        assert answer["Age"] == "0"
    assert [target.partition("182")[2] for target in behind.asked] == [
        "",
        "?auth=true",
        "?auth=true&cert=true",
        "?cert=true",
    ]


@pytest.mark.clause("A6", "A10")
@pytest.mark.parametrize("query", ["pretty", "pretty=", "pretty=true", "pretty=false", "pretty=0"])
def test_pretty_is_for_people_to_read(query: str, behind: ProxyBehind, program: Client) -> None:
    plain, pretty = (program.get(f"/api/handles/10.1000/182?{asked}") for asked in ("", query))
    assert b"\n" not in plain.content
    assert pretty.content.startswith(b'{\n  "responseCode": 1')
    assert plain.json() == pretty.json()


@pytest.mark.clause("A7")
@pytest.mark.parametrize("callback", ["processResponse", "angular.callbacks._0", "jQuery1124_17.x"])
def test_a_callback_gets_a_script(callback: str, behind: ProxyBehind, program: Client) -> None:
    answer = program.get(f"/api/handles/10.1000/182?callback={callback}&type=URL")
    assert answer["Content-Type"] == "application/javascript;charset=UTF-8"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer.content.startswith(f"{callback}({{".encode())
    assert json.loads(answer.content[len(f"{callback}(") : -2])["responseCode"] == 1


@pytest.mark.clause("A7")
@pytest.mark.parametrize("callback", ["alert(1)", "a[0]", "a..b", "delete", "", "<script>", "f%0d%0aX:1", "x" * 200])
def test_what_is_no_plain_name_gets_no_script_and_costs_no_request(
    callback: str, behind: ProxyBehind, program: Client
) -> None:
    answer = program.get(f"/api/handles/10.1000/182?callback={callback}")
    assert (answer.status_code, answer.json()["responseCode"]) == (500, 2)
    assert answer["Content-Type"] == "application/json;charset=UTF-8"
    assert behind.asked == []


@pytest.mark.parametrize("name", ["", "%E9", "10.1000/%FF", ".", ".."])
@pytest.mark.clause("E15")
def test_what_is_no_name_is_not_asked_for(name: str, behind: ProxyBehind, program: Client) -> None:
    answer = program.get(f"/api/handles/{name}", RAW_URI=f"/api/handles/{name}")
    assert (answer.status_code, answer.json()["responseCode"]) == (500, 2)
    assert behind.asked == []


@pytest.mark.clause("P13")
def test_how_old_an_answer_is_and_until_when_it_counts(behind: ProxyBehind, program: Client) -> None:
    first = program.get("/api/handles/10.1000/182")
    assert first["Age"] == "0"
    stored = StoredAnswer.objects.get()
    stored.record_at -= timedelta(hours=5)
    stored.save()
    later = program.get("/api/handles/10.1000/182")
    assert int(later["Age"]) in range(5 * 3600, 5 * 3600 + 60)
    assert later["Expires"] == (stored.record_at + timedelta(hours=24)).strftime("%a, %d %b %Y %H:%M:%S GMT")
    assert len(behind.asked) == 1


def test_a_stored_record_costs_one_query_and_no_session(behind: ProxyBehind, program: Client) -> None:
    program.get("/api/handles/10.1000/182")
    with CaptureQueriesContext(connection) as queries:
        answer = program.get("/api/handles/10.1000/182")
    assert len(queries) == 1
    assert "Vary" not in answer
    assert not answer.cookies


@pytest.mark.clause("A2")
def test_while_all_pause_for_long_programs_are_told_when_to_come_again(
    behind: ProxyBehind, program: Client, settings: Any
) -> None:
    settings.REDIS_URL = ""  # a pause in Redis would hold for the tests after it
    budget_from_settings().pause(50)
    answer = program.get("/api/handles/10.1000/182")
    assert answer.status_code == 500
    assert 40 <= int(answer["Retry-After"]) <= 50
    assert answer.json()["responseCode"] == 2
    assert behind.asked == []
    assert not InFlightRequest.objects.filter(until__gte=timezone.now()).exists()


@pytest.mark.clause("A2")
@pytest.mark.parametrize("path", ["/api/handles/10.1000/hinted", "/10.1000/hinted"])
def test_an_interim_answer_of_the_proxy_behind_disturbs_nobody(path: str, behind: ProxyBehind, program: Client) -> None:
    hints = b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n"
    behind.records["10.1000/hinted"] = hints * 2 + raw.record("10.1000/hinted")
    answer = program.get(path)
    assert (answer.status_code, answer.get("Location", "")) in ((200, ""), (302, "https://example.org/"))
    assert behind.asked == ["/api/handles/10.1000/hinted"]

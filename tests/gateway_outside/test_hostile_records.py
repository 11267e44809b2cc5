"""What a stranger may have registered: data, never code, never a header, never followed."""

import pytest

from tests.gateway_outside.behind import Behind, text
from tests.gateway_outside.portal import Gateway
from tests.proxy.raw_server import http

LANDING = "https://example.org/landing"
BOMB = (
    '<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY {new} "{f"&{old};" * 10}">' for old, new in zip("abcdefgh", "bcdefghi", strict=True))
    + ']><locations><location href="https://evil.example/&i;"/></locations>'
)
XML = {
    "billion laughs": BOMB,
    "an entity of a file": '<!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    '<locations><location href="https://evil.example/&x;"/></locations>',
    "an entity of the network": '<!DOCTYPE l SYSTEM "http://127.0.0.1:9/evil.dtd"><locations><location href="https://evil.example/"/></locations>',
    "a parameter entity": '<!DOCTYPE l [<!ENTITY % p SYSTEM "http://127.0.0.1:9/">%p;]><locations/>',
    "huge": f"<locations>{'<location/>' * 200_000}</locations>",
    "a huge attribute": f'<locations><location href="https://evil.example/{"a" * 2_000_000}"/></locations>',
    "deep": "<locations>" + "<a>" * 50_000,
    "not well-formed": '<locations><location href="href="https://evil.example/" /></locations>',
    "not XML": "locations",
    "empty": "",
}
ADDRESSES = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)//https://example.org/",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "\x00javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "file:///etc/passwd",
    "//evil.example/",
    "/\\evil.example",
    "\\\\evil.example\\share",
    "evil.example",
    "mailto:a@example.org",
    "gopher://evil.example/",
    "https:evil.example",
    "http://",
    "https://exa mple.org/\r\nSet-Cookie: a=b",
    "https://[::1",
]


@pytest.mark.clause("L6")
@pytest.mark.parametrize("kind", XML)
def test_locations_that_are_no_good_are_not_expanded_and_the_url_is_used(
    gateway: Gateway, behind: Behind, name: str, kind: str
) -> None:
    behind.record(name, ("URL", LANDING), ("10320/loc", XML[kind]))
    answer = gateway.ask(f"/{name}")
    assert (answer.status, answer.location) == (302, LANDING)
    shown = gateway.ask(f"/{name}?noredirect")
    assert shown.status == 200
    assert "root:" not in shown.text
    assert len(shown.body) < 3_000_000
    assert gateway.ask(f"/{name}?action=showurls").status == 200
    assert len(behind.asked_for(name)) == 1


@pytest.mark.clause("P1", "A9")
@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("place", ["URL", "10320/loc", "urlappend"])
def test_an_address_that_no_browser_should_open_is_never_redirected_to(
    gateway: Gateway, behind: Behind, name: str, place: str, address: str
) -> None:
    if place == "10320/loc":
        escaped = "".join(c if c.isalnum() else f"&#{ord(c)};" for c in address if c != "\x00")
        behind.record(name, ("10320/loc", f'<locations><location href="{escaped}"/></locations>'))
    else:
        behind.record(name, ("URL", address))
    answer = gateway.ask(f"/{name}" + ("?urlappend=%0D%0ASet-Cookie:%20a=b" if place == "urlappend" else ""))
    assert not answer["set-cookie"]
    if answer.location:  # what can be a web address at all goes out as one, encoded
        assert answer.location.startswith(("https://exa", "https://[::1"))
        assert not set(answer.location) & set(' \r\n<>"\\')
    else:
        assert answer.status in (200, 404)
        assert f'href="{address.split(":")[0].strip().lower()}:' not in answer.text.lower()
        assert "<script>alert" not in answer.text


@pytest.mark.clause("P10")
@pytest.mark.parametrize(
    "append", ["%0D%0ASet-Cookie:%20a=b", "%0D%0A%0D%0A%3Cscript%3E", "%00", "%0A", "%E2%80%A8", "%FF", "%20%22%3E"]
)
def test_what_is_appended_cannot_leave_the_address(gateway: Gateway, behind: Behind, name: str, append: str) -> None:
    behind.record(name, ("URL", LANDING))
    answer = gateway.ask(f"/{name}?urlappend={append}")
    assert answer.status in (302, 400)
    assert not answer["set-cookie"]
    assert answer.location.startswith(LANDING) or not answer.location
    assert "<script" not in answer.text


def test_what_is_appended_cannot_change_the_host(gateway: Gateway, behind: Behind, name: str) -> None:
    """A value without a path: `.evil.example` behind it would name another machine."""
    behind.record(name, ("URL", "https://example.org"))
    for append in (".evil.example/", "@evil.example/", ":80@evil.example/", "%40evil.example"):
        answer = gateway.ask(f"/{name}?urlappend={append}")
        host = answer.location.removeprefix("https://").partition("/")[0]
        assert host in ("", "example.org")


@pytest.mark.clause("A1", "A5")
def test_a_record_with_ten_thousand_values_is_given_back_whole(gateway: Gateway, behind: Behind, name: str) -> None:
    values = [text(number, "URL" if number == 9_999 else "X", f"{LANDING}/{number}") for number in range(1, 10_001)]
    behind.record(name, *values)
    assert gateway.ask(f"/api/handles/{name}").json["values"] == values
    assert gateway.ask(f"/api/handles/{name}?index=7&type=url").json["values"] == [values[6], values[9_998]]
    assert gateway.ask(f"/{name}").location == f"{LANDING}/9999"
    assert gateway.ask(f"/{name}?noredirect").status == 200


@pytest.mark.clause("A4", "A5", "A9")
def test_values_of_any_shape_come_back_and_are_shown_as_text(gateway: Gateway, behind: Behind, name: str) -> None:
    values = [
        text(1, "<b>", "<img src=x onerror=alert(1)>"),
        text(2, "X", {"deep": [[1, {"a": None}]], "<k>": True}, "never heard of"),
        text(3, "X", "not base64 at all!", "base64"),
        text(4, "X", "PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==", "base64"),
        text(5, "X", "\ud800 \x00 \u2028 \u202e", "string"),
        text(6, "HS_ADMIN", {"handle": 5, "index": "x", "permissions": None}, "admin"),
        text(7, "HS_VLIST", [{"handle": "<i>"}, 3], "vlist"),
        {"index": 8, "type": "X", "data": "isn't an object", "ttl": "2030-01-01T00:00:00Z", "more": 1.5},
        {"index": 2**40, "type": "", "data": {"format": 3, "value": 1e300}},
    ]
    behind.record(name, *values, members={"more": {"a": [1]}})
    answer = gateway.ask(f"/api/handles/{name}").json
    assert answer["values"] == values
    assert answer["more"] == {"a": [1]}
    page = gateway.ask(f"/{name}?noredirect")
    assert page.status == 200
    assert "<img src=x" not in page.text
    assert "<script>alert" not in page.text


@pytest.mark.clause("P7")
@pytest.mark.parametrize("length", [1, 2, 3, 40])
def test_a_loop_of_aliases_ends_in_an_error_page_after_few_requests(
    gateway: Gateway, behind: Behind, name: str, length: int
) -> None:
    ring = [f"{name}.{number}" for number in range(length)]
    for number, one in enumerate(ring):
        behind.record(one, ("HS_ALIAS", ring[(number + 1) % length].upper()))
    answer = gateway.ask(f"/{ring[0]}")
    assert answer.status >= 400
    assert not answer.location
    assert "loop" in answer.text or "alias" in answer.text
    assert sum(len(behind.asked_for(one)) for one in ring) <= 21
    assert gateway.ask(f"/api/handles/{ring[0]}").json["responseCode"] == 1  # the record itself is a good one


@pytest.mark.clause("P7", "A9")
@pytest.mark.parametrize(
    "target", ["", " ", "\x00", "//evil.example/", "10.5555/\r\nX: y", "\ud800", "a" * 100_000, "javascript:alert(1)"]
)
def test_an_alias_of_nonsense_leads_nowhere(gateway: Gateway, behind: Behind, name: str, target: str) -> None:
    behind.record(name, ("HS_ALIAS", target))
    answer = gateway.ask(f"/{name}")
    assert answer.status >= 400 or answer.status == 200
    assert not answer.location
    assert all("evil" not in question.headers["host"] for question in behind.asked_for(name))


@pytest.mark.clause("A2", "A9")
@pytest.mark.parametrize(
    "body",
    [
        b"<html>Just a moment</html>",
        b"",
        b"{",
        b"null",
        b"[" * 50_000,
        b'{"responseCode":1e999}',
        b'{"responseCode":2,"message":"<script>alert(1)</script>","handle":"%s"}',
        b'{"responseCode":301,"message":"That prefix doesn\'t live here","handle":"%s"}',
        b'{"responseCode":1,"handle":"10.5555/another","values":[]}',
        b'{"responseCode":1,"handle":"%s","values":[{"index":"x"}]}',
    ],
    ids=lambda body: body[:40].decode().replace("/", ""),
)
def test_what_is_no_answer_is_told_as_code_2_and_not_kept(
    gateway: Gateway, behind: Behind, name: str, body: bytes
) -> None:
    behind.put(name, http(200, body.replace(b"%s", name.encode())))
    answer = gateway.ask(f"/api/handles/{name}")
    assert answer.status == 500
    assert answer.json["responseCode"] == 2
    assert answer.json["handle"] == name
    assert answer.json["message"]
    page = gateway.ask(f"/{name}")
    assert page.status == 500
    assert "<script>alert" not in page.text
    behind.record(name, ("URL", LANDING))
    assert gateway.ask(f"/{name}").location == LANDING

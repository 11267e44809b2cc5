"""What strangers send: refused or harmless, and the gateway goes on answering."""

import json
from urllib.parse import quote

import pytest

from tests.gateway_outside.behind import Behind
from tests.gateway_outside.portal import Gateway
from tests.gateway_outside.sockets import request

FACES = ("/", "/api/handles/", "/doiRA/")
EVIL = "https://evil.example/"


@pytest.mark.parametrize("face", FACES)
def test_a_path_of_100_kb_is_refused_before_anybody_is_asked(gateway: Gateway, behind: Behind, face: str) -> None:
    """The web server reads no line of this length, so nothing knows what is requested."""
    answer = gateway.ask(f"{face}10.5555/{'a' * 100_000}")
    assert answer.status == 400
    assert behind.targets == []
    assert gateway.ask("/").status == 200


@pytest.mark.parametrize("face", FACES)
def test_an_address_that_is_too_long_is_told_so(gateway: Gateway, behind: Behind, face: str) -> None:
    answer = gateway.ask(f"{face}10.5555/{'a' * 9_000}")
    assert answer.status == 414
    assert "longer than the limit of 8,190 characters" in answer.text
    if face != "/":
        assert answer.json["responseCode"] == 2
    assert behind.targets == []


@pytest.mark.clause("S7")
def test_a_name_of_8000_characters_is_resolved_whole(gateway: Gateway, behind: Behind) -> None:
    name = "10.5555/" + "long" * 2000
    behind.record(name, ("URL", "https://example.org/long"))
    assert gateway.ask(f"/{name}").location == "https://example.org/long"
    assert gateway.ask(f"/api/handles/{name}").json["handle"] == name


@pytest.mark.clause("S2", "E3")
@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("code", ["%00", "%07", "%0D%0A", "%0A", "%1B%5B2J", "%7F", "%C2%85", "%E2%80%AE"])
def test_a_control_character_in_a_name_comes_back_harmless(gateway: Gateway, face: str, code: str) -> None:
    answer = gateway.ask(f"{face}10.5555/control{code}x%0D%0ASet-Cookie:%20a=b")
    assert answer.status in ((200,) if face == "/doiRA/" else (400, 404, 500))
    assert not answer.location
    assert not answer["set-cookie"]
    assert not set(answer.text) & {"\x00", "\x07", "\x1b", "\r"}


@pytest.mark.clause("E15")
@pytest.mark.parametrize("code", ["%E9", "%C0%AF", "%ED%A0%80", "%F5%80%80%80", "%FF%FE", "%C3"])
@pytest.mark.parametrize("face", FACES)
def test_bytes_that_are_no_utf8_are_no_name_and_nobody_is_asked(
    gateway: Gateway, behind: Behind, face: str, code: str
) -> None:
    answer = gateway.ask(f"{face}10.5555/{code}x")
    assert answer.status == {"/doiRA/": 200, "/api/handles/": 500}.get(face, 400)
    assert behind.targets == []
    if face == "/api/handles/":
        assert answer.json["responseCode"] == 2
    if face == "/doiRA/":
        assert [item["status"] for item in answer.json] == ["Invalid DOI"]


@pytest.mark.clause("A7")
@pytest.mark.parametrize(
    "callback",
    [
        "alert(1)",
        "a..b",
        "a[b]",
        "a%3Bb",
        "delete",
        "f%0D%0A",
        "f%E2%80%A8",
        "%3Cscript%3E",
        "f//",
        "1f",
        "a" * 200,
        "%C3%A9",
    ],
)
def test_a_callback_that_is_no_plain_name_is_refused(
    gateway: Gateway, behind: Behind, name: str, callback: str
) -> None:
    behind.record(name, ("URL", "https://example.org/"))
    answer = gateway.ask(f"/api/handles/{name}?callback={callback}")
    assert answer.status == 500
    assert answer["content-type"].startswith("application/json")
    assert answer.json["responseCode"] == 2
    assert "<" not in answer.text
    assert behind.targets == []


@pytest.mark.parametrize(
    "path",
    [
        "//evil.example/10.5555/x",
        "///evil.example/",
        "/\\evil.example/10.5555/x",
        "/%5Cevil.example",
        "/%2F%2Fevil.example/",
        "/%2F/evil.example/..",
        "/https://evil.example/",
        "/https:%2F%2Fevil.example",
        "/doi:https://evil.example/",
        "/urn:doi:https://evil.example/",
        "/.%2F/evil.example",
        "/;@evil.example",
        "/%09/evil.example",
        "/10.5555/../../evil.example",
    ],
)
@pytest.mark.parametrize(
    "query", ["", "?noredirect", "?urlappend=https://evil.example/", "?locatt=href:https://evil.example/"]
)
def test_no_path_makes_an_open_redirect(gateway: Gateway, path: str, query: str) -> None:
    """Nothing of this is registered, so nothing of this may lead anywhere."""
    answer = gateway.ask(path + query)
    assert answer.status in (400, 404)
    assert not answer.location
    assert not answer["refresh"]
    assert 'href="//' not in answer.text
    assert 'href="https://evil' not in answer.text


@pytest.mark.parametrize(
    "header", [{"X_Forwarded_Host": "evil.example"}, {"Forwarded": "host=evil.example"}, {"X_Original_URL": "/evil"}]
)
def test_headers_that_name_another_host_change_nothing(
    gateway: Gateway, behind: Behind, name: str, header: dict[str, str]
) -> None:
    behind.record(name, ("URL", "https://example.org/landing"))
    answer = gateway.ask(f"/{name}", **header)
    assert (answer.status, answer.location) == (302, "https://example.org/landing")
    assert b"evil" not in gateway.ask(f"/{name}x/", **header).body


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1@evil.example", "127.0.0.1/evil", "a b"])
def test_a_host_that_is_not_ours_is_refused(gateway: Gateway, behind: Behind, name: str, host: str) -> None:
    behind.record(name, ("URL", "https://example.org/landing"))
    for path in (f"/{name}", f"/api/handles/{name}", f"/{name}/missing/"):
        answer = gateway.ask(path, host=host)
        assert answer.status == 400
        assert not answer.location
        assert b"evil" not in answer.body


def test_a_whole_address_as_request_target_is_taken_for_its_path_or_refused(
    gateway: Gateway, behind: Behind, name: str
) -> None:
    behind.record(name, ("URL", "https://example.org/landing"))
    answer = gateway.ask(f"{EVIL}{name}")
    assert answer.location in ("", "https://example.org/landing")
    assert answer.status in (302, 400, 404)


@pytest.mark.parametrize(
    "raw",
    [
        b"GET /10.5555/x HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
        b"GET /10.5555/x\x00y HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
        b"GET /10.5555/x\ny HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
        b"GET /10.5555/x HTTP/1.1\r\nHost: 127.0.0.1\r\nX: a\r\n b\r\nConnection: close\r\n\r\n",
        b"GET 10.5555/x HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
        b"GET * HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ids=["two hosts", "NUL", "line feed", "folded header", "no slash", "asterisk", "two lengths"],
)
def test_a_request_that_is_no_http_gets_no_redirect_and_no_fault(gateway: Gateway, raw: bytes) -> None:
    answer = gateway.send(raw)
    assert answer.status < 500
    assert not answer.location


@pytest.mark.parametrize("method", ["PUT", "POST", "DELETE", "PATCH"])
@pytest.mark.parametrize("face", FACES)
def test_nothing_can_be_written(gateway: Gateway, behind: Behind, name: str, face: str, method: str) -> None:
    answer = gateway.ask(f"{face}{name}", method)
    assert answer.status == 405
    assert {"GET", "HEAD"} <= set(answer["allow"].replace(" ", "").split(","))
    assert behind.targets == []


def test_what_was_asked_for_is_shown_as_text(gateway: Gateway) -> None:
    for name in ("10.5555/<script>alert(1)</script>/", '10.5555/"onmouseover="alert(1)', "10.5555/{{7*7}}{% now %}"):
        page = gateway.ask("/" + quote(name))
        assert page.status == 404
        assert "<script>alert" not in page.text
        assert '"onmouseover="' not in page.text
    assert "{{7*7}}" in page.text


def test_a_thousand_parameters_are_read_or_refused(gateway: Gateway, behind: Behind, name: str) -> None:
    behind.record(name, ("URL", "https://example.org/landing"))
    query = "&".join(f"index={number}" for number in range(700))
    assert gateway.ask(f"/api/handles/{name}?{query}").json["values"]
    assert gateway.ask(f"/api/handles/{name}?" + "&" * 7000).status == 200
    assert gateway.ask(f"/{name}?{'noredirect&' * 500}").status == 200


# These are in a charset of their own (RFC 2231): one that doesn't exist, NUL, and half of a pair.
ENCODED = ["charset*=no-such''x", "charset*=utf-8''%00", "charset*=utf-7''+2AA-"]
CHARSETS = [
    *(f"charset={name}" for name in ("rot13", "base64", "undefined", "idna", "utf-16", "none-at-all")),
    *ENCODED,
]


@pytest.mark.parametrize("charset", CHARSETS)
def test_any_charset_in_content_type_is_harmless(gateway: Gateway, charset: str) -> None:
    answer = gateway.ask("/?q=10.5555%2Fa", Content_Type=f"text/plain; {charset}")
    assert answer.status == 200


@pytest.mark.parametrize("charset", CHARSETS)
@pytest.mark.parametrize("address", ["/", "/accounts/login/", "/reconcile", "/api/v1/jobs"])
def test_a_form_of_any_charset_is_refused_without_a_fault(gateway: Gateway, address: str, charset: str) -> None:
    form = b'--x\r\nContent-Disposition: form-data; name="input"\r\n\r\n10.1000/182\r\n--x--\r\n'
    headers = {
        "Content-Type": f"multipart/form-data; boundary=x; {charset}",
        "Content-Length": str(len(form)),
        "Cookie": f"csrftoken={'a' * 32}",  # with it the form is read, to find its token
    }
    head = request(address, "POST", f"127.0.0.1:{gateway.port}", **headers)
    assert gateway.send(head + form).status in (400, 403)


def test_too_many_parameters_are_refused_whatever_the_charset(gateway: Gateway) -> None:
    parameters = "&".join(["a=b"] * 1500)
    answer = gateway.ask(f"/?{parameters}", Content_Type="text/plain; charset=latin-1")
    assert answer.status == 400


def test_more_names_than_the_bound_are_refused_or_all_answered(gateway: Gateway, behind: Behind) -> None:
    names = [f"10.5555/{number}" for number in range(600)]
    answer = gateway.ask("/doiRA/" + ",".join(names))
    if answer.status == 200:
        assert [item["DOI"] for item in answer.json] == names
    else:
        assert answer.status == 414
        assert behind.targets == []
    json.loads(answer.body or "null")

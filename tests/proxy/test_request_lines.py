"""What stands in the request line, read from a socket: no library folds, cuts or decodes a name."""

import pytest

from tests.proxy.conftest import AGENT, Ask
from tests.proxy.raw_server import RawServer, agencies, missing

TREACHEROUS = [
    ("10.1000/456#789", "10.1000/456%23789", "a fragment would be cut off"),
    ("10.1000/a?b=c", "10.1000/a%3Fb=c", "a query would be cut off"),
    ("10.1000/a%2Fb", "10.1000/a%252Fb", "a triplet in the name is text"),
    ("10.1000/100%", "10.1000/100%25", "a lone percent sign"),
    ("10.1000/terra+aqua", "10.1000/terra%2Baqua", "a plus may be read as a space"),
    ("10.1000/a\\b", "10.1000/a%5Cb", "browsers turn a backslash round"),
    ("10.1000/a/../b", "10.1000/a/..%2Fb", "clients fold dot segments"),
    ("10.1000/a/./b", "10.1000/a/.%2Fb", "clients fold dot segments"),
    ("10.1000/../b", "10.1000/..%2Fb", "and right at the start of the suffix"),
    ("10.1000/a/..", "10.1000/a%2F..", "and at its end"),
    ("../10.1000/a", "..%2F10.1000/a", "even before a prefix, where an alias may have them"),
    ("10.1000//a", "10.1000//a", "two slashes stay two"),
    ("10.1000/a/", "10.1000/a/", "a slash at the end stays"),
    ("10.1000/a,b", "10.1000/a,b", "a comma needs nothing in a record's address"),
    ("10.26321/Á.GUTIÉRREZ", "10.26321/%C3%81.GUTI%C3%89RREZ", "UTF-8, each byte encoded"),
    ("10.1000/A\u0301", "10.1000/A%CC%81", "a decomposed letter stays decomposed"),
    ('10.1000/a b"<>', "10.1000/a%20b%22%3C%3E", "Tables 1 and 2"),
    ("10.1000/[x]{y}|^`", "10.1000/%5Bx%5D%7By%7D%7C%5E%60", "Table 2"),
    ("10.1000/~a;b:c@d", "10.1000/~a;b:c@d", "what needs no encoding gets none"),
    ("10/AbC", "10/AbC", "a short DOI is a handle like any other"),
]


@pytest.mark.clause("E1", "E2", "E4", "E5", "E10", "E17", "U5")
@pytest.mark.parametrize(("name", "sent", "reason"), TREACHEROUS)
def test_the_request_line_carries_the_whole_name(ask: Ask, name: str, sent: str, reason: str) -> None:
    with RawServer(lambda request: missing(name)) as server:
        ask(server.url).resolve(name)
    assert server.lines == [f"GET /api/handles/{sent} HTTP/1.1"], reason


@pytest.mark.clause("E6", "R2")
@pytest.mark.parametrize(("name", "sent", "reason"), [(n, s.replace(",", "%2C"), r) for n, s, r in TREACHEROUS])
def test_a_comma_is_encoded_for_which_ra_and_only_there(ask: Ask, name: str, sent: str, reason: str) -> None:
    with RawServer(lambda request: agencies([name])) as server:
        ask(server.url).find_agencies([name])
    assert server.lines == [f"GET /doiRA/{sent} HTTP/1.1"], reason


@pytest.mark.parametrize("path", ["", "/", "/doi", "/doi/", "/a%20b//"])
def test_the_base_address_may_have_a_path_and_slashes_at_its_end(ask: Ask, path: str) -> None:
    with RawServer(lambda request: missing("10.1000/a/../b")) as server:
        ask(server.url + path).resolve("10.1000/a/../b")
    assert server.targets == [f"{path.rstrip('/')}/api/handles/10.1000/a/..%2Fb"]


def test_the_proxy_learns_whom_to_write_to_and_nothing_else(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    netrc = tmp_path_factory.mktemp("home") / "netrc"
    netrc.write_text("machine 127.0.0.1 login librarian password secret\n")
    monkeypatch.setenv("NETRC", str(netrc))
    with RawServer(lambda request: missing("10.1000/1")) as server:
        asker = ask(server.url)
        asker.resolve("10.1000/1")
        asker.resolve("10.1000/1")
    for request in server.requests:
        assert request.headers["user-agent"] == AGENT
        assert request.headers["accept"] == "application/json"
        assert "authorization" not in request.headers
        assert "cookie" not in request.headers

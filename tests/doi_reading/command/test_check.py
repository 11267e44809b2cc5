"""Asking whether DOIs are registered: what goes over the wire, and what servers may answer. Real sockets, no mocks."""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from socket import socket
from typing import Any

import pytest

from doi_reading.command.check import service as one_request
from doi_reading.command.check.registrations import AskingBounds, Registrations
from doi_reading.command.check.service import DoiService, NoReply, UnusableSetting
from doi_reading.command.check.which_ra import BATCH_BYTES, LONGEST_NAME_BYTES, build_list_path, split_batches
from tests.proxy import raw_server as raw
from tests.proxy.raw_server import Answer, RawServer, Request

ROOT = Path(__file__).parents[3]
QUICK = AskingBounds(interval=0.0, backoff=0.01, timeout=2.0)
NAMES = [f"10.1000/{number}" for number in range(4)]
PAGE = raw.http(200, "<html>Just a moment</html>", Content_Type="text/html")


def agencies(request: Request) -> bytes:
    """All are registered but those with `missing`; Which RA can't tell of those with `unknown`."""
    return raw.http(200, [_agency(name) for name in request.names])


def _agency(name: str) -> dict[str, str]:
    if "unknown" in name:
        return {"DOI": name, "status": "Unknown"}
    return {"DOI": name, "status": "DOI does not exist"} if "missing" in name else {"DOI": name, "RA": "Crossref"}


def ask(answer: Callable[[Request], Answer], names: list[str], bounds: AskingBounds = QUICK) -> tuple[RawServer, Any]:
    with RawServer(answer) as server:
        asked = Registrations(DoiService(server.url), bounds)
        asked.ask(names)
    return server, asked


def test_a_batch_says_of_each_name_whether_it_is_registered() -> None:
    server, asked = ask(agencies, ["10.1000/a", "10.1000/A", "10.1000/missing", "10.1000/a"])
    assert server.targets == ["/doiRA/10.1000/a,10.1000/missing"]
    assert [asked.is_registered(name) for name in ("10.1000/A", "10.1000/MISSING", "10.1000/b")] == [True, False, None]
    assert asked.count_failures() == {}


def test_names_are_asked_for_once_fifty_at_a_time() -> None:
    names = [f"10.1000/{number}" for number in range(120)]
    with RawServer(agencies) as server:
        asked = Registrations(DoiService(server.url), QUICK)
        for _ in range(2):
            asked.ask(names)
    assert [len(one.names) for one in server.requests] == [50, 50, 20]


@pytest.mark.parametrize("name", ["10.1000/a,b", "10.1000/a%2Cb", "10.1000/a#b?c d", "10.1000/ü", "10.1000/a/../b"])
def test_an_odd_name_arrives_as_it_is(name: str) -> None:
    server, asked = ask(agencies, [name, "10.1000/182"])
    assert sorted(one for request in server.requests for one in request.names) == sorted([name, "10.1000/182"])
    assert asked.is_registered(name)


def test_long_names_get_requests_of_their_own_and_endless_ones_none() -> None:
    names = [f"10.1000/{number}{'x' * 1_400}" for number in range(4)] + ["10.1000/" + "ü" * 1_100]
    assert all(len(build_list_path(one)) < BATCH_BYTES + 10 for one in split_batches(names[:4]))
    server, asked = ask(agencies, names)
    assert len(server.requests) == 2
    assert asked.find_failure(names[4]) == "it is too long for a request"
    assert len("%C3%BC" * 1_100) > LONGEST_NAME_BYTES


def test_what_which_ra_cannot_tell_the_record_does() -> None:
    codes = {"10.1000/unknown-1": 1, "10.1000/unknown-2": 100, "10.1000/unknown-3": 200, "10.1000/unknown-4": 2}

    def answer(request: Request) -> Answer:
        if request.target.startswith("/doiRA/"):
            return agencies(request)
        code = codes[request.name]
        return raw.http({100: 404, 2: 500}.get(code, 200), {"responseCode": code, "handle": request.name})

    server, asked = ask(answer, [*codes, "10.1000/1"])
    assert [asked.is_registered(name) for name in codes] == [True, False, True, None]
    assert len(server.requests) == 5
    assert list(asked.count_failures().values()) == [1]


def test_the_request_says_who_asks_and_how_to_reach_them() -> None:
    with RawServer(agencies) as server:
        for contact in ("", "me@example.org", "https://example.org/@me"):
            DoiService(f"{server.url}/", contact).get("/doiRA/10.1000/1", 5)
    agents = [request.headers["user-agent"].partition(" ") for request in server.requests]
    assert [rest for _, _, rest in agents] == ["", "(mailto:me@example.org)", "(+https://example.org/@me)"]
    assert {product.partition("/")[0] for product, _, _ in agents} == {"doi-read"}
    assert server.requests[0].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize(
    "url",
    [
        "", "portal.example", "ftp://a.example", "https://u:p@a.example", "https://a b", "file:///etc", "https://ü.example",
        "https://a.example/?x",
    ],
)  # fmt: skip
def test_an_address_that_cannot_be_asked_is_refused(url: str) -> None:
    with pytest.raises(UnusableSetting):
        DoiService(url)


@pytest.mark.parametrize("contact", ["me", "a@b\r\nX: y", "ä@b.example", "a b@c"])
def test_a_contact_that_is_none_is_refused(contact: str) -> None:
    with pytest.raises(UnusableSetting):
        DoiService(contact=contact)


def endless_body(connection: socket) -> None:
    connection.sendall(b"HTTP/1.1 200 X\r\n\r\n[")
    while True:
        connection.sendall(b" " * 65_536)


def endless_chunks(connection: socket) -> None:
    connection.sendall(b"HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n")
    while True:
        connection.sendall(b"10000\r\n" + b" " * 65_536 + b"\r\n")


def endless_header(connection: socket) -> None:
    connection.sendall(b"HTTP/1.1 200 X\r\nX: ")
    while True:
        connection.sendall(b"x" * 65_536)


HOSTILE: dict[str, Answer] = {
    "endless body": endless_body,
    "endless chunks": endless_chunks,
    "endless header": endless_header,
    "slow body": raw.dripping,
    "slow header": raw.dripping_head,
    "silence": raw.silence,
    "half": raw.half,
    "half chunked": raw.half_chunked,
    "hung up": raw.hang_up,
    "reset": raw.reset,
    "no HTTP": b"SSH-2.0-x\r\n\r\n",
    "empty": raw.http(200, ""),
    "nonsense": raw.http(200, b"\xff\xfe{]"),
    "deep": raw.http(200, "[" * 100_000),
    "a long number": raw.http(200, "[" + "9" * 10_000 + "]"),
    "page": PAGE,
    "object": raw.http(200, {"DOI": NAMES[0], "RA": "Crossref"}),
    "too few": raw.http(200, []),
    "strings": raw.http(200, NAMES),
    "nulls": raw.http(200, [None] * 4),
    "other names": raw.http(200, [{"DOI": "10.1000/x", "RA": "Crossref"}] * 4),
    "no words": raw.http(200, [{"DOI": name, "RA": "", "status": None} for name in NAMES]),
    "not found": raw.http(404, "<html>no such page</html>"),
    "not found with data": raw.http(404, [{"DOI": name, "status": "DOI does not exist"} for name in NAMES]),
    "refused": raw.http(403, "<html>no</html>"),
    "login": raw.http(401, {"responseCode": 2, "message": "x", "handle": ""}),
    "busy": raw.http(503, "<html>later</html>"),
    "broken": raw.http(500, {"responseCode": 2, "message": "x", "handle": ""}),
    "too long": raw.http(414, "<html>long</html>"),
    "fewer": raw.http(429, ""),
    "fewer, in a year": raw.http(429, "", Retry_After="31536000"),
    "a date": raw.http(503, "", Retry_After="Fri, 31 Dec 9999 23:59:59 GMT"),
    "a bad date": raw.http(503, "", Retry_After="Thu, 99 Xyz 2026"),
    "redirect": raw.http(302, "", Location="http://127.0.0.1:9/"),
    "redirect to a file": raw.http(301, "", Location="file:///etc/passwd"),
}


@pytest.mark.parametrize("answer", HOSTILE.values(), ids=HOSTILE)
def test_no_answer_of_a_server_means_that_a_doi_is_not_registered(answer: Answer) -> None:
    started = time.monotonic()
    bounds = AskingBounds(interval=0.0, backoff=0.01, timeout=0.3)
    server, asked = ask(lambda _: answer, NAMES, bounds)
    assert [asked.is_registered(name) for name in NAMES] == [None] * 4
    assert all(asked.find_failure(name) for name in NAMES)
    assert all(why.isprintable() and len(why) < 150 for why in asked.count_failures())
    assert len(server.requests) <= 15
    assert time.monotonic() - started < 15


def test_a_refused_connection_ends_the_asking() -> None:
    asked = Registrations(DoiService("http://127.0.0.1:9"), QUICK)
    asked.ask(NAMES)
    assert asked.count_failures() == {"there is no answer (Connection refused)": 4}


def test_a_header_that_comes_byte_by_byte_is_waited_for_no_longer_than_told() -> None:
    with RawServer(lambda _: raw.dripping_head) as server:
        started = time.monotonic()
        with pytest.raises(NoReply):
            DoiService(server.url).get("/doiRA/10.1000/1", 0.3)
        assert time.monotonic() - started < 1.5


def test_a_redirect_is_not_followed() -> None:
    with RawServer(agencies) as other:
        ask(lambda _: raw.http(302, "", Location=f"{other.url}/doiRA/10.1000/1"), NAMES[:1])
    assert other.requests == []


def test_an_answer_of_a_megabyte_is_read_and_no_larger_one(monkeypatch: pytest.MonkeyPatch) -> None:
    with RawServer(lambda _: raw.http(200, " " * one_request.MOST_BYTES)) as server:
        assert len(DoiService(server.url).get("/", 10).body) == one_request.MOST_BYTES
    with RawServer(lambda _: raw.http(200, " " * (one_request.MOST_BYTES + 1))) as server, pytest.raises(NoReply):
        DoiService(server.url).get("/", 10)


def test_a_passing_failure_is_repeated_after_the_time_that_the_server_names() -> None:
    answers = [raw.http(429, "", Retry_After="1"), raw.http(503, ""), None]
    server, asked = ask(lambda request: answers.pop(0) or agencies(request), NAMES)
    assert asked.count_failures() == {}
    assert len(server.requests) == 3
    assert server.requests[1].at - server.requests[0].at >= 1.0


def test_requests_keep_their_interval_and_end_in_time() -> None:
    names = [f"10.1000/{number}" for number in range(400)]
    bounds = AskingBounds(interval=0.2, backoff=0.01, timeout=2.0, seconds=0.7)
    server, asked = ask(agencies, names, bounds)
    gaps = [b.at - a.at for a, b in zip(server.requests, server.requests[1:], strict=False)]
    assert 1 <= len(server.requests) <= 5
    assert all(gap > 0.15 for gap in gaps)
    assert set(asked.count_failures()) == {"asking took more than 1 seconds"}


def test_no_more_names_are_asked_for_than_the_bound() -> None:
    server, asked = ask(agencies, NAMES, AskingBounds(names=3, interval=0.0))
    assert len(server.requests[0].names) == 3
    assert asked.find_failure(NAMES[3]) == "no more than 3 different DOIs are checked in one run"


def test_a_name_that_spoils_the_answer_for_all_spoils_only_its_own() -> None:
    def answer(request: Request) -> Answer:
        return raw.http(500, "") if "10.1000/bad" in request.names else agencies(request)

    _, asked = ask(answer, [*NAMES, "10.1000/bad", "10.1000/missing"])
    assert [asked.is_registered(name) for name in (*NAMES, "10.1000/missing")] == [True] * 4 + [False]
    assert asked.find_failure("10.1000/bad") == "it isn't working (HTTP 500)"


def test_a_comma_that_the_service_splits_at_spoils_no_other_name() -> None:
    def answer(request: Request) -> Answer:
        names = [part for name in request.names for part in name.split(",")]
        return raw.http(200, [_agency(name) for name in names])

    _, asked = ask(answer, ["10.1000/a,b", *NAMES])
    assert [asked.is_registered(name) for name in NAMES] == [True] * 4
    assert asked.find_failure("10.1000/a,b")


def test_without_check_nothing_of_the_network_is_imported(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("https://doi.org/10.1000/182/")
    program = (
        "import sys, json; from doi_reading.command.command_line import main; main(['a.txt'])\n"
        "print(json.dumps([one for one in ('ssl', 'http.client', 'urllib.request', 'doi_reading.command.check') "
        "if one in sys.modules]))"
    )
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); {program}"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout.splitlines()[-1]) == []

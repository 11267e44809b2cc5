"""Lookups at a proxy that does not answer: they stand in line, and others get their pages as ever."""

import json
import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.gateway_outside.behind import Behind
from tests.gateway_outside.portal import Gateway
from tests.gateway_outside.sockets import RawAnswer, request
from tests.proxy.raw_server import reset
from tests.waiting import wait_until

pytestmark = pytest.mark.slow

LOOKUPS = 24  # more than all threads of both processes


def look_up(gateway: Gateway, text: str) -> RawAnswer:
    body = json.dumps({"input": text}).encode()
    head = request(
        "/api/v1/lookups",
        "POST",
        f"127.0.0.1:{gateway.port}",
        Content_Type="application/json",
        Content_Length=str(len(body)),
    )
    return gateway.send(head + body)


@pytest.mark.clause("P13")
def test_lookups_that_wait_for_the_proxy_leave_threads_to_others_and_those_behind_are_sent_away(
    gateway: Gateway, behind: Behind, name: str
) -> None:
    behind.record(f"{name}.stored", ("URL", "https://example.org/stored"))
    gateway.ask(f"/{name}.stored")
    speak = threading.Event()

    def silent(connection: socket.socket) -> None:
        speak.wait(60)
        reset(connection)

    for number in range(LOOKUPS):
        behind.put(f"{name}.{number}", silent)
    with ThreadPoolExecutor(LOOKUPS) as pool:
        asking = [pool.submit(look_up, gateway, f"{name}.{number}") for number in range(LOOKUPS)]
        wait_until("the lookups get to the proxy", lambda: len(behind.targets) >= 6)
        for _ in range(5):
            assert gateway.ask("/healthz").body == b"ok"
            assert gateway.ask("/").status == 200
            assert gateway.ask(f"/{name}.stored").location == "https://example.org/stored"
        answers = [each.result() for each in asking]
        speak.set()
    sent_away = [answer for answer in answers if answer.status == 503]
    assert all(int(answer["retry-after"]) > 0 for answer in sent_away)
    assert {answer.json["type"] for answer in sent_away} == {"/problems/proxy-pauses"}
    assert not any(answer.all("set-cookie") for answer in sent_away), "nothing was stored, so nobody got a session"
    # Those whose every attempt got to the silent proxy know that it is out of reach.
    told = [answer for answer in answers if answer.status == 201]
    assert len(sent_away) + len(told) == LOOKUPS
    assert sent_away
    assert all(answer.json["outcome"] == "unreachable" for answer in told)

"""A thousand programs that want the same thing at the same moment: the proxy behind is asked once."""

import asyncio
import json
import socket
import threading
from concurrent.futures import ThreadPoolExecutor, as_completed

import pytest

from tests.gateway_outside.behind import Behind
from tests.gateway_outside.portal import Gateway
from tests.gateway_outside.sockets import RawAnswer, parsed, request
from tests.proxy.raw_server import reset
from tests.waiting import wait_until

ASKERS = 1000
LANDING = "https://example.org/landing"


async def all_at_once(port: int, target: str, askers: int = ASKERS) -> list[RawAnswer]:
    """Everybody connects first; then everybody asks, and leaves when the answer is there: gunicorn waits for that."""
    sent = request(target, host=f"127.0.0.1:{port}")
    lines = await asyncio.gather(*(asyncio.open_connection("127.0.0.1", port) for _ in range(askers)))

    async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(sent)
        received = await reader.read()
        writer.close()
        return received

    return [parsed(one) for one in await asyncio.gather(*(ask(*line) for line in lines))]


@pytest.mark.clause("P13")
async def test_a_thousand_who_ask_for_one_record_make_one_request(gateway: Gateway, behind: Behind, name: str) -> None:
    behind.record(name, ("URL", LANDING))
    behind.latency = 0.3
    answers = await all_at_once(gateway.port, f"/api/handles/{name}")
    assert len(behind.asked_for(name)) == 1
    assert {answer.status for answer in answers} == {200}
    assert len({answer.body for answer in answers}) == 1
    assert answers[0].json["values"][0]["data"]["value"] == LANDING


@pytest.mark.slow
@pytest.mark.clause("P13")
async def test_a_thousand_who_follow_one_link_make_no_more_requests_than_one(
    gateway: Gateway, behind: Behind, name: str
) -> None:
    behind.record(name, ("URL", LANDING))
    behind.record(f"{name}.2", ("URL", LANDING))
    behind.latency = 0.3
    answers = await all_at_once(gateway.port, f"/{name}")
    assert len(behind.asked_for(name)) == 1
    assert len(behind.targets) == len(set(behind.targets))
    assert {(answer.status, answer.location) for answer in answers} == {(302, LANDING)}


@pytest.mark.slow
@pytest.mark.clause("P13")
async def test_a_thousand_who_ask_which_ra_make_one_request(gateway: Gateway, behind: Behind, name: str) -> None:
    behind.agency(name, {"RA": "Crossref"})
    behind.latency = 0.3
    answers = await all_at_once(gateway.port, f"/doiRA/{name}")
    assert len(behind.targets) == 1
    assert {json.dumps(answer.json) for answer in answers} == {json.dumps([{"DOI": name, "RA": "Crossref"}])}


@pytest.mark.slow
@pytest.mark.clause("P13", "A2")
async def test_when_the_proxy_fails_all_are_told_after_few_requests_and_nothing_is_kept(
    gateway: Gateway, behind: Behind, name: str
) -> None:
    behind.put(name, reset)
    behind.latency = 0.3
    answers = await all_at_once(gateway.port, f"/api/handles/{name}")
    assert len(behind.asked_for(name)) <= ASKERS / 20  # 3 attempts, and again when the failure is forgotten
    assert {answer.status for answer in answers} == {500}
    assert {answer.json["responseCode"] for answer in answers} == {2}
    behind.record(name, ("URL", LANDING))
    # Who comes within some seconds after the last of them is told the same.
    wait_until("the record is told", lambda: gateway.ask(f"/api/handles/{name}").json["responseCode"] == 1, seconds=30)


@pytest.mark.slow
def test_while_many_wait_for_a_silent_name_what_is_stored_is_answered(
    gateway: Gateway, behind: Behind, name: str
) -> None:
    stored, speak = f"{name}.stored", threading.Event()
    behind.record(stored, ("URL", LANDING))
    assert gateway.ask(f"/api/handles/{stored}").status == 200

    def silent(connection: socket.socket) -> None:
        speak.wait(60)
        reset(connection)

    behind.put(name, silent)
    with ThreadPoolExecutor(16) as pool:
        asking = [pool.submit(gateway.ask, f"/api/handles/{name}") for _ in range(16)]
        sent_away = next(as_completed(asking)).result()
        answer = gateway.ask(f"/api/handles/{stored}")
        asked = len(behind.asked_for(name))
        speak.set()
    assert (sent_away.status, sent_away.json["responseCode"]) == (500, 2)
    assert int(sent_away["retry-after"]) > 0
    assert (answer.status, answer.json["responseCode"]) == (200, 1)
    assert asked == 1  # its first attempt had not ended
    assert {each.result().status for each in asking} == {500}

"""Requests with an Idempotency-Key over a real socket: cut, repeated, and sent twice at once."""

import json
import socket
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.gateway_outside.behind import Behind
from tests.gateway_outside.portal import Gateway
from tests.gateway_outside.sockets import RawAnswer, request
from tests.waiting import wait_until

LIST = b"doi\n10.5555/one\n10.5555/two\n" * 2000


class RetryingProgram:
    """A program with the cookie of one session and one key."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway
        self._key = str(uuid.uuid4())
        first = self._send("/api/v1/lookups", b'{"input": "no DOI"}', "application/json", key=str(uuid.uuid4()))
        self._cookie = first["set-cookie"].partition(";")[0]

    def upload(self) -> RawAnswer:
        return self._send("/api/v1/jobs", LIST, "text/csv")

    def look_up(self, text: str) -> RawAnswer:
        return self._send("/api/v1/lookups", json.dumps({"input": text}).encode(), "application/json")

    def upload_and_hang_up(self, sent: int) -> None:
        """Send so many bytes of the body, and close the connection without reading."""
        head = self._head("/api/v1/jobs", LIST, "text/csv", self._key)
        with socket.create_connection(("127.0.0.1", self._gateway.port), timeout=10) as connection:
            connection.sendall(head + LIST[:sent])

    @property
    def jobs(self) -> list[str]:
        return [job["id"] for job in self._gateway.ask("/api/v1/jobs", Cookie=self._cookie).json["results"]]

    def _send(self, path: str, body: bytes, media_type: str, key: str = "") -> RawAnswer:
        return self._gateway.send(self._head(path, body, media_type, key or self._key) + body)

    def _head(self, path: str, body: bytes, media_type: str, key: str) -> bytes:
        cookie = {"Cookie": self._cookie} if hasattr(self, "_cookie") else {}
        return request(
            path,
            "POST",
            f"127.0.0.1:{self._gateway.port}",
            Content_Type=media_type,
            Content_Length=str(len(body)),
            Idempotency_Key=key,
            **cookie,
        )


@pytest.fixture
def program(gateway: Gateway) -> RetryingProgram:
    return RetryingProgram(gateway)


@pytest.mark.parametrize("sent", [0, 1000, len(LIST) - 1, len(LIST)])
def test_a_retried_upload_after_a_cut_connection_makes_one_job(program: RetryingProgram, sent: int) -> None:
    program.upload_and_hang_up(sent)
    answer = wait_until("the first is over", program.upload, lambda answer: answer.status != 409, seconds=30)
    assert answer.status == 202, answer.body
    assert program.jobs == [answer.json["id"]]
    assert program.upload().json == answer.json
    assert len(program.jobs) == 1


def test_many_uploads_at_once_with_one_key_make_one_job(program: RetryingProgram) -> None:
    start = threading.Barrier(8)

    def upload(_: int) -> RawAnswer:
        start.wait()
        return program.upload()

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(upload, range(8)))
    assert {answer.status for answer in answers} <= {202, 409}
    assert {answer.json["id"] for answer in answers if answer.status == 202} == set(program.jobs)
    assert len(program.jobs) == 1


def test_while_the_first_is_under_way_a_second_with_its_key_is_409(
    program: RetryingProgram, behind: Behind, name: str
) -> None:
    behind.record(name, ("URL", "https://example.org/slow"))
    behind.latency = 1.0
    with ThreadPoolExecutor(1) as thread:
        first = thread.submit(program.look_up, name)
        wait_until("the first is under way", lambda: behind.asked_for(name))
        second = program.look_up(name)
        assert (second.status, second.json["type"]) == (409, "/problems/idempotency-key-under-way")
        assert int(second["retry-after"]) > 0
        assert first.result().status == 201
    third = program.look_up(name)
    assert (third.status, third["idempotent-replayed"]) == (201, "true")
    assert third.json == first.result().json
    assert third["location"] == first.result()["location"]

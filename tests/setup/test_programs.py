"""Programs over sockets, against a web server and a worker: uploads and downloads that are cut, requests at once,
deliveries to a receiver."""

import socket
import ssl
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest
import requests
import trustme

from tests.setup.portal import RunningPortal, serving
from tests.waiting import wait_until
from tests.webhook_receiver import Receiver

pytestmark = pytest.mark.slow

ROUNDS = 20  # in which two uploads should overlap once
LONGEST = 120  # seconds
LONG_LIST = b"title,doi\n" + b"".join(b"Title %d,10.5555/number-%d\n" % (n, n) for n in range(300_000))
SHORT_LIST = b"title,doi\nOne,10.1000/182\n"


class Program:
    """A program with a token of its own account."""

    def __init__(self, portal: RunningPortal, token: str) -> None:
        self.port, self.token = portal.port, token
        self.api = f"http://127.0.0.1:{portal.port}/api/v1"
        self.headers = {"Authorization": f"Bearer {token}"}

    def get(self, path: str, **parameters: Any) -> Any:
        answer = requests.get(f"{self.api}/{path}", parameters, headers=self.headers, timeout=LONGEST)
        answer.raise_for_status()
        return answer.json()

    def post(self, path: str, **sent: Any) -> requests.Response:
        headers = {**self.headers, **sent.pop("headers", {})}
        return requests.post(f"{self.api}/{path}", headers=headers, timeout=LONGEST, **sent)

    def upload(self, content: bytes, key: str) -> requests.Response:
        return self.post("jobs", data=content, headers={"Content-Type": "text/csv", "Idempotency-Key": key})

    def upload_and_hang_up(self, content: bytes, key: str, *, sent: int) -> None:
        """Send this many bytes of the body, and close the connection."""
        head = (
            f"POST /api/v1/jobs HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nAuthorization: Bearer {self.token}\r\n"
            f"Content-Type: text/csv\r\nContent-Length: {len(content)}\r\nIdempotency-Key: {key}\r\n\r\n"
        )
        with socket.create_connection(("127.0.0.1", self.port), LONGEST) as connection:
            connection.sendall(head.encode() + content[:sent])

    def jobs(self) -> list[str]:
        return [job["id"] for job in self.get("jobs")["results"]]


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory, authority: trustme.CA) -> Iterator[RunningPortal]:
    folder = tmp_path_factory.mktemp("portal")
    authority.cert_pem.write_to_path(str(folder / "ca.pem"))
    trusted = {"REQUESTS_CA_BUNDLE": str(folder / "ca.pem")}
    quick = {"PROXY_RATE": "0", "PROXY_CONCURRENCY": "16"}
    with serving(
        folder, worker=True, API_DOIS_PER_MINUTE="0", WEBHOOK_ALLOW_PRIVATE="1", **quick, **trusted
    ) as running:
        yield running


@pytest.fixture
def program(portal: RunningPortal) -> Iterator[Program]:
    """One that leaves no list to the worker."""
    made = Program(portal, portal.take_token())
    yield made
    for job in made.jobs():
        requests.delete(f"{made.api}/jobs/{job}", headers=made.headers, timeout=LONGEST).raise_for_status()


def test_an_upload_cut_in_the_middle_and_sent_again_makes_one_job(program: Program) -> None:
    program.upload_and_hang_up(LONG_LIST, "cut", sent=len(LONG_LIST) // 2)
    first = program.upload(LONG_LIST, "cut")
    assert (first.status_code, program.jobs()) == (202, [first.json()["id"]])


def test_an_upload_whose_answer_was_lost_makes_one_job_when_sent_again(program: Program) -> None:
    program.upload_and_hang_up(SHORT_LIST, "lost", sent=len(SHORT_LIST))
    again = wait_until(
        "the first is over", lambda: program.upload(SHORT_LIST, "lost"), lambda answer: answer.status_code != 409
    )
    assert (again.status_code, program.jobs()) == (202, [again.json()["id"]])


def test_of_two_uploads_at_once_with_one_key_one_makes_the_job_and_the_other_gets_409(program: Program) -> None:
    def upload(key: str, start: Barrier) -> requests.Response:
        start.wait(LONGEST)
        return program.upload(LONG_LIST, key)

    with ThreadPoolExecutor(2) as pool:
        for key in map("both-{}".format, range(ROUNDS)):
            before, start = set(program.jobs()), Barrier(2)
            answers = [each.result() for each in [pool.submit(upload, key, start) for _ in range(2)]]
            made, other = sorted(
                answers, key=lambda answer: (answer.status_code, "Idempotent-Replayed" in answer.headers)
            )
            assert made.status_code == 202
            assert set(program.jobs()) - before == {made.json()["id"]}
            assert program.upload(LONG_LIST, key).json()["id"] == made.json()["id"]
            if other.status_code == 409:
                break
            # On a busy machine one may end before the other begins: then it is answered again.
            assert (other.status_code, other.headers["Idempotent-Replayed"]) == (202, "true")
            assert other.json()["id"] == made.json()["id"]
    assert other.status_code == 409, "no two uploads were at work at one time"
    assert other.json()["type"] == "/problems/idempotency-key-under-way"
    assert int(other.headers["Retry-After"]) >= 1


def test_all_processes_of_the_web_server_count_one_limit(tmp_path: Path) -> None:
    with serving(tmp_path, API_DOIS_PER_MINUTE="20") as running:
        program = Program(running, running.make_token("ada"))
        with ThreadPoolExecutor(8) as pool:
            looked_up = [pool.submit(program.post, "lookups", json={"input": "10.1000/182"}) for _ in range(60)]
            statuses = [answer.result().status_code for answer in looked_up]
    assert (statuses.count(201), statuses.count(429)) == (20, 40)


class TlsReceiver(Receiver):
    """Keeps the names that senders ask for in TLS."""

    def __init__(self, certificate: trustme.LeafCert) -> None:
        super().__init__()
        self.names = list[str | None]()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        certificate.configure_cert(context)
        context.sni_callback = lambda _socket, name, _context: self.names.append(name)
        self.socket = context.wrap_socket(self.socket, server_side=True)


@pytest.mark.parametrize(("name", "status"), [("localhost", 204), ("hooks.example", None)])
def test_a_delivery_by_tls_asks_for_the_name_and_needs_its_certificate(
    program: Program, authority: trustme.CA, name: str, status: int | None
) -> None:
    with TlsReceiver(authority.issue_cert(name)) as receiver:
        Thread(target=receiver.serve_forever, args=(0.05,)).start()
        address = f"localhost:{receiver.server_address[1]}"
        webhook = program.post("webhooks", json={"url": f"https://{address}/hook"}).json()
        program.upload(SHORT_LIST, "tls").raise_for_status()
        listed = f"webhooks/{webhook['id']}/deliveries"
        delivery = wait_until(
            "it is delivered", lambda: program.get(listed)["results"], lambda found: found and found[0]["attempts"]
        )[0]
        receiver.shutdown()
    assert (delivery["event"], delivery["status"]) == ("job.finished", status)
    assert receiver.names == ["localhost"]
    assert [headers["Host"] for headers, _ in receiver.received] == ([address] if status else [])

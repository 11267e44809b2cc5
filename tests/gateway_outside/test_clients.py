"""Programs written for doi.org work with the gateway when nothing but the address is changed."""

import json
import shutil
import subprocess
import sys
import urllib.request
from typing import Any

import pytest

from tests.gateway_outside.behind import Behind, text
from tests.gateway_outside.portal import Gateway
from tests.proxy.raw_server import http

ADMIN = text(100, "HS_ADMIN", {"handle": "0.na/10.5555", "index": 200, "permissions": "011111110010"}, "admin")
METADATA = "application/vnd.citationstyles.csl+json"
# In a process of its own: the library brings warnings that are not ours.
PYHANDLE = """
import json, sys
from pyhandle.handleclient import PyHandleClient
from pyhandle.handleexceptions import HandleNotFoundException
address, name = sys.argv[1:]
client = PyHandleClient("rest").instantiate_for_read_access(handle_server_url=address)
told = {
    "record": client.retrieve_handle_record(name),
    "json": client.retrieve_handle_record_json(name),
    "fresh": client.retrieve_handle_record(name, auth=True),
    "url": client.get_value_from_handle(name, "URL"),
    "no such type": client.get_value_from_handle(name, "EMAIL"),
    "one index": client.retrieve_handle_record(name, indices=[100]),
    "missing": client.retrieve_handle_record(name + "-missing"),
}
try:
    client.get_value_from_handle(name + "-missing", "URL")
except HandleNotFoundException as error:
    told["error"] = type(error).__name__
print(json.dumps(told))
"""


@pytest.mark.clause("H1", "H2", "P8")
def test_pyhandle_reads_records(gateway: Gateway, behind: Behind, name: str) -> None:
    values = [text(1, "URL", "https://example.org/landing"), ADMIN]
    behind.record(name, *values)
    command = [sys.executable, "-W", "ignore", "-c", PYHANDLE, gateway.url, name]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    whole = {"URL": "https://example.org/landing", "HS_ADMIN": str(ADMIN["data"]["value"])}
    assert told == {
        "record": whole,
        "json": {"responseCode": 1, "handle": name, "values": values},
        "fresh": whole,
        "url": "https://example.org/landing",
        "no such type": None,
        "one index": {"HS_ADMIN": whole["HS_ADMIN"]},
        "missing": None,
        "error": "HandleNotFoundException",
    }


def by_curl(*arguments: str) -> tuple[int, str, str]:
    """Status, last address, body."""
    command = ["curl", "-sS", "-w", "\n%{http_code} %{url_effective}", "--max-time", "20", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    body, _, last = done.stdout.rpartition("\n")
    status, address = last.split(" ")
    return int(status), address, body


def by_urllib(*arguments: str) -> tuple[int, str, str]:
    """The same; of curl's arguments the address, and those that change nothing here."""
    with urllib.request.urlopen(arguments[-1], timeout=20) as answer:
        return answer.status, answer.url, answer.read().decode()


# A machine may be without curl; Python's own client is there anyway.
FOLLOWING: list[Any] = [by_urllib, *([by_curl] if shutil.which("curl") else [])]


@pytest.mark.clause("P1", "A1")
@pytest.mark.parametrize("follow", FOLLOWING)
def test_a_program_that_follows_redirects_arrives(gateway: Gateway, behind: Behind, name: str, follow: Any) -> None:
    behind.page("/landing", http(200, "the article", Content_Type="text/plain"))
    behind.record(name, ("URL", f"{behind.url}/landing"))
    assert follow("-L", f"{gateway.url}/{name}") == (200, f"{behind.url}/landing", "the article")
    assert follow("-L", f"{gateway.url}/doi:{name}")[2] == "the article"
    status, _, body = follow(f"{gateway.url}/api/handles/{name}?type=URL")
    assert (status, json.loads(body)["values"][0]["data"]["value"]) == (200, f"{behind.url}/landing")


@pytest.mark.clause("P1")
def test_a_program_that_asks_for_metadata_is_sent_where_the_proxy_behind_sends_it(
    gateway: Gateway, behind: Behind, name: str
) -> None:
    """Content negotiation: the proxy behind knows where the agency keeps metadata."""
    behind.record(name, ("URL", f"{behind.url}/landing"))
    behind.page(f"/{name}", http(302, "", Location=f"{behind.url}/metadata", Vary="Accept"))
    sent_on = gateway.ask(f"/{name}", Accept=METADATA)
    assert (sent_on.status, sent_on.location) == (302, f"{behind.url}/metadata")
    assert "Accept" in sent_on["vary"]
    assert gateway.ask(f"/{name}", Accept="text/html").location == f"{behind.url}/landing"


@pytest.mark.clause("P1", "A9")
@pytest.mark.parametrize("location", ["javascript:alert(1)", "//evil.example/", "data:text/html,x", "", "x y"])
def test_who_asks_for_metadata_is_not_sent_to_what_is_no_web_address(
    gateway: Gateway, behind: Behind, name: str, location: str
) -> None:
    behind.record(name, ("URL", "https://example.org/landing"))
    behind.page(f"/{name}", http(302, "", Location=location))
    answer = gateway.ask(f"/{name}", Accept=METADATA)
    assert answer.location in ("", "https://example.org/landing")


def test_the_head_of_an_answer_is_that_of_the_whole(gateway: Gateway, behind: Behind, name: str) -> None:
    behind.record(name, ("URL", "https://example.org/landing"))
    behind.agency(name, {"RA": "Crossref"})
    for target in (f"/{name}", f"/api/handles/{name}", f"/doiRA/{name}", f"/{name}.missing", f"/{name}?noredirect"):
        whole, head = gateway.ask(target), gateway.ask(target, "HEAD")
        assert head.status == whole.status
        for header in ("content-type", "content-length", "location", "vary", "access-control-allow-origin"):
            assert head[header] == whole[header], (target, header)

"""A web server and a worker on IPv6: where it listens, who asks, a DOI proxy at an IPv6 address, a taken port."""

import socket
from pathlib import Path

import pytest
import requests

from resolver.standin.server import SampleProxyServer
from tests.setup.portal import SupervisedPortal, serving

pytestmark = pytest.mark.slow

NAME = "10.1000/182"
TOO_MANY = {"API_DOIS_PER_MINUTE": "3"}
INSIDE = {"TRUSTED_PROXIES": "::1/128, fd00::/8"}


def ask_about(root: str, *, of: str = "", number: int = 1) -> requests.Response:
    """Look names up by REST; `of`: whom a server in front names as the requester."""
    names = [f"10.5555/ok-{n}" for n in range(number)]
    return requests.post(
        f"{root}/api/v1/lookups", json={"inputs": names}, headers={"X-Forwarded-For": of} if of else {}, timeout=60
    )


def check_list(visitor: requests.Session, root: str) -> str:
    """Upload a list and return the outcome of its first row."""
    job = visitor.post(
        f"{root}/api/v1/jobs", data=f"{NAME}\n", headers={"Content-Type": "text/plain"}, timeout=60
    ).headers["Location"]
    ended = visitor.get(f"{job}/wait?seconds=60", timeout=90).json()
    assert ended["state"] == "finished", ended
    return str(visitor.get(f"{job}/rows", timeout=30).json()["results"][0]["outcome"])


def test_the_portal_and_its_doi_proxy_may_have_ipv6_addresses(tmp_path: Path) -> None:
    with (
        SampleProxyServer(host="::1") as proxy,
        serving(tmp_path, worker=True, HOST="::1", DOI_PROXY_URL=proxy.url, **INSIDE, **TOO_MANY) as portal,
        requests.Session() as visitor,
    ):
        root = f"http://[::1]:{portal.port}"
        made = requests.post(f"{root}/api/v1/lookups", json={"input": NAME}, timeout=60)
        assert (made.json()["outcome"], made.headers["Location"].partition("/api/")[0]) == ("resolved", root)
        assert check_list(visitor, root) == "resolved"
        record = requests.get(f"{root}/api/handles/{NAME}", timeout=30).json()
        assert (record["responseCode"], record["handle"]) == (1, NAME)
        assert requests.get(f"{root}/{NAME}", allow_redirects=False, timeout=30).status_code == 302
        assert proxy.requests

        assert ask_about(root, of="2001:db8:7:7::1", number=3).status_code == 200
        neighbour = ask_about(root, of="2001:db8:7:7:ffff::2", number=3)
        assert neighbour.status_code == 429, "a network (/64) counts as one requester"
        assert ask_about(root, of="2001:db8:7:8::1", number=3).status_code == 200


def test_a_portal_on_all_addresses_knows_its_own_machine(tmp_path: Path) -> None:
    with serving(tmp_path, HOST="[::]") as portal:
        for address in (f"http://[::1]:{portal.port}", f"http://127.0.0.1:{portal.port}"):
            assert requests.get(f"{address}/", timeout=30).status_code == 200
            assert requests.get(f"{address}/metrics", timeout=30).status_code == 200


def test_the_address_that_it_listens_on_is_an_allowed_host_however_it_is_written(tmp_path: Path) -> None:
    with serving(tmp_path, HOST="0:0:0:0:0:0:0:1") as portal:
        host = f"[0:0:0:0:0:0:0:1]:{portal.port}"
        answer = requests.get(f"http://[::1]:{portal.port}/", headers={"Host": host}, timeout=30)
    assert answer.status_code == 200


def test_a_taken_port_is_said_for_ipv6_too(tmp_path: Path) -> None:
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as other:
        portal = SupervisedPortal(tmp_path, HOST="[::1]", PORT=str(other.getsockname()[1]))
        assert portal.supervisor.wait(10) == 2
    assert f"cannot listen on ::1 port {portal.port}: " in portal.printed
    assert "Address already in use" in portal.printed

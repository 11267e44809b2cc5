"""A web server and a worker behind a company's HTTP proxy (HTTPS_PROXY), which alone reaches the DOI proxy."""

import base64
import ssl
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
import trustme

from tests.portal_processes import ROOT
from tests.proxy import raw_server as raw
from tests.proxy.raw_server import RawServer, Request
from tests.proxy.tunnel import Tunnel
from tests.setup.portal import RunningPortal, serving

DOI_PROXY = "doi.nowhere.invalid"  # no name server knows it
USER, PASSWORD, IN_URL = "portal", "s3cret@w0rd", "s3cret%40w0rd"
LOGIN = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
NAMES = ("10.1000/182", "10.1000/a/../b")


def answer(request: Request) -> bytes:
    if "/doiRA/" in request.target:
        return raw.agencies(request.names)
    return raw.record(request.name)


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def doi_proxy(authority: trustme.CA) -> Iterator[RawServer]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(DOI_PROXY).configure_cert(context)
    with RawServer(answer, context) as server:
        yield server


@pytest.fixture
def told(authority: trustme.CA, tmp_path: Path) -> dict[str, str]:
    """The environment of the portal, but for the company's proxy."""
    bundle = tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(str(bundle))
    quick = {"DOI_PROXY_BACKOFF": "0.01", "DOI_PROXY_ATTEMPTS": "3"}
    return {"DOI_PROXY_URL": f"https://{DOI_PROXY}", "REQUESTS_CA_BUNDLE": str(bundle), "LOG_LEVEL": "DEBUG", **quick}


def check_list(visitor: requests.Session, root: str, *names: str) -> list[dict[str, str]]:
    """Upload a list and return its rows."""
    text = "\n".join(names)
    job = visitor.post(f"{root}/api/v1/jobs", data=text, headers={"Content-Type": "text/plain"}, timeout=60).headers[
        "Location"
    ]
    ended = visitor.get(f"{job}/wait?seconds=60", timeout=90).json()
    assert ended["state"] == "finished", ended
    rows: list[dict[str, str]] = visitor.get(f"{job}/rows", timeout=30).json()["results"]
    return rows


def find_secrets(said: str) -> list[str]:
    return [line for line in said.splitlines() if any(secret in line for secret in (PASSWORD, IN_URL, LOGIN))]


def run_doctor(portal: RunningPortal) -> str:
    done = subprocess.run(
        [sys.executable, "manage.py", "doctor"],
        cwd=ROOT,
        env=portal.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


@pytest.mark.slow
def test_all_requests_to_the_doi_proxy_go_through_the_company_s_proxy_and_its_password_stays_secret(
    tmp_path: Path, doi_proxy: RawServer, told: dict[str, str]
) -> None:
    with Tunnel(ports={f"{DOI_PROXY}:443": doi_proxy.port}) as tunnel:
        address = f"http://{USER}:{IN_URL}@127.0.0.1:{tunnel.port}"
        with serving(tmp_path, worker=True, **told | {"HTTPS_PROXY": address}) as portal, requests.Session() as visitor:
            root = f"http://127.0.0.1:{portal.port}"
            looked_up = visitor.post(f"{root}/api/v1/lookups", json={"input": NAMES[0]}, timeout=60).json()
            assert looked_up["outcome"] == "resolved"
            by_a_person = len(tunnel.lines)
            assert by_a_person
            redirect = visitor.get(f"{root}/{NAMES[1]}", allow_redirects=False, timeout=30)
            assert (redirect.status_code, redirect.headers["Location"]) == (302, "https://example.org/")
            by_the_web_process = len(tunnel.lines)
            assert [row["outcome"] for row in check_list(visitor, root, "10.1000/list.1", "10.1000/list.2")] == [
                "resolved"
            ] * 2
            assert len(tunnel.lines) > by_the_web_process, "the worker's connections"
            assert f"ok      DOI proxy     https://{DOI_PROXY} knows" in run_doctor(portal)
            said = portal.printed
        assert {line.rpartition(" ")[0] for line in tunnel.lines} == {f"CONNECT {DOI_PROXY}:443"}
        assert all(LOGIN.encode() in head for head in tunnel.heads)
        assert doi_proxy.connections == len(tunnel.lines), "nothing went past it"
        assert "proxy-authorization" not in {name for request in doi_proxy.requests for name in request.headers}
    assert find_secrets(said) == []


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (407, "your network's proxy server requires a login"),
        (502, "your network's proxy server blocked the request"),
    ],
)
@pytest.mark.slow
def test_a_company_s_proxy_that_refuses_is_named_wherever_someone_looks(
    tmp_path: Path, told: dict[str, str], status: int, reason: str
) -> None:
    with Tunnel(refuse=status) as tunnel:
        address = f"http://{USER}:{IN_URL}@127.0.0.1:{tunnel.port}"
        with serving(tmp_path, worker=True, **told | {"HTTPS_PROXY": address}) as portal, requests.Session() as visitor:
            root = f"http://127.0.0.1:{portal.port}"
            looked_up = visitor.post(f"{root}/api/v1/lookups", json={"input": NAMES[0]}, timeout=60).json()
            assert looked_up["outcome"] == "unreachable"
            page = visitor.get(looked_up["page"], timeout=30).text
            assert "The DOI system didn’t answer." in page
            told_as_doi_org_does = visitor.get(f"{root}/api/handles/{NAMES[1]}", timeout=60)
            assert (told_as_doi_org_does.status_code, told_as_doi_org_does.json()["responseCode"]) == (500, 2)
            assert reason in told_as_doi_org_does.json()["message"]
            (row,) = check_list(visitor, root, "10.1000/list.1")
            assert (row["outcome"], reason in row["messages"]) == ("unreachable", True)
            ready = visitor.get(f"{root}/readyz", timeout=30)
            assert (ready.status_code, ready.json()["parts"]["proxy"]["ready"]) == (503, False)
            assert f"https://{DOI_PROXY}: {reason}" in " ".join(run_doctor(portal).split())
            said = portal.printed + run_doctor(portal)
    assert find_secrets(said) == []

"""`make audit` tells apart: no known vulnerability, one, and no answer."""

import json
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

pytestmark = [pytest.mark.xdist_group("audit"), pytest.mark.slow]  # they write one log

ROOT = Path(__file__).parents[2]
VULNERABILITY = {
    "id": "GHSA-0000-0000-0000",
    "summary": "Made up",
    "modified": "2026-01-01T00:00:00Z",
    "published": "2026-01-01T00:00:00Z",
    "affected": [
        {
            "package": {"name": "django", "ecosystem": "PyPI"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "999.0"}]}],
        }
    ],
}


@contextmanager
def service(vulnerable: str) -> Iterator[str]:
    """A vulnerability service in the shape of OSV that knows one vulnerable package ("": none)."""

    class VulnerabilityRequest(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            known = [VULNERABILITY] if asked["package"]["name"] == vulnerable else []
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps({"vulns": known} if known else {}).encode())

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), VulnerabilityRequest) as server:
        Thread(target=server.serve_forever, args=(0.05,)).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/v1/query"
        server.shutdown()


def audit(address: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [
            "make",
            "--no-print-directory",
            "--old-file",
            ".venv/installed-dev",
            "audit",
            f"AUDIT=-s osv --osv-url {address}",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_without_a_known_vulnerability_it_ends_well() -> None:
    with service("") as address:
        done = audit(address)
    assert (done.returncode, done.stdout.strip()) == (0, "No known vulnerabilities found")


def test_a_vulnerable_package_is_named_and_is_an_error() -> None:
    with service("django") as address:
        done = audit(address)
    assert done.returncode != 0
    assert "GHSA-0000-0000-0000" in done.stdout
    assert "NOT AUDITED" not in done.stdout


def test_without_an_answer_it_says_that_nothing_was_audited_and_is_an_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    done = audit(f"http://127.0.0.1:{port}/v1/query")
    assert done.returncode != 0
    assert "NOT AUDITED" in done.stdout

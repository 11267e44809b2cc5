"""`doi-read --check` with this portal: its gateway answers like doi.org."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.gateway_outside.behind import Behind
from tests.gateway_outside.portal import Gateway

ROOT = Path(__file__).parents[2]


def check(url: str, text: str) -> tuple[int, list[dict[str, Any]], str]:
    """Read the text from standard input; return the exit status, the findings and what else was said."""
    command = [sys.executable, "-m", "doi_reading.command", "--check", "--format", "json", "-"]
    environment = {**os.environ, "DOIPORTAL_URL": url}
    done = subprocess.run(command, cwd=ROOT, env=environment, input=text, capture_output=True, text=True)
    return done.returncode, json.loads(done.stdout), done.stderr


def test_the_portal_says_which_dois_are_registered(gateway: Gateway, behind: Behind, name: str) -> None:
    odd = f"{name}/a,b#c?d<e>%f"
    for one in (name, odd):
        behind.agency(one, {"RA": "Crossref"})
    behind.agency(f"{name}/unknown", {"status": "Unknown"})
    behind.record(f"{name}/unknown", ("URL", "https://example.org/"))
    link = f"https://doi.org/{name}/a%2Cb%23c%3Fd%3Ce%3E%25f"
    status, found, said = check(gateway.url, f"{name} {link} {name}/unknown {name}/gone\n{name}/gone")
    assert (status, said) == (1, "")
    assert [(one["code"], one["doi"], one["line"]) for one in found] == [
        ("not-found", f"{name}/gone", 1), ("not-found", f"{name}/gone", 2),
    ]  # fmt: skip


def test_the_portal_says_what_is_registered_instead(gateway: Gateway, behind: Behind, name: str) -> None:
    behind.agency(name, {"RA": "Crossref"})
    status, found, said = check(gateway.url, f"https://doi.org/{name}/\n")
    assert (status, said) == (1, "")
    assert {(one["code"], one["suggestion"]) for one in found} == {("not-found", name), ("trailing-slash", name)}


def test_what_the_portal_cannot_ask_is_not_called_missing(gateway: Gateway, behind: Behind, name: str) -> None:
    behind.agency(name, {"RA": ""})
    status, found, said = check(gateway.url, f"{name}\n")
    assert (status, [one["code"] for one in found]) == (2, ["could-not-ask"])
    assert "1 DOI couldn't be checked" in said

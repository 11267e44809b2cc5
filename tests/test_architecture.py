"""The house stays as it was drawn: imports run downwards, the domain is pure, files are small."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOMAIN = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts) for path in ROOT.glob("resolver/domain/**/[!_]*.py")
)
OURS = [
    path
    for folder in ("doiportal", "resolver", "tests", "benchmarks", "translating", "templates", "static")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in {".py", ".html", ".css", ".js"} and "migrations" not in path.parts and ".min." not in path.name
]
LONGEST = 300
LONGEST_STYLESHEET = 400  # there is one, in marked parts: a page asks for a single file
VAGUE = {"utils", "util", "helpers", "helper", "common", "base", "misc", "tools"}
NAMED_BY_DJANGO = ROOT / "doiportal/postgresql/base.py"  # where it looks for the class of a database engine


def test_imports_run_downwards_only():
    command = [Path(sys.executable).with_name("lint-imports"), "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("module", DOMAIN)
def test_the_domain_runs_on_the_standard_library_alone(module: str):
    command = [sys.executable, "-S", "-W", "error", "-c", f"import {module}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_no_file_is_longer_than_it_should_be():
    lines = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in OURS}
    assert not {
        path: count
        for path, count in lines.items()
        if count > (LONGEST_STYLESHEET if path.endswith(".css") else LONGEST)
    }, "two nouns share a file"


def test_no_module_has_a_vague_name():
    vague = [path for path in OURS if path.stem in VAGUE and path.suffix == ".py"]
    assert vague == [NAMED_BY_DJANGO]


def test_the_stand_in_is_reached_by_address_only():
    """Production code never imports it: only the command that starts it does."""
    importing = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "resolver").rglob("*.py")
        if "resolver.standin" in path.read_text() and "standin" not in path.parts
    ]
    assert importing == ["resolver/management/commands/sampleproxy.py"]

"""The house stays as it was drawn: imports run downwards, the domain is pure, modules have names."""

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOMAIN = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for folder in ("doi_reading", "resolver/domain")
    for path in ROOT.glob(f"{folder}/**/[!_]*.py")
)
OURS = [
    path
    for folder in ("doi_reading", "doiportal", "resolver", "tests", "benchmarks", "translating")
    for path in (ROOT / folder).rglob("*.py")
]
VAGUE = {"utils", "util", "helpers", "helper", "common", "base", "misc", "tools"}
NAMED_BY_DJANGO = {
    ROOT / f"doiportal/{name}/base.py" for name in ("postgresql_socket_check", "sqlite_private_file")
}  # engines


def test_imports_run_downwards_only():
    command = [Path(sys.executable).with_name("lint-imports")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


# Each module is imported as the first of ours. One process does it, which compiles each pattern once.
IMPORT = """
import sys
for module in sys.argv[1:]:
    for name in [name for name in sys.modules if name.partition(".")[0] in ("resolver", "doi_reading")]:
        del sys.modules[name]
    __import__(module)
"""


def test_the_reading_and_the_domain_run_on_the_standard_library_alone():
    command = [sys.executable, "-S", "-W", "error", "-c", IMPORT, *DOMAIN]
    compiled_once = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    done = subprocess.run(command, cwd=ROOT, env=compiled_once, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_no_module_has_a_vague_name():
    vague = [path for path in OURS if path.stem in VAGUE]
    assert set(vague) == NAMED_BY_DJANGO


CLASS = re.compile(r"^[ \t]*class[ \t]+(\w+)", re.MULTILINE)  # to parse all files takes seconds of a processor
SAME_NAME = {"Command", "DatabaseWrapper", "Meta", "Migration"}  # as Django wants them


def test_a_class_name_stands_for_one_class():
    classes = Counter(name for path in OURS for name in CLASS.findall(path.read_text()))
    assert {name for name, count in classes.items() if count > 1} <= SAME_NAME


def test_the_stand_in_is_reached_by_address_only():
    """Production code never imports it: only the command that starts it does."""
    importing = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "resolver").rglob("*.py")
        if "resolver.standin" in path.read_text() and "standin" not in path.parts
    ]
    assert importing == ["resolver/management/commands/sampleproxy.py"]


@pytest.mark.xdist_group("grouped")
def test_tests_that_share_a_portal_run_in_one_process(request: pytest.FixtureRequest):
    """pytest-xdist tells of a group in the test's id. With a pytest that does not let it, each of its processes would
    start all portals and browsers, and nothing would say so."""
    assert ("@grouped" in request.node.nodeid) is ("PYTEST_XDIST_WORKER" in os.environ)


def test_no_process_compares_times_with_the_clock_of_its_own_machine():
    """`read_clock` is the database's: two machines may share the work."""
    ours = [path for path in (ROOT / "resolver").rglob("*.py") if "migrations" not in path.parts]
    assert [path for path in ours if "timezone.now" in path.read_text()] == []

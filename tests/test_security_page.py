"""docs/security.md names every requirement of ASVS 5.0.0, levels 1 and 2, once, and tests that exist."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from resolver.services.comparisons.compare import KEPT_BY_OWNER
from resolver.services.jobs.import_rows import LEAST_LIST_BYTES, ROW_BYTES
from resolver.services.uploads.daily_upload_bytes import MOST_UPLOADS
from resolver.services.uploads.reading_places import FOR_ONE_ADDRESS
from resolver.sheets.bounded_process.bounds import ProcessBounds
from tests.services.measured_space import DIFFERENCE

TESTS = Path(__file__).parent
PAGE = (TESTS.parent / "docs/security.md").read_text(encoding="utf-8")
REQUIREMENTS = re.findall(r"^\| V([\d.]+) \| ([12]) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", PAGE, re.MULTILINE)
STATES = ("kept", "not kept", "does not apply")
# Sections of the standard with the number of their requirements of levels 1 and 2, which come first in each.
SECTIONS = {
    "1.1": 2, "1.2": 9, "1.3": 11, "1.4": 3, "1.5": 2, "2.1": 3, "2.2": 3, "2.3": 4, "2.4": 1, "3.2": 2, "3.3": 4,
    "3.4": 6, "3.5": 5, "3.7": 2, "4.1": 3, "4.2": 1, "4.3": 2, "4.4": 4, "5.1": 1, "5.2": 3, "5.3": 2, "5.4": 3,
    "6.1": 3, "6.2": 12, "6.3": 4, "6.4": 4, "6.5": 5, "6.6": 3, "6.8": 4, "7.1": 3, "7.2": 4, "7.3": 2, "7.4": 5,
    "7.5": 2, "7.6": 2, "8.1": 2, "8.2": 3, "8.3": 1, "8.4": 1, "9.1": 3, "9.2": 4, "10.1": 2, "10.2": 2, "10.3": 4,
    "10.4": 11, "10.5": 5, "10.6": 2, "10.7": 3, "11.1": 2, "11.2": 3, "11.3": 3, "11.4": 4, "11.5": 1, "11.6": 1,
    "12.1": 3, "12.2": 2, "12.3": 4, "13.1": 1, "13.2": 5, "13.3": 2, "13.4": 5, "14.1": 2, "14.2": 4, "14.3": 3,
    "15.1": 3, "15.2": 3, "15.3": 7, "16.1": 1, "16.2": 5, "16.3": 4, "16.4": 3, "16.5": 3, "17.1": 1, "17.2": 4,
    "17.3": 2,
}  # fmt: skip


def test_every_requirement_stands_there_once_and_in_order() -> None:
    numbers = [f"{section}.{number}" for section, count in SECTIONS.items() for number in range(1, count + 1)]
    assert [number for number, *_ in REQUIREMENTS] == numbers
    assert len(re.findall(r"^\| V", PAGE, re.MULTILINE)) == len(numbers)


def test_every_requirement_has_a_state_and_a_reason_or_a_test() -> None:
    assert not [number for number, _, short, state, why in REQUIREMENTS if state not in STATES or not (short and why)]
    counts = [sum(state == one for *_, state, _ in REQUIREMENTS) for one in STATES]
    said = "Of {} requirements {} are kept, {} are not, and {} don't apply.".format(len(REQUIREMENTS), *counts)
    assert said in PAGE


@pytest.mark.parametrize("named", sorted(set(re.findall(r"`([\w/]+\.py::\w+)`", PAGE))))
def test_every_test_that_is_named_exists(named: str) -> None:
    path, _, name = named.partition("::")
    tree = ast.parse((TESTS / path).read_text(encoding="utf-8"))
    assert name.startswith("test_")
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    assert name in {node.name for node in functions}


def test_the_largest_use_of_the_disk_is_that_of_the_default_settings(settings: Any) -> None:
    most = settings.BYTES_PER_DAY
    texts = max(settings.STORED_FACTOR * most, MOST_UPLOADS * LEAST_LIST_BYTES)
    differences = KEPT_BY_OWNER * DIFFERENCE * texts / ROW_BYTES
    told = dict(
        re.findall(
            r"^\| (uploaded files|lists|texts and rows[^|]*|differences[^|]*|all of these) \| ([^|]+) \|",
            PAGE,
            re.MULTILINE,
        )
    )
    assert told == {
        "uploaded files": f"{most / 1e9:g} GB",
        "lists": f"{MOST_UPLOADS:,}",
        "texts and rows of lists in the database": f"{texts / 1e9:g} GB",
        "differences between lists": f"{differences / 1e9:.0f} GB",
        "all of these": f"{(most + texts + differences) / 1e9:.0f} GB",
    }
    assert f"A row counts as {ROW_BYTES} bytes" in PAGE
    assert f"at most {texts / ROW_BYTES / 1e6:.0f} million rows" in PAGE
    assert f"`DISK_RESERVE` ({settings.DISK_RESERVE / 1e9:g} GB)" in PAGE


def test_the_largest_use_of_memory_and_processor_is_that_of_the_places_of_an_address() -> None:
    rows = r"^\| (memory|processor) \| (\d+ (?:GiB|hours))"
    assert dict(re.findall(rows, PAGE, re.MULTILINE)) == {
        "memory": f"{FOR_ONE_ADDRESS * ProcessBounds().memory / (1 << 30):g} GiB",
        "processor": f"{FOR_ONE_ADDRESS} hours",
    }


def test_whatever_looks_like_a_test_is_found_by_this_one() -> None:
    assert len(re.findall(r"::", PAGE)) == len(re.findall(r"`[\w/]+\.py::\w+`", PAGE))

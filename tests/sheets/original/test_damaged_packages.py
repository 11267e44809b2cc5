"""Damaged workbooks: a valid one comes back, the same file, or a refusal; never another error.

    PROPERTY_EXAMPLES=20000 .venv/bin/python -m pytest tests/sheets/original/test_damaged_packages.py

tries more of them; a try takes about ten milliseconds.
"""

import random
from pathlib import Path

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from tests.doi_reading.strategies import PROPERTY
from tests.sheets.original.checked_package import try_package
from tests.sheets.original.damaged_packages import Seed, build_seeds, damage_package


@pytest.mark.usefixtures("any_cell")
@pytest.mark.parametrize("append", [False, True])
@pytest.mark.parametrize("kind", ["xlsx", "ods"])
def test_of_a_damaged_workbook_a_valid_one_comes_back_or_a_refusal(tmp_path: Path, kind: str, append: bool) -> None:
    seeds = build_seeds(kind, tmp_path / "seed")
    ends = set()

    @PROPERTY
    @given(st.sampled_from(seeds), st.randoms(use_true_random=True))
    def try_one(seed: Seed, dice: random.Random) -> None:
        damaged = damage_package(seed.content, dice)
        end = try_package(tmp_path / "damaged", damaged, seed.layout, seed.edits, append=append)
        event(end)
        ends.add(end)

    try_one()
    assert ends >= {"refused", "written"}

"""The parts of `make bench`."""

from importlib import import_module

import pytest

from benchmarks.__main__ import PARTS, BenchmarkPart


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.module)
def test_every_part_can_be_loaded_and_says_what_it_measures(part: BenchmarkPart):
    assert callable(import_module(f"benchmarks.{part.module}").measure)
    assert part.about.endswith((".", ":", "`"))

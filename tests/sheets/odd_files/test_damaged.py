"""Damaged files: each is read, or refused with a reason, in bounded memory.

    PROPERTY_EXAMPLES=20000 .venv/bin/python -m pytest tests/sheets/odd_files/test_damaged.py

tries more of them than `make test-all` does.
"""

import random
import resource
import tempfile
from functools import cache
from pathlib import Path

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from resolver.sheets.errors import UnreadableFile
from resolver.sheets.input.layout import Layout
from resolver.sheets.input.layout_detection import detect_layout_from_start, detect_table_layout
from tests.doi_reading.strategies import PROPERTY
from tests.sheets.odd_files.damage import damage, files
from tests.sheets.reader import comes_from_itself, read_table

MOST_KILOBYTES = 100_000  # of memory more than before
MOST_ROWS = 100_000  # a damaged number may say that a row is repeated a million times


@cache
def workbooks() -> tuple[tuple[bytes, bool], ...]:
    return tuple(file for file in files() if file[1])


@cache
def others() -> tuple[tuple[bytes, bool], ...]:
    return tuple(file for file in files() if not file[1])


def read_all(path: Path) -> None:
    """Both ways of detection, and each row. Raises UnreadableFile, or AssertionError for a row of the wrong width."""
    for find in (detect_layout_from_start, detect_table_layout):
        layout = Layout.from_json(find(path, max_rows=MOST_ROWS).to_json())
        for row in read_table(path, layout, max_rows=MOST_ROWS):
            assert len(row) >= layout.width
            assert all(isinstance(cell, str) for cell in row)


def refusal(content: bytes) -> UnreadableFile | None:
    """None for a file that is read."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(content)
        file.flush()
        try:
            read_all(Path(file.name))
        except UnreadableFile as error:
            return error
    return None


@pytest.mark.slow
@PROPERTY
@given(st.deferred(lambda: st.sampled_from(workbooks()) | st.sampled_from(others())), st.randoms(use_true_random=True))
def test_a_damaged_file_is_read_or_refused_in_bounded_memory(file: tuple[bytes, bool], chance: random.Random) -> None:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    refused = refusal(damage(*file, chance))
    event("read" if refused is None else refused.reason[:40])
    assert refused is None or (refused.reason and not comes_from_itself(refused))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak < MOST_KILOBYTES

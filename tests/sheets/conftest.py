from pathlib import Path

import pytest

from tests.sheets.reader import Reader


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    return Reader(tmp_path)

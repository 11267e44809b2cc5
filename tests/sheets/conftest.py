from pathlib import Path

import pytest

from tests.sheets.reader import SheetReader


@pytest.fixture
def reader(tmp_path: Path) -> SheetReader:
    return SheetReader(tmp_path)

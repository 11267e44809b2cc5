from pathlib import Path

import pytest

from tests.sheets.original.written_ods import OdsRewriter


@pytest.fixture
def rewriter(tmp_path: Path) -> OdsRewriter:
    return OdsRewriter(tmp_path)

from pathlib import Path

import pytest

from resolver.sheets.bibliographic import remainder
from tests.sheets.original.written_ods import OdsRewriter


@pytest.fixture
def rewriter(tmp_path: Path) -> OdsRewriter:
    return OdsRewriter(tmp_path)


@pytest.fixture
def any_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any cell may be replaced: those of other people's workbooks hold words, numbers and dates. Which cells a decision
    replaces has tests of its own."""
    monkeypatch.setattr(remainder, "_is_replaceable", lambda text, name: True)

"""Reading a file given as bytes or text, as the tests say it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from resolver.sheets.errors import UnreadableFile
from resolver.sheets.input.layout import Layout
from resolver.sheets.input.layout_detection import detect_layout_from_start, detect_table_layout
from resolver.sheets.input.table import read_numbered_table


def read_table(path: Path | str, layout: Layout, **bounds: int) -> Iterator[list[str]]:
    """The data rows of the file, without their numbers."""
    return (cells for _, cells in read_numbered_table(path, layout, **bounds))


class SheetReader:
    """Writes the content to a file and reads it: `layout`, `read_table`, `dois` of the last one."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "upload"
        self.layout: Layout
        self.rows: list[list[str]]

    def __call__(self, content: bytes | str, column: str | None = None, **bounds: int) -> "SheetReader":
        self.path.with_name("upload.rows").unlink(missing_ok=True)  # made of an earlier one
        self.path.write_bytes(content if isinstance(content, bytes) else content.encode())
        self.layout = detect_table_layout(self.path, column, **bounds)
        self.rows = list(read_table(self.path, Layout.from_json(self.layout.to_json()), **bounds))
        seen = detect_layout_from_start(self.path, column, **bounds)
        assert not seen.complete or seen == self.layout
        assert len(self.rows) == self.layout.total
        assert all(len(row) == self.layout.width for row in self.rows)
        return self

    @property
    def dois(self) -> list[str]:
        return [self.layout.get_cell(row) for row in self.rows]

    def refused(self, content: bytes | str, column: str | None = None, **bounds: int) -> UnreadableFile:
        with pytest.raises(UnreadableFile) as caught:
            self(content, column, **bounds)
        assert not comes_from_itself(caught.value)
        return caught.value


def comes_from_itself(error: BaseException | None) -> bool:
    """Whether who walks from the error to what it came from would never come to an end."""
    seen: list[BaseException] = []
    while error is not None:
        if any(error is one for one in seen):
            return True
        seen.append(error)
        error = error.__cause__ or error.__context__
    return False

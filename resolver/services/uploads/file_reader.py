"""Readers of the beginning of a file: a process with bounds in one of a few places, or the shell's own process."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from resolver.services.logins.attempts import get_client_address, get_network, hide
from resolver.services.uploads.reading_places import take_reading_place
from resolver.services.uploads.stored_uploads import get_reading_bounds
from resolver.sheets.input.layout import Layout
from resolver.sheets.input.layout_choices import LayoutChoices
from resolver.sheets.input.layout_detection import detect_layout_from_start
from resolver.sheets.input.preview import (
    detect_layout_bounded,
    preview_rows,
    preview_rows_bounded,
    preview_sheet_names,
    preview_sheet_names_bounded,
)


@dataclass(frozen=True, slots=True)
class FileReader:
    """Reads the beginning of files. `address`: a digest of the address of a caller without an account, who gets a part
    of the places. Every method raises UnreadableFile, FileNotFoundError, and NoReadingPlace if no place is free."""

    address: str = ""

    def detect_layout(self, path: Path, column: str | None, choices: LayoutChoices) -> Layout:
        """Return the layout of the file from its beginning (`detect_layout_from_start`)."""
        with take_reading_place(self.address):
            return detect_layout_bounded(path, column, choices, **get_reading_bounds())

    def list_sheets(self, path: Path) -> list[str]:
        """Return the names of the visible sheets of a workbook, none of a text."""
        with take_reading_place(self.address):
            return preview_sheet_names_bounded(path, **get_reading_bounds())

    def list_first_rows(self, path: Path, layout: Layout, count: int) -> list[tuple[int, list[str]]]:
        """Return the first `count` rows by a layout of `detect_layout`, with their numbers."""
        with take_reading_place(self.address):
            return preview_rows_bounded(path, layout, count, **get_reading_bounds())


class ShellReader(FileReader):
    """Reads the files in this process: the person at the shell reads their own files."""

    def detect_layout(self, path: Path, column: str | None, choices: LayoutChoices) -> Layout:
        return detect_layout_from_start(path, column, choices=choices, **get_reading_bounds())

    def list_sheets(self, path: Path) -> list[str]:
        return preview_sheet_names(path, **get_reading_bounds())

    def list_first_rows(self, path: Path, layout: Layout, count: int) -> list[tuple[int, list[str]]]:
        return preview_rows(path, layout, count, **get_reading_bounds())


PORTAL_READER = FileReader()


def build_file_reader(request: Any) -> FileReader:
    """Return the reader for what a request uploads."""
    if request.user.is_authenticated:
        return FileReader()
    return FileReader(hide(get_network(get_client_address(request))))

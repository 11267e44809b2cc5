"""What a person has chosen goes before what would be found, and later readings go by it."""

import io
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from resolver.sheets.errors import NeedsChoice, UnreadableFile
from resolver.sheets.input.layout import Layout
from resolver.sheets.input.layout_choices import LayoutChoices
from resolver.sheets.input.layout_detection import LOOK_BYTES, detect_layout_from_start
from resolver.sheets.input.preview import preview_rows, preview_sheet_names
from resolver.sheets.input.text.text_encoding import ENCODINGS
from tests.sheets.made_workbooks import ods, ods_row
from tests.sheets.reader import read_table


class Chosen:
    """A file read by choices: its layout after a way through JSON, and its rows."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "upload"

    def __call__(self, content: bytes | str, **choices: Any) -> tuple[Layout, list[list[str]]]:
        self.path.write_bytes(content if isinstance(content, bytes) else content.encode())
        layout = Layout.from_json(detect_layout_from_start(self.path, choices=LayoutChoices(**choices)).to_json())
        assert preview_rows(self.path, layout, 1)[0][1] == next(read_table(self.path, layout))
        return layout, list(read_table(self.path, layout))

    def refused(self, content: bytes | str, **choices: Any) -> UnreadableFile:
        with pytest.raises(NeedsChoice) as caught:
            self(content, **choices)
        return caught.value


@pytest.fixture
def chosen(tmp_path: Path) -> Chosen:
    return Chosen(tmp_path)


def test_the_separator(chosen: Chosen):
    text = "10.1000/a;1,5\n10.1000/b;2,5\n"
    assert chosen(text)[1] == [["10.1000/a", "1,5"], ["10.1000/b", "2,5"]]
    assert chosen(text, delimiter=",")[1] == [["10.1000/a;1", "5"], ["10.1000/b;2", "5"]]
    assert chosen(text, delimiter="")[1] == [["10.1000/a;1,5"], ["10.1000/b;2,5"]]


def test_the_header_row(chosen: Chosen):
    text = "DOI\n10.1000/a\n"
    layout, found = chosen(text, has_header=False)
    assert (layout.header, layout.total, found) == (("column 1",), 2, [["DOI"], ["10.1000/a"]])
    layout, found = chosen("10.1000/a\n10.1000/b\n", has_header=True)
    assert (layout.header, layout.total, found) == (("10.1000/a",), 1, [["10.1000/b"]])


def test_a_header_alone_may_be_a_row(chosen: Chosen):
    assert "only a header row" in chosen.refused("doi,t\n").reason
    assert chosen("doi,t\n", has_header=False)[1] == [["doi", "t"]]


def test_the_column_even_where_none_seems_to_hold_dois(chosen: Chosen):
    assert "No column seems to contain DOIs" in chosen.refused("a,b\nx,y\n").reason
    layout, _ = chosen("a,b\nx,y\n", column=1)
    assert (layout.column, layout.column_name, layout.has_header) == (1, "b", True)
    assert chosen("id,doi\n1,10.1000/a\n", column=0)[0].column_name == "id"
    assert "there is no column 3. Choose one from 1 to 2." in chosen.refused("a,b\nx,y\n", column=2).reason


@pytest.mark.parametrize(
    ("encoding", "codec"),
    [*((name, name) for name in ENCODINGS), ("utf-8", "utf-8-sig"), ("utf-16", "utf-16-le"), ("utf-16", "utf-16-be")],
)
def test_the_encoding(chosen: Chosen, encoding: str, codec: str):
    letters = next(one for one in ("Müller", "Жук", "Αβγ", "אבג", "مجلة", "มหา", "論文", "한국") if _fits(one, codec))
    assert chosen(f"t,doi\n{letters},10.1000/a\n".encode(codec), encoding=encoding)[1] == [[letters, "10.1000/a"]]


def _fits(letters: str, codec: str) -> bool:
    return letters.encode(codec, "ignore").decode(codec) == letters


def test_an_encoding_that_does_not_fit_is_told_with_the_line(chosen: Chosen):
    error = chosen.refused("t,doi\nx,10.1000/a\nü,10.1000/b\n".encode("cp1252"), encoding="utf-8")
    assert (error.line, "isn't valid UTF-8" in error.reason) == (3, True)
    assert "Choose another encoding" in chosen.refused("doi\n10.1000/a\n", encoding="utf-16").reason


def test_a_long_file_is_read_to_its_end_by_the_chosen_encoding(chosen: Chosen):
    filler = f"10.1000/a,{'x' * 500_000}\n" * (LOOK_BYTES // 500_000 + 1)
    content = f"doi,t\n{filler}10.1000/b,Ł\n".encode("cp1250")
    layout, found = chosen(content, encoding="cp1250")
    assert (layout.complete, found[-1]) == (False, ["10.1000/b", "Ł"])


def _workbook() -> bytes:
    book = openpyxl.Workbook()
    book.active.append(["10.1000/first"])
    book.create_sheet("Hidden").sheet_state = "hidden"
    book.create_sheet("Second").append(["10.1000/second"])
    book.create_sheet("Empty")
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def _opendocument() -> bytes:
    table = '<table:table table:name="{}">{}</table:table>'.format
    after = table("Second", ods_row("10.1000/second")) + table("Empty", "")
    return ods(ods_row("10.1000/first"), after=after)


@pytest.mark.parametrize(("content", "first"), [(_workbook(), "Sheet"), (_opendocument(), "One")], ids=["xlsx", "ods"])
def test_the_sheet(chosen: Chosen, content: bytes, first: str):
    layout, found = chosen(content)
    assert (found, layout.sheet) == ([["10.1000/first"]], first)
    assert preview_sheet_names(chosen.path) == [first, "Second", "Empty"]
    layout, found = chosen(content, sheet=1)
    assert (found, layout.sheet) == ([["10.1000/second"]], "Second")
    assert "This sheet has no rows" in chosen.refused(content, sheet=2).reason
    assert "have this sheet" in chosen.refused(content, sheet=3).reason


def test_the_first_rows_are_no_more_than_were_asked_for(chosen: Chosen):
    layout, found = chosen("doi\n" + "10.1000/a\n\n" * 50)
    assert [row or [""] for _, row in preview_rows(chosen.path, layout, 7)] == found[:7]

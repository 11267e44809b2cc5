"""How a program says how a file is read: the same choices as on the page, by words, and clear errors."""

from pathlib import Path

import pytest

from resolver.sheets.errors import NeedsChoice
from resolver.sheets.input.layout import Layout
from resolver.sheets.input.layout_choices import LAST_HEADER_ROW, NO_OPTIONS, LayoutOptions
from resolver.sheets.input.layout_detection import detect_layout_from_start, detect_table_layout
from resolver.sheets.input.preview import preview_sheet_names
from resolver.sheets.input.text.text_encoding import ENCODINGS
from tests.sheets.made_workbooks import ods, ods_row, xlsx
from tests.sheets.reader import read_table

TITLED = "Report, spring;\n\nid;DOI\n1;10.1000/a,b\n2;10.1000/c\n"


class Asked:
    """A file read by options: its layout after a way through JSON, and its rows."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "upload"

    def __call__(self, content: bytes | str, column: str | None = None, **said: str) -> tuple[Layout, list[list[str]]]:
        self.path.write_bytes(content if isinstance(content, bytes) else content.encode())
        choices = LayoutOptions.of(said).build_choices(preview_sheet_names(self.path))
        layout = Layout.from_json(detect_layout_from_start(self.path, column, choices=choices).to_json())
        assert detect_table_layout(self.path, column, choices=choices) == layout
        return layout, list(read_table(self.path, layout))

    def refused(self, content: bytes | str, **said: str) -> NeedsChoice:
        with pytest.raises(NeedsChoice) as caught:
            self(content, **said)
        return caught.value


@pytest.fixture
def asked(tmp_path: Path) -> Asked:
    return Asked(tmp_path)


def test_the_rows_above_the_header_row_are_left_out(asked: Asked):
    layout, found = asked(TITLED, header_row="3")
    assert (layout.header, layout.column_name, layout.total) == (("id", "DOI"), "DOI", 2)
    assert found == [["1", "10.1000/a,b"], ["2", "10.1000/c"]]


def test_without_a_header_row_every_row_is_one(asked: Asked):
    layout, found = asked("doi,t\n10.1000/a,x\n", header_row="0")
    assert (layout.header, found) == (("column 1", "column 2"), [["doi", "t"], ["10.1000/a", "x"]])


def test_the_first_row_may_be_said_to_be_the_header(asked: Asked):
    assert asked("10.1000/a\n10.1000/b\n", header_row="1")[0].header == ("10.1000/a",)


def test_rows_of_a_text_are_counted_as_a_spreadsheet_counts_them(asked: Asked):
    text = 'sep=;\n"a title\nin two lines";\n\nDOI;t\n10.1000/a;x\n'
    assert asked(text, header_row="3")[1] == [["10.1000/a", "x"]]


@pytest.mark.parametrize("kind", ["xlsx", "ods"])
def test_rows_of_a_workbook_have_their_own_numbers(asked: Asked, kind: str):
    cell = '<c t="inlineStr"><is><t>{}</t></is></c>'.format
    sheet = f'<row r="2">{cell("A title")}</row><row r="7">{cell("DOI")}</row><row r="9">{cell("10.1000/a")}</row>'
    content = xlsx(sheet) if kind == "xlsx" else ods(
        ods_row("") + ods_row("A title") + ods_row("", times=4) + ods_row("DOI") + ods_row("") + ods_row("10.1000/a")
    )  # fmt: skip
    layout, found = asked(content, header_row="7")
    assert (layout.header, found) == (("DOI",), [[""], ["10.1000/a"]])
    assert asked.refused(content, header_row="4").reason.startswith("Row 4 has no text")


def test_a_header_row_behind_the_end_is_told(asked: Asked):
    error = asked.refused(TITLED, header_row="900")
    assert (error.about, error.reason) == (
        "header_row",
        "Row 900 has no text, so it can't contain the column names. Choose another row.",
    )


def test_the_column_is_named_by_the_row_that_was_said(asked: Asked):
    assert asked("t,\nid,DOI,other\n1,x,10.1000/a\n", "other", header_row="2")[0].column_name == "other"


@pytest.mark.parametrize(
    ("said", "codec"),
    [*((name, name) for name in ENCODINGS), ("UTF8", "utf-8"), ("Windows-1252", "cp1252"), ("windows 1250", "cp1250"),
     ("ISO-8859-15", "iso8859-15"), ("Shift_JIS", "shift_jis"), ("", "")],
)  # fmt: skip
def test_an_encoding_has_the_names_that_people_write(said: str, codec: str):
    assert LayoutOptions.of({"encoding": said}).encoding == codec


@pytest.mark.parametrize(
    ("said", "sign"),
    [(",", ","), (";", ";"), ("\t", "\t"), ("|", "|"), ("comma", ","), ("Semicolon", ";"), ("tab", "\t"), ("bar", "|"),
     ("none", ""), ("", None)],
)  # fmt: skip
def test_a_separator_is_said_by_itself_or_by_name(said: str, sign: str | None):
    assert LayoutOptions.of({"delimiter": said}).build_choices([]).delimiter == sign


def test_the_same_said_in_two_ways_is_the_same():
    assert LayoutOptions.of({"delimiter": "tab", "encoding": "UTF-8", "header_row": "03"}) == LayoutOptions.of(
        {"delimiter": "\t", "encoding": "utf8", "header_row": " 3"}
    )
    assert LayoutOptions.of({}) == NO_OPTIONS == LayoutOptions.of({"sheet": None, "delimiter": ""})


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("encoding", "klingon", "Choose one of these: utf-8, utf-16, utf-32, cp1252"),
        ("encoding", "zlib", "Choose one of these"),
        ("delimiter", ":", "comma, semicolon, tab, bar, none"),
        ("delimiter", " ", "comma, semicolon"),
        ("header_row", "x", "a row number from 0"),
        ("header_row", "-1", "a row number from 0"),
        ("header_row", "1.5", "a row number from 0"),
        ("header_row", "²", "a row number from 0"),
        ("header_row", str(LAST_HEADER_ROW + 1), "0 to 1,000"),
        ("header_row", "9" * 5000, "0 to 1,000"),
    ],
)
def test_a_value_that_none_is_read_by_is_refused_with_those_there_are(name: str, value: str, told: str):
    with pytest.raises(NeedsChoice) as caught:
        LayoutOptions.of({name: value})
    assert (caught.value.about, told in caught.value.reason) == (name, True)


def _book() -> bytes:
    table = '<table:table table:name="{}">{}</table:table>'.format
    after = table("Second", ods_row("10.1000/second")) + table("1", ods_row("10.1000/third"))
    return ods(ods_row("10.1000/first"), after=after)


@pytest.mark.parametrize(
    ("said", "doi"),
    [("One", "first"), ("Second", "second"), (" second", "second"), ("2", "second"), ("1", "third"), ("3", "third")],
)
def test_a_sheet_is_said_by_its_name_and_else_by_its_number(asked: Asked, said: str, doi: str):
    assert asked(_book(), sheet=said)[1] == [[f"10.1000/{doi}"]]


@pytest.mark.parametrize("said", ["Third", "0", "4", "99999999999", "²"])
def test_a_sheet_that_is_not_there_is_told_with_those_that_are(asked: Asked, said: str):
    error = asked.refused(_book(), sheet=said)
    assert (error.about, "Choose one of these: “One”, “Second”, “1”." in error.reason) == ("sheet", True)


def test_what_does_not_apply_to_the_kind_of_file_is_no_option(asked: Asked):
    assert "isn't a workbook" in asked.refused("doi\n10.1000/a\n", sheet="One").reason
    for name, value in (("encoding", "utf-8"), ("delimiter", ",")):
        error = asked.refused(_book(), **{name: value})
        assert (error.about, "only for text files" in error.reason) == (name, True)

"""A text table comes back with the accepted cells changed, and every other byte as it was."""

import tracemalloc
from collections.abc import Sequence
from pathlib import Path

import pytest

from resolver.sheets.input.layout import Layout
from resolver.sheets.input.layout_choices import LayoutChoices
from resolver.sheets.input.layout_detection import detect_table_layout
from resolver.sheets.input.text.gzip import make_opener
from resolver.sheets.left_out import LeftOut
from resolver.sheets.original.cell_edits import RowEdit
from resolver.sheets.original.text.text_table import rewrite_text_table

MAX_EXPANDED = 1 << 30
NAMES = ("corrected_doi", "correction")


class Rewriter:
    """Writes a file, detects its layout, and makes the edits: `left` has what could not be written."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "upload"
        self.left: list[LeftOut] = []

    def __call__(
        self, content: bytes | str, edits: Sequence[RowEdit], header: tuple[str, str] | None = None, **chosen: object
    ) -> bytes:
        self.path.write_bytes(content if isinstance(content, bytes) else content.encode())
        choices = LayoutChoices(**chosen)  # type: ignore[arg-type]  # as the test says them
        return self.rewrite(detect_table_layout(self.path, choices=choices), edits, header)

    def rewrite(self, layout: Layout, edits: Sequence[RowEdit], header: tuple[str, str] | None = None) -> bytes:
        opened = make_opener(self.path, layout.gzipped, MAX_EXPANDED)
        return b"".join(rewrite_text_table(opened, layout, iter(edits), self.left.append, header))


@pytest.fixture
def rewrite(tmp_path: Path) -> Rewriter:
    return Rewriter(tmp_path)


def edit(row: int, name: str = "10.1000/new", *more: str) -> RowEdit:
    """The edit of a row; without a name only its appended cells."""
    return RowEdit(row, (("", name),) if name else (), (more[0], more[1]) if more else None)


@pytest.mark.parametrize(
    ("content", "row", "expected"),
    [
        # quoting as it was
        ('doi,title\r\n10.1000/a,"x ""y"""\r\n', 2, 'doi,title\r\n10.1000/new,"x ""y"""\r\n'),
        ('"doi","title"\n"10.1000/a","x"\n', 2, '"doi","title"\n"10.1000/new","x"\n'),
        ('doi;title\n10.1000/a;"x;y"\n10.1000/b;', 3, 'doi;title\n10.1000/a;"x;y"\n10.1000/new;'),
        ("title|doi\nx|10.1000/a\ny|10.1000/b", 3, "title|doi\nx|10.1000/a\ny|10.1000/new"),
        ("doi\ttitle\n10.1000/a\tx\n10.1000/b\ty\n", 2, "doi\ttitle\n10.1000/new\tx\n10.1000/b\ty\n"),
        # mixed line ends, old Mac's, and doubled ones
        ("doi,x\r\n10.1000/a,1\n10.1000/b,2\r\n", 2, "doi,x\r\n10.1000/new,1\n10.1000/b,2\r\n"),
        ("doi,x\r10.1000/a,1\r10.1000/b,2\r", 3, "doi,x\r10.1000/a,1\r10.1000/new,2\r"),
        ('doi,x\r\r\n10.1000/a,"1\r\r\n2"\r\r\n', 2, 'doi,x\r\r\n10.1000/new,"1\r\r\n2"\r\r\n'),
        # a plain list, with and without a line end
        ("10.1000/a\n10.1000/b", 2, "10.1000/a\n10.1000/new"),
        ("10.1000/a\n10.1000/b\n", 1, "10.1000/new\n10.1000/b\n"),
        # titles, empty rows and a line for Excel
        ("Report,\n\ndoi,title\n10.1000/a,x\n", 4, "Report,\n\ndoi,title\n10.1000/new,x\n"),
        ("sep=;\r\ndoi;x\r\n10.1000/a;1\r\n", 2, "sep=;\r\ndoi;x\r\n10.1000/new;1\r\n"),
        ("doi,x\n10.1000/a,1\n\n10.1000/b,2\n", 4, "doi,x\n10.1000/a,1\n\n10.1000/new,2\n"),
        # quoted line ends: a spreadsheet counts rows
        ('doi,x\n10.1000/a,"1\n\n2"\n10.1000/b,3\n', 3, 'doi,x\n10.1000/a,"1\n\n2"\n10.1000/new,3\n'),
        ('doi,x\n"10.1000/a\n",1\n10.1000/b,3\n', 2, 'doi,x\n"10.1000/new",1\n10.1000/b,3\n'),
        # short rows
        ("title,doi\nx,10.1000/a\ny\n", 3, "title,doi\nx,10.1000/a\ny,10.1000/new\n"),
        ("x,y,doi\n1,2,10.1000/a\n\n3,4,10.1000/b\n", 3, "x,y,doi\n1,2,10.1000/a\n,,10.1000/new\n3,4,10.1000/b\n"),
        # the end of a file in DOS
        ("doi,x\r\n10.1000/a,1\r\n\x1a", 2, "doi,x\r\n10.1000/new,1\r\n\x1a"),
        ("x,doi\r\n1,10.1000/a\x1a", 2, "x,doi\r\n1,10.1000/new\x1a"),
    ],
)
def test_only_the_bytes_of_the_cell_change(rewrite: Rewriter, content: str, row: int, expected: str):
    assert rewrite(content, [edit(row)]) == expected.encode()
    assert rewrite.left == []


@pytest.mark.parametrize(
    ("encoding", "chosen", "title"),
    [
        ("utf-8", None, "é – 東 𝒳"),
        ("utf-8-sig", None, "é"),
        ("utf-16", None, "é 𝒳"),
        ("utf-16-be", None, "é 𝒳"),
        ("utf-32", None, "é 𝒳"),
        ("cp1252", None, "é – ü"),
        ("cp932", "cp932", "ソ表能十予|貼"),
        ("gb18030", "gb18030", "的研究𝒳€"),
        ("big5", "big5", "功許蓋"),
        ("iso2022_jp", "iso2022_jp", "表能"),
        ("koi8-r", "koi8-r", "Название"),
    ],
)
def test_characters_of_several_bytes_are_copied(rewrite: Rewriter, encoding: str, chosen: str | None, title: str):
    rows = f"{title},doi,{title}\r\n{title},10.1000/a,{title}\r\n{title},see {title[0]} 10.1000/b!,{title}\r\n"
    content = rows.encode(encoding)
    expected = rows.replace("10.1000/a", "10.1000/new").replace("10.1000/b", "10.1000/c").encode(encoding)
    if encoding == "utf-16":
        content, expected = (
            b"\xfe\xff" + rows.encode("utf-16-be"),
            b"\xfe\xff" + expected.decode("utf-16").encode("utf-16-be"),
        )
    delimiter = {"delimiter": ","}
    choices = delimiter | ({"encoding": chosen} if chosen else {})
    assert rewrite(content, [edit(2), edit(3, "10.1000/c")], **choices) == expected


def test_bytes_that_an_encoder_would_write_differently_stay(rewrite: Rewriter):
    twice = b"\x87\x90"  # a sign that Windows-31J has twice: it is written as 81 E0
    assert twice.decode("cp932").encode("cp932") != twice
    content = b"x,doi\r\n" + twice + b",10.1000/a\r\n"
    assert rewrite(content, [edit(2)], encoding="cp932") == content.replace(b"/a", b"/new")


def test_columns_stand_behind_a_cell_in_an_encoding_that_shifts(rewrite: Rewriter):
    content = "doi,title\r\n10.1000/abc,表題\r\n".encode("iso2022_jp")
    new = rewrite(content, [edit(2, "", "10.1000/abc", "x")], NAMES, encoding="iso2022_jp", delimiter=",")
    assert new == "doi,title,corrected_doi,correction\r\n10.1000/abc,表題,10.1000/abc,x\r\n".encode("iso2022_jp")
    assert rewrite.left == []


def test_a_row_in_bytes_that_shift_needlessly_is_left_out(rewrite: Rewriter):
    content = "doi,title\r\n10.1000/abc,表題".encode("iso2022_jp") + b"\x1b(J\x1b(B\r\n"
    new = rewrite(content, [edit(2, "", "10.1000/abc", "x")], NAMES, encoding="iso2022_jp", delimiter=",")
    assert new == content.replace(b"title", b"title,corrected_doi,correction")
    assert [left.number for left in rewrite.left] == [2]


def test_a_name_that_needs_quotation_marks_gets_them(rewrite: Rewriter):
    assert rewrite("doi,x\n10.1000/a,1\n", [edit(2, "10.1000/a,b")]) == b'doi,x\n"10.1000/a,b",1\n'


def test_no_quoting_is_invented(rewrite: Rewriter):
    content = 'title\tdoi\n"A" to Z\t10.1000/a and 10.1000/b\n'
    rewrite.path.write_text(content)
    layout = Layout("csv", "utf-8", "\t", False, True, ("title", "doi"), 1, 1, first_row=1)
    edits = [RowEdit(2, (("", "10.1000/c"),), ("x\ty", "z"))]
    assert rewrite.rewrite(layout, edits, NAMES) == b"title\tdoi\tcorrected_doi\tcorrection\n" + content.encode()[10:]
    assert [left.number for left in rewrite.left] == [2]


@pytest.mark.parametrize(
    ("content", "edits", "expected"),
    [
        (
            "Report\ndoi,x,y\n10.1000/a,1,2\n10.1000/b\nSource: us\n",
            [edit(3, "10.1000/c", "10.1000/c", "accepted"), edit(4, "", "", "no-doi"), edit(5, "", "", "")],
            "Report\ndoi,x,y,corrected_doi,correction\n10.1000/c,1,2,10.1000/c,accepted\n10.1000/b,,,,no-doi\n"
            "Source: us,,,,\n",
        ),
        (
            '"doi";"x"\r\n"10.1000/a";"1"\r\n10.1000/b;2',
            [edit(2, "", "10.1000/a", "x"), edit(3, "", "10.1000/b;c", "x")],
            '"doi";"x";"corrected_doi";"correction"\r\n"10.1000/a";"1";"10.1000/a";"x"\r\n10.1000/b;2;"10.1000/b;c";x',
        ),
        (
            "10.1000/a\n10.1000/b",
            [edit(1, "10.1000/c", "10.1000/c", "accepted"), edit(2, "", "10.1000/b", "unchanged")],
            "10.1000/c\t10.1000/c\taccepted\n10.1000/b\t10.1000/b\tunchanged",
        ),
        (
            "doi;x;y\n10.1000/a,1,2\n10.1000/b,3,4\n",
            [edit(2, "", "a", "b"), edit(3, "", "c", "d")],
            "doi;x;y;corrected_doi;correction\n10.1000/a,1,2,a,b\n10.1000/b,3,4,c,d\n",
        ),
        (
            "doi,x\r\n10.1000/a,1\r\n10.1000/b,2\x1a",
            [edit(2, "", "a", "b"), edit(3, "", "c", "d")],
            "doi,x,corrected_doi,correction\r\n10.1000/a,1,a,b\r\n10.1000/b,2,c,d\x1a",
        ),
    ],
)
def test_two_columns_stand_behind_those_of_the_list(
    rewrite: Rewriter, content: str, edits: list[RowEdit], expected: str
):
    assert rewrite(content, edits, NAMES) == expected.encode()
    assert rewrite.left == []


def test_a_header_that_cannot_take_the_names_is_said(rewrite: Rewriter):
    content = '"doi\ttitle\tyear"\n10.1000/a,x,1\n10.1000/b,y,2\n'
    edits = [edit(2, "", "10.1000/a", "unchanged"), edit(3, "", "10.1000/b", "unchanged")]
    new = rewrite(content, edits, NAMES)
    assert new.startswith(b'"doi\ttitle\tyear"\n10.1000/a,x,1,10.1000/a,unchanged\n')
    assert [(each.number, each.name) for each in rewrite.left] == [(1, "corrected_doi")]


def test_columns_are_appended_to_a_row_whose_cell_stays(rewrite: Rewriter):
    content = "doi,x\nhttps://doi.org/10.1000/a#b,1\n"
    new = rewrite(content, [edit(2, "10.1000/a", "10.1000/a", "accepted")], NAMES)
    assert new == b"doi,x,corrected_doi,correction\nhttps://doi.org/10.1000/a#b,1,10.1000/a,accepted\n"
    assert [(left.number, left.field, left.text, left.name) for left in rewrite.left] == [
        (2, "doi", "https://doi.org/10.1000/a#b", "10.1000/a")
    ]


def test_the_cell_that_was_read_changes_in_our_own_results(rewrite: Rewriter):
    content = "doi,corrected_doi,correction\n10.1000/a,10.1000/a,unchanged\n10.1000/c,,review\n"
    new = rewrite(content, [edit(2, "10.1000/d"), edit(3, "10.1000/e")])
    assert new == b"doi,corrected_doi,correction\n10.1000/a,10.1000/d,unchanged\n10.1000/e,,review\n"


def test_each_doi_of_a_split_cell_changes_by_itself(rewrite: Rewriter):
    content = 'doi,x\n"10.1000/a; 10.1000/b",1\n'
    rewrite.path.write_text(content)
    layout = detect_table_layout(rewrite.path).with_split(True)
    new = rewrite.rewrite(layout, [RowEdit(2, (("10.1000/b", "10.1000/new"),))])
    assert new == b'doi,x\n"10.1000/a; 10.1000/new",1\n'


def test_a_name_that_the_encoding_does_not_have_is_left_out(rewrite: Rewriter):
    content = "doi,x\n10.1000/a,é\n".encode("cp1252")
    assert rewrite(content, [edit(2, "10.1000/東")]) == content
    assert [left.name for left in rewrite.left] == ["10.1000/東"]


def test_the_file_is_the_same_without_an_edit_that_changes_it(rewrite: Rewriter):
    content = 'doi,x\r\n10.1000/a,"é"\n"10.1000/b",2\n\n\n'
    assert rewrite(content, []) == content.encode()
    assert rewrite(content, [edit(2, "10.1000/a"), edit(3, "10.1000/b")]) == content.encode()


@pytest.mark.parametrize(
    "damage",
    [b'10.1000/b,"never closed\n' + b"x\n" * 50, b"\xff\xfe\xff,1\n", b"x" * 4_000_000 + b"\n", b'"a" b,1\n'],
)
def test_what_cannot_be_read_is_copied_and_said(rewrite: Rewriter, damage: bytes):
    start = b"doi,x\n10.1000/a,1\n"
    rewrite.path.write_bytes(start + damage)
    layout = Layout("csv", "utf-8", ",", True, True, ("doi", "x"), 0, 2, first_row=1)
    new = rewrite.rewrite(layout, [edit(2), edit(3, "10.1000/c"), edit(9, "10.1000/d")])
    assert new.endswith(damage)
    assert new[: -len(damage)] in (start, start.replace(b"/a", b"/new"))
    assert {3, 9} <= {left.number for left in rewrite.left}


def test_a_long_row_is_changed(rewrite: Rewriter):
    long = "ä" * 999_000
    content = f"doi,a,b,c\n10.1000/a,{long},{long},{long}\n"
    assert rewrite(content, [edit(2)]) == content.replace("/a", "/new").encode()


def test_a_large_file_is_written_in_little_memory(rewrite: Rewriter):
    count = 12_000
    rewrite.path.write_text("doi,x\n" + "".join(f"10.1000/{n},{'é' * 60}\n" for n in range(count)))
    layout = Layout("csv", "utf-8", ",", True, True, ("doi", "x"), 0, count, first_row=1)
    opened = make_opener(rewrite.path, False, MAX_EXPANDED)
    edits = (edit(row, "", "10.1000/new", "accepted") for row in range(2, count + 2))
    tracemalloc.start()
    try:
        size = sum(map(len, rewrite_text_table(opened, layout, edits, rewrite.left.append, NAMES)))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert size > count * 150
    assert peak < 1_000_000

"""Any table in any dialect and encoding: what is read of the new file is the old table with the changed cells."""

import re
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from doi_reading import encode
from resolver.sheets.input.layout import Layout, name_unnamed_column
from resolver.sheets.input.text.csv import read_text_rows
from resolver.sheets.input.text.gzip import make_opener
from resolver.sheets.left_out import LeftOut
from resolver.sheets.original.cell_edits import RowEdit
from resolver.sheets.original.text.text_table import rewrite_text_table

ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32", "cp1252", "cp932", "gb18030", "iso2022_jp", "big5")
DOIS = (
    "10.1000/a",
    "https://doi.org/10.1000/a",
    "doi:10.1000/b",
    "",
    "n/a",
    "see 10.1000/c there",
    "10.1000/1;10.1000/2",
)
NAMES = ("10.1000/new", "10.1000/with,comma", "10.1000/with;semicolon", "10.1000/(a)<b>", "10.1000/é", "10.1000/a")


@dataclass
class Table:
    """The bytes of each row as they are in the file, and how they are read."""

    rows: list[list[str]]
    raw: list[bytes]
    layout: Layout
    mark: bytes


@st.composite
def tables(draw: st.DrawFn) -> Table:
    encoding = draw(st.sampled_from(ENCODINGS))
    delimiter = draw(st.sampled_from(",;\t|"))
    quoted = draw(st.booleans())
    ends = draw(st.sampled_from([("\n", "\r\n"), ("\r\n",), ("\r",)]))
    codec = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-be"}.get(encoding, encoding)
    signs = [sign for sign in "ab 1é東表ソ𝒳'" + '",;\t|\n' if _has(codec, sign)]
    if not quoted:
        signs = [sign for sign in signs if sign not in (delimiter, "\n")]
    texts = st.text(st.sampled_from(signs), max_size=5)
    width, column = draw(st.integers(1, 4)), draw(st.integers(0, 3))
    count = draw(st.integers(1, 6))
    rows, raw = [], []
    for number in range(count):
        row = [draw(texts) for _ in range(draw(st.integers(1, width)))]
        if column < len(row):
            row[column] = draw(st.sampled_from(DOIS).filter(lambda text: quoted or delimiter not in text))
        written = [_write(cell, delimiter, quoted, quotes=draw(st.booleans())) for cell in row]
        end = draw(st.sampled_from(ends)) if number < count - 1 or draw(st.booleans()) else ""
        line = delimiter.join(written) + end
        if line.strip("\r\n") or (end and end != "\r"):
            rows.append(row)
            raw.append(line.encode(codec))
    if not rows:
        rows, raw = [[""]], ["\n".encode(codec)]
    header = tuple(map(name_unnamed_column, range(max(width, column + 1))))
    layout = Layout("csv", encoding, delimiter, quoted, False, header, column, count, first_row=1)
    mark = {"utf-8-sig": b"\xef\xbb\xbf", "utf-16": b"\xff\xfe", "utf-32": b"\0\0\xfe\xff"}.get(encoding, b"")
    return Table(rows, raw, layout, mark)


def _has(codec: str, sign: str) -> bool:
    try:
        return sign.encode(codec).decode(codec) == sign
    except UnicodeError:
        return False


def _write(cell: str, delimiter: str, quoted: bool, *, quotes: bool) -> str:
    if not quoted:
        return cell
    needed = cell.startswith('"') or any(sign in cell for sign in (delimiter, "\n"))
    return '"{}"'.format(cell.replace('"', '""')) if quotes or needed else cell


def _rewrite(table: Table, edits: list[RowEdit], header: tuple[str, str] | None = None) -> tuple[bytes, list[LeftOut]]:
    left: list[LeftOut] = []
    with TemporaryDirectory() as folder:
        path = Path(folder, "upload")
        path.write_bytes(table.mark + b"".join(table.raw))
        opened = make_opener(path, False, 1 << 30)
        return b"".join(rewrite_text_table(opened, table.layout, iter(edits), left.append, header)), left


def _read(raw: bytes, layout: Layout) -> list[list[str]]:
    with TemporaryDirectory() as folder:
        path = Path(folder, "new")
        path.write_bytes(raw)
        opened = make_opener(path, False, 1 << 30)
        return [row or [""] for _, row in read_text_rows(opened, layout.encoding, layout.delimiter, layout.quoted)]


def _draw_edits(data: st.DataObject, table: Table) -> dict[int, str]:
    numbers = data.draw(st.sets(st.integers(1, max(len(table.rows), 1))))
    return {number: data.draw(st.sampled_from(NAMES)) for number in sorted(numbers)}


@given(tables())
def test_without_edits_the_bytes_are_the_same(table: Table):
    assert _rewrite(table, []) == (table.mark + b"".join(table.raw), [])


@settings(max_examples=300)
@given(tables(), st.data())
def test_only_the_accepted_cells_are_read_differently(table: Table, data: st.DataObject):
    names = _draw_edits(data, table)
    new, left = _rewrite(table, [RowEdit(row, (("", name),)) for row, name in names.items()])
    kept = {each.number for each in left}
    changed = names.keys() - kept
    column = table.layout.column
    after = _read(new, table.layout)
    assert len(after) == len(table.rows)
    for number, (old, row) in enumerate(zip(table.rows, after, strict=True), 1):
        if number in changed:
            assert names[number] in row[column] or encode(names[number]) in row[column]
            assert row[:column] == (old + [""] * column)[:column]
            assert row[column + 1 :] == old[column + 1 :]
        else:
            assert row == old
    pattern = b"".join(b".*?" if number in changed else re.escape(raw) for number, raw in enumerate(table.raw, 1))
    assert re.fullmatch(re.escape(table.mark) + pattern, new, re.DOTALL)


@given(tables(), st.data())
def test_appended_cells_stand_behind_the_width_of_the_list(table: Table, data: st.DataObject):
    names = _draw_edits(data, table)
    edits = [
        RowEdit(row, (("", names[row]),) if row in names else (), (names.get(row, ""), "accepted"))
        for row in range(1, len(table.rows) + 1)
    ]
    new, left = _rewrite(table, edits, ("corrected_doi", "correction"))
    after = _read(new, table.layout)
    width, column = table.layout.width, table.layout.column
    kept = {each.number for each in left}
    assert len(after) == len(table.rows)
    for number, (old, row) in enumerate(zip(table.rows, after, strict=True), 1):
        if number not in kept:
            assert row[width:] == [names.get(number, ""), "accepted"]
            assert row[:column] == (old + [""] * column)[:column]
            assert row[column + 1 : width] == (old + [""] * width)[column + 1 : width]

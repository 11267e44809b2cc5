"""A package rewritten, and all checked that can be known of what comes back."""

import io
import itertools
import zipfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from xml.parsers import expat

from doi_reading import encode
from resolver.sheets.errors import UnreadableFile
from resolver.sheets.file_findings import SheetFindings
from resolver.sheets.input.layout import Layout
from resolver.sheets.left_out import LeftOut
from resolver.sheets.original.cell_edits import RowEdit
from resolver.sheets.original.rewrite_table import rewrite_table
from resolver.sheets.workbook.ods import read_ods_rows
from resolver.sheets.workbook.rows import FileBounds
from resolver.sheets.workbook.typed_cell import get_link
from resolver.sheets.workbook.xlsx import read_xlsx_rows

HEADER, APPENDED = ("corrected_doi", "correction"), ("a", "b")
MOST_BYTES = 20_000_000
MOST_ROWS = 5_000  # a damaged number may say that a row is repeated a million times
READERS = {"xlsx": read_xlsx_rows, "ods": read_ods_rows}

Rows = dict[int, list[str]]


def try_package(path: Path, content: bytes, layout: Layout, edits: Iterable[RowEdit], *, append: bool) -> str:
    """Rewrite the package: "refused", the "same", or "written". Of what is written all that can be known is checked."""
    path.write_bytes(content)
    left: list[LeftOut] = []
    edits = list(edits) if append else [replace(each, appended=None) for each in edits]
    blocks: list[bytes] = []
    try:
        blocks.extend(rewrite_table(path, layout, iter(edits), left.append, HEADER if append else None, MOST_BYTES))
    except UnreadableFile:
        assert not blocks, "refused after the first block"
        return "refused"
    found = b"".join(blocks)
    if found == content:
        return "same"
    ensure_valid(content, found, layout.kind)
    before = read_rows(path, layout)
    path.write_bytes(found)
    ensure_edited(before, read_rows(path, layout), layout, edits, {each.number for each in left})
    return "written"


def ensure_valid(content: bytes, found: bytes, kind: str) -> None:
    """Compare the packages: XML that is well-formed in the sheet's part and its relations, all else as it was."""
    was, now = zipfile.ZipFile(io.BytesIO(content)), zipfile.ZipFile(io.BytesIO(found))
    assert (was.namelist(), was.comment) == (now.namelist(), now.comment)
    changed = []
    for old, new in zip(was.infolist(), now.infolist(), strict=True):
        if describe(old, content) != describe(new, found):
            changed.append(new.filename)
            expat.ParserCreate(namespace_separator=" ").Parse(now.read(new), True)
    if kind == "ods":
        assert changed == ["content.xml"]
    else:
        assert len(changed) <= 2
        assert sum(name.lower().endswith(".rels") for name in changed) < 2
        assert not any(word in name.lower() for name in changed for word in ("styles", "strings", "workbook", "types"))


def describe(member: zipfile.ZipInfo, package: bytes) -> tuple[object, ...]:
    """The member as it lies in the package, and what the package's list says of it."""
    lengths = package[member.header_offset + 26 : member.header_offset + 30]
    start = member.header_offset + 30 + int.from_bytes(lengths[:2], "little") + int.from_bytes(lengths[2:], "little")
    listed = member.CRC, member.file_size, member.flag_bits, member.compress_type, member.date_time, member.extra
    return *listed, member.comment, member.external_attr, package[start : start + member.compress_size]


def read_rows(path: Path, layout: Layout) -> tuple[Rows, str]:
    """The first rows by their number, and why there are no more of them."""
    rows: Rows = {}
    reading = READERS[layout.kind](path, FileBounds(), SheetFindings(), layout.sheet_chosen)
    try:
        rows.update(itertools.islice(reading, MOST_ROWS))
    except UnreadableFile as error:
        return rows, str(error.reason)
    return rows, ""


def ensure_edited(
    before: tuple[Rows, str], after: tuple[Rows, str], layout: Layout, edits: Iterable[RowEdit], left: set[int]
) -> None:
    """Compare the rows: only the accepted cells differ, and the two columns behind the last one."""
    (was, fault), (now, new_fault) = before, after
    assert fault == new_fault
    names = {edit.row: edit.names[0] for edit in edits}
    for number in {*was, *now} if len(was) < MOST_ROWS else was.keys() & now.keys():
        old, new = was.get(number, []), now.get(number, [])
        width = max(len(old), len(new), layout.width)
        old, new = old + [""] * (width - len(old)), new + [""] * (width - len(new))
        column = layout.find_read_column(old)
        others = [
            place
            for place, (one, other) in enumerate(zip(old, new, strict=True))
            if (one, get_link(one)) != (other, get_link(other)) and (place != column or number not in names)
        ]
        allowed = HEADER if number == layout.number_row(0) else APPENDED if number in names else ()
        assert [new[place] for place in others] in ([], list(allowed)), (number, others)
        assert not any(old[place] for place in others)
        read, name = names.get(number, ("", ""))
        if read == (get_link(old[column]) or old[column]) and number not in left:
            assert name in new[column] or encode(name) in (new[column], get_link(new[column])), (number, new)

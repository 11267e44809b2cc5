"""Damaged workbooks: a valid one comes back, the same file, or a refusal; never another error."""

import io
import random
import zipfile
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

from resolver.sheets.errors import UnreadableFile
from resolver.sheets.input.layout import Layout
from resolver.sheets.input.table import read_numbered_table
from resolver.sheets.left_out import LeftOut
from resolver.sheets.original.cell_edits import RowEdit
from resolver.sheets.original.xlsx.xlsx_cells import rewrite_xlsx
from resolver.sheets.workbook.typed_cell import get_link
from tests.sheets.odd_files.damage import damage_bytes
from tests.sheets.original.test_xlsx_links import OLD
from tests.sheets.original.test_xlsx_workbooks import WORKBOOKS, find_layout
from tests.sheets.workbook.test_hyperlinks import book, related, sheet

HEADER = ("corrected_doi", "correction")
MOST = 20_000_000
SMALL = [path for path in WORKBOOKS if path.stat().st_size < 12_000]


def build_edits(path: Path, layout: Layout) -> list[RowEdit]:
    """An edit of each of the first rows."""
    rows = [(number, layout.get_cell(row)) for number, row in read_numbered_table(path, layout)][:20]
    return [RowEdit(row, ((get_link(cell) or str(cell), f"10.5555/{row}"),), ("a", "b")) for row, cell in rows]


def flip(content: bytes, dice: random.Random) -> bytes:
    """One to three bits of the archive, or some bytes of one member, are others."""
    if dice.random() < 0.5:
        changed = bytearray(content)
        for _ in range(dice.choice((1, 1, 3))):
            changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
        return bytes(changed)
    with zipfile.ZipFile(io.BytesIO(content)) as was:
        members = {name: was.read(name) for name in was.namelist()}
    of_sheet = [name for name in members if "sheet" in name.lower()]
    name = dice.choice(of_sheet if of_sheet and dice.random() < 0.8 else sorted(members))
    members[name] = damage_bytes(members[name], dice)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as now:
        for each, member in members.items():
            now.writestr(each, member)
    return buffer.getvalue()


def try_damaged(path: Path, content: bytes, layout: Layout, edits: list[RowEdit], *, append: bool) -> str:
    """What came of it."""
    path.write_bytes(content)
    left: list[LeftOut] = []
    edits = edits if append else [replace(each, appended=None) for each in edits]
    try:
        found = b"".join(rewrite_xlsx(path, layout, iter(edits), left.append, HEADER if append else None, MOST))
    except UnreadableFile:
        return "refused"
    if found == content:
        return "same"
    was, now = zipfile.ZipFile(io.BytesIO(content)), zipfile.ZipFile(io.BytesIO(found))
    assert was.namelist() == now.namelist()
    for old, new in zip(was.infolist(), now.infolist(), strict=True):
        try:
            kept = was.read(old)
        except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError):
            continue  # damaged in the file too, and copied
        assert now.read(new) == kept or "sheet" in new.filename.lower() or "xml" in new.filename.lower()
    path.write_bytes(found)
    for _ in read_numbered_table(path, layout):
        pass
    return "written"


def seeds(path: Path) -> list[tuple[bytes, Layout, list[RowEdit]]]:
    """Workbooks with their layouts and edits; the first has hyperlinks."""
    linked = sheet('<hyperlink ref="A1:B2" r:id="rId1"/><hyperlink ref="A3" r:id="rId2"/>').replace("t2", OLD)
    found = []
    for content in (book(linked, related(OLD, OLD)), *(each.read_bytes() for each in SMALL)):
        path.write_bytes(content)
        layout = find_layout(path)
        found.append((content, layout, build_edits(path, layout)))
    return found


@pytest.mark.parametrize("append", [False, True])
def test_of_damaged_workbooks_a_valid_one_comes_back_or_a_refusal(tmp_path: Path, append: bool) -> None:
    dice = random.Random(f"55 {append}")
    known = seeds(tmp_path / "seed.xlsx")[:12]
    ends = set()
    for _ in range(150):
        content, layout, edits = dice.choice(known)
        ends.add(try_damaged(tmp_path / "damaged.xlsx", flip(content, dice), layout, edits, append=append))
    assert ends >= {"refused", "written"}

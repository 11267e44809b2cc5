"""Small sound workbooks of each kind, and packages of them that are damaged at random."""

import io
import itertools
import random
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from resolver.sheets.input.layout import Layout
from resolver.sheets.original.cell_edits import RowEdit
from resolver.sheets.workbook.typed_cell import get_link
from tests.sheets.made_workbooks import ods, ods_row
from tests.sheets.odd_files.damage import damage_bytes
from tests.sheets.original.checked_package import APPENDED, read_rows
from tests.sheets.original.test_archive_copy import Unseekable
from tests.sheets.original.test_ods_cells import anchor, cell, hyperlink
from tests.sheets.original.test_ods_files import FILES
from tests.sheets.original.test_xlsx_links import OLD
from tests.sheets.original.test_xlsx_workbooks import WORKBOOKS, find_layout
from tests.sheets.workbook.test_hyperlinks import book, related, sheet

SMALL = 9_000  # bytes
MOST_SEEDS = 12
CONTENT = {"xlsx": "xl/worksheets/sheet1.xml", "ods": "content.xml"}


@dataclass(frozen=True)
class Seed:
    """A sound workbook, its layout, and an edit of each of its first rows."""

    content: bytes
    layout: Layout
    edits: list[RowEdit]


def build_seeds(kind: str, path: Path) -> list[Seed]:
    """Some of this kind, the first ones with hyperlinks. `path` is where they are written to be read."""
    return [build_seed(content, path) for content in itertools.islice(build_contents(kind), MOST_SEEDS)]


def build_contents(kind: str) -> Iterator[bytes]:
    linked = build_linked_xlsx() if kind == "xlsx" else build_linked_ods()
    yield linked
    members = unpack(linked)
    part = members[CONTENT[kind]].decode()
    yield pack(members | {CONTENT[kind]: f'<?xml version="1.0" encoding="UTF-16"?>{part}'.encode("utf-16")})
    yield from (path.read_bytes() for path in (WORKBOOKS if kind == "xlsx" else FILES) if path.stat().st_size < SMALL)


def build_linked_xlsx() -> bytes:
    linked = sheet('<hyperlink ref="A1:B2" r:id="rId1"/><hyperlink ref="A3" r:id="rId2"/>').replace("t2", OLD)
    return book(linked, related(OLD, OLD))


def build_linked_ods() -> bytes:
    linked = cell(f"<text:p>{anchor(OLD, 'Full text')}</text:p>")
    split = cell("<text:p>10.1000/<text:span>1</text:span>8<text:s/></text:p><text:p>x</text:p>")
    rows = (ods_row("doi", "x"), ods_row("10.1000/1", times=3), ods_row(linked, "y"), ods_row(split))
    return ods("".join([*rows, ods_row(hyperlink(OLD, "10.1000/1"))]))


def build_seed(content: bytes, path: Path) -> Seed:
    path.write_bytes(content)
    layout = find_layout(path)
    first = itertools.islice(read_rows(path, layout)[0].items(), 20)
    cells = [(number, layout.get_cell(row)) for number, row in first if number >= layout.number_row(1)]
    return Seed(content, layout, [build_edit(number, shown) for number, shown in cells])


def build_edit(row: int, shown: str) -> RowEdit:
    return RowEdit(row, ((get_link(shown) or str(shown), f"10.5555/{row}"),), APPENDED)


def damage_package(content: bytes, dice: random.Random) -> bytes:
    """The package with a damaged member, or with one to three other bits; packed anew in some way, or as it was."""
    members = unpack(content)
    way, stream = dice.choice((zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED)), dice.random() < 0.3
    if dice.random() < 0.5:
        of_sheet = [name for name in members if "sheet" in name.lower() or name == "content.xml"]
        name = dice.choice(of_sheet if dice.random() < 0.8 else sorted(members))
        return pack(members | {name: damage_bytes(members[name], dice)}, way, stream=stream)
    return flip_bits(content if dice.random() < 0.5 else pack(members, way, stream=stream), dice)


def flip_bits(content: bytes, dice: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(dice.choice((1, 1, 3))):
        changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
    return bytes(changed)


def unpack(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        return {name: package.read(name) for name in package.namelist()}


def pack(members: dict[str, bytes], way: int = zipfile.ZIP_DEFLATED, *, stream: bool = False) -> bytes:
    """A package of these members; of a `stream` each one's sizes stand behind it."""
    buffer = Unseekable() if stream else io.BytesIO()
    with zipfile.ZipFile(buffer, "w", way) as package:
        for name, content in members.items():
            package.writestr(name, content)
    return buffer.getvalue()

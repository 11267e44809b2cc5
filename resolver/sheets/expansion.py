"""How much memory a workbook would take, measured before it is loaded.

A small file can hold a lot: much that packs well, two cells at the far ends of a sheet (loaded as a grid of billions),
or one long text that a million cells refer to.
"""

import re
import zipfile
from collections.abc import Collection, Iterator

from resolver.sheets.unreadable import UnreadableFile

MAX_EXPANDED = 600_000_000
MAX_GRID = 30_000_000

_BLOCK = 1 << 20
_LONGEST = 8 << 20
_PLACE = re.compile(rb"""\sr=["']([A-Z]{1,3})(\d{1,7})["']""")
_SHARED = re.compile(rb"""<(?:\w+:)?c\s[^>]*\bt=["']s["'][^>]*>\s*<(?:\w+:)?v>\s*(\d+)""")
_STRING_END = re.compile(rb"</(?:\w+:)?si>|<(?:\w+:)?si\s*/>")


def measure(archive: zipfile.ZipFile, names: Collection[str], max_expanded: int, max_grid: int) -> None:
    """Refuse a workbook that would not fit into memory once loaded; raises BadZipFile where a size in it is a lie."""
    expanded = sum(member.file_size for member in archive.infolist())
    if expanded > max_expanded:
        raise _too_much(expanded, max_expanded)
    lengths = _string_lengths(archive) if "xl/sharedStrings.xml" in names else []
    for name in names:
        if name.startswith("xl/worksheets/") and name.endswith(".xml"):
            _measure_sheet(archive, name, lengths, max_expanded, max_grid)


def _too_much(found: int, allowed: int) -> UnreadableFile:
    return UnreadableFile(
        f"Unpacked, the workbook has {found:,} bytes, more than the {allowed:,} allowed. "
        "Save the sheet as CSV, which takes less."
    )


def _pieces(archive: zipfile.ZipFile, name: str, end: bytes) -> Iterator[bytes]:
    """The member in pieces that end after `end`, so that nothing is looked for across two pieces."""
    with archive.open(name) as stream:
        rest = b""
        while block := stream.read(_BLOCK):
            rest += block
            cut = rest.rfind(end)
            if cut >= 0:
                yield rest[: cut + len(end)]
                rest = rest[cut + len(end) :]
            elif len(rest) > _LONGEST:  # nothing ends here: no text either, and waiting would cost memory and time
                yield rest
                rest = b""
        yield rest


def _string_lengths(archive: zipfile.ZipFile) -> list[int]:
    lengths: list[int] = []
    for piece in _pieces(archive, "xl/sharedStrings.xml", b"si>"):
        start = 0
        for match in _STRING_END.finditer(piece):
            lengths.append(match.end() - start)
            start = match.end()
    return lengths


def _measure_sheet(archive: zipfile.ZipFile, name: str, lengths: list[int], max_expanded: int, max_grid: int) -> None:
    rows, columns, text = 0, set[bytes](), 0
    for piece in _pieces(archive, name, b"</c>"):
        places = _PLACE.findall(piece)
        columns |= {letters for letters, _ in places}
        rows = max(rows, max((int(number) for _, number in places), default=0))
        if lengths:
            text += sum(lengths[index] for found in _SHARED.findall(piece) if (index := int(found)) < len(lengths))
    width = max(map(_number, columns), default=0)
    if rows * width > max_grid:
        raise UnreadableFile(
            f"The sheet is a grid of {rows:,} rows and {width:,} columns, more than the {max_grid:,} cells allowed. "
            "Delete what stands far out in it, or save the sheet as CSV."
        )
    if text > max_expanded:
        raise _too_much(text, max_expanded)


def _number(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number

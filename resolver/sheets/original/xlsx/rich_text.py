"""The runs of a rich text in XLSX, each a part of the text with a format of its own, and the runs of a new text."""

import json
import re
from collections.abc import Iterator, Sequence
from sqlite3 import Connection
from typing import Any
from xml.sax.saxutils import quoteattr

from resolver.sheets.bibliographic.xml_leaves import escape_xml
from resolver.sheets.original.text_difference import find_differences
from resolver.sheets.workbook.shared_strings import SharedStrings
from resolver.sheets.workbook.text_buffer import unescape_ooxml

Run = tuple[str, str]
"""The format as XML, with PREFIX before the names of its elements, and the text."""
PREFIX = "\x01"  # XML can't hold it
_MAX_SIZE = 200_000  # characters of the formats and parts of one text
_LOOKS_ESCAPED = re.compile("_(?=x[0-9A-Fa-f]{4}_)")
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]")


class RunCollector:
    """Collects the runs of one text from its elements."""

    def __init__(self) -> None:
        self._runs: list[Run] = []
        self._format: list[str] = []
        self._namespace = ""
        self._in_format = False
        self._size = 0

    @property
    def runs(self) -> list[Run]:
        """The runs so far; none for a text with one format, and for one that is too long to be kept."""
        return self._runs if self._size < _MAX_SIZE else []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Note that an element starts, by its name with the namespace."""
        namespace, _, local = name.rpartition(" ")
        if local == "r":
            self._namespace = namespace
            self._format = []
        elif local == "rPr":
            self._in_format = True
        if self._in_format and namespace == self._namespace:
            given = "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items() if " " not in key)
            self._add(self._format, f"<{PREFIX}{local}{given}>")

    def end(self, name: str, text: str) -> None:
        """Note that an element ends, of a <t> with its text."""
        namespace, _, local = name.rpartition(" ")
        if self._in_format and namespace == self._namespace:
            if self._format and self._format[-1].startswith((f"<{PREFIX}{local} ", f"<{PREFIX}{local}>")):
                self._format[-1] = f"{self._format[-1][:-1]}/>"
            else:
                self._add(self._format, f"</{PREFIX}{local}>")
        if local == "rPr":
            self._in_format = False
        elif local == "t" and namespace == self._namespace:
            self._add(self._runs, ("".join(self._format), unescape_ooxml(text)))

    def _add(self, kept: list[Any], piece: str | Run) -> None:
        self._size += len(piece) if isinstance(piece, str) else len(piece[1])
        if self._size < _MAX_SIZE:
            kept.append(piece)


class RichStrings(SharedStrings):
    """The texts of a workbook with the runs of those that have some."""

    def __init__(self, database: Connection, blocks: Iterator[bytes], part: str, max_field: int, most: int) -> None:
        super().__init__(database, blocks, part, max_field, most)
        self._collector = RunCollector()
        database.execute("CREATE TABLE rich (number INTEGER PRIMARY KEY, runs TEXT)")

    def get_runs(self, number: int) -> list[Run]:
        """Return the runs of a text that `get_text` has returned; none if it has one format."""
        found = self._table.execute("SELECT runs FROM rich WHERE number = ?", (number,)).fetchone()
        return [(form, text) for form, text in json.loads(found[0])] if found else []

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        super()._start(name, attributes)
        if not self._aside:
            self._collector.start(name, attributes)

    def _end(self, name: str) -> None:
        if not self._aside:
            self._collector.end(name, "".join(self._text.pieces))
        super()._end(name)
        if self._local[name] == "si":
            if self._collector.runs:
                runs = json.dumps(self._collector.runs)
                self._table.execute("INSERT INTO rich VALUES (?, ?)", (self._count - 1, runs))
            self._collector = RunCollector()


def build_string_content(prefix: str, runs: Sequence[Run], text: str) -> str:
    """Return the elements of a text: each difference from that of the `runs` gets the format where it begins, and
    what is only added gets that of the text before it. Raises NotWritable for a character that XML can't hold."""
    if len(runs) < 2 and not any(form for form, _ in runs):
        return _build_text(prefix, text)
    shared = zip((form for form, _ in runs), _share_out([part for _, part in runs], text), strict=True)
    return "".join(
        f"<{prefix}r>{form.replace(PREFIX, prefix)}{_build_text(prefix, part)}</{prefix}r>"
        for form, part in shared
        if part
    )


def escape_cell_text(text: str) -> str:
    """Return the text of a cell as XML, with OOXML's escapes for what XML can't hold or would read as an escape."""
    escaped = _LOOKS_ESCAPED.sub("_x005F_", text)
    return escape_xml(_CONTROLS.sub(lambda found: f"_x{ord(found[0]):04X}_", escaped))


def _build_text(prefix: str, text: str) -> str:
    space = ' xml:space="preserve"' if text != text.strip() else ""
    return f"<{prefix}t{space}>{escape_cell_text(text)}</{prefix}t>"


def _share_out(parts: Sequence[str], new: str) -> list[str]:
    """Return the parts of the new text."""
    old = "".join(parts)
    differences = list(find_differences(old, new))
    found: list[str] = []
    at = written = 0
    for part in parts:
        stop = at + len(part)
        pieces = []
        for number, (begins, ends, text) in enumerate(differences):
            pieces.append(old[at : min(begins, stop)])
            if number == written and (begins < stop or begins == ends == stop):
                pieces.append(text)
                written += 1
            at = min(max(ends, at), stop)
        found.append("".join([*pieces, old[at:stop]]))
        at = stop
    return found

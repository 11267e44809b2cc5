"""Elements of an XLSX sheet as they are written, and a cell with another text."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from resolver.sheets.bibliographic.xml_leaves import escape_xml
from resolver.sheets.left_out import NotWritable
from resolver.sheets.original.linked_cell import HAS_FORMULA
from resolver.sheets.original.written_tags import open_tag, set_attribute
from resolver.sheets.original.xlsx.rich_text import Run, RunCollector, build_string_content, escape_cell_text
from resolver.sheets.original.xml_splice import Splices, WrittenXml
from resolver.sheets.workbook.hyperlinks import HyperlinkFormula, change_hyperlink_formula, parse_hyperlink_formula
from resolver.sheets.workbook.rows import to_column_letters

_PREFIX = re.compile(r"<([^\s/>:]++:)?")
FOR_A_RANGE = frozenset({"array", "dataTable"})
_OF_SEVERAL_CELLS = FOR_A_RANGE | {"shared"}


class WrittenElement:
    """An element: its tag, which begins at byte `start`, and its content from byte `content` to before `stop`."""

    def __init__(self, xml: WrittenXml) -> None:
        self.start = xml.at
        self.tag = xml.read_tag()
        self.content = self.stop = self.start + len(xml.encode(self.tag))

    @property
    def is_open(self) -> bool:
        """Whether it has an end tag."""
        return not self.tag.endswith("/>")

    @property
    def prefix(self) -> str:
        """The prefix of its namespace with the colon, or ""."""
        found = _PREFIX.match(self.tag)
        return (found[1] if found else "") or ""

    def end(self, at: int) -> None:
        """Note the byte at which its end is met."""
        if self.is_open:
            self.stop = at

    def replace(self, splices: Splices, tag: str, content: str) -> None:
        """Put another tag and another content in their places."""
        tag = open_tag(tag)
        if not self.is_open:
            name = _PREFIX.sub("", tag, count=1).partition(">")[0].split()[0]
            content = f"{content}</{self.prefix}{name}>"
            splices.add(self.start, self.content, tag + content)
            return
        if tag != self.tag:
            splices.add(self.start, self.content, tag)
        splices.add(self.content, self.stop, content)


@dataclass(slots=True)
class WrittenCell:
    """A cell while its elements arrive. `shown` is its text as it is read."""

    column: int
    element: WrittenElement
    attributes: Mapping[str, str]
    shown: str = ""
    formula: WrittenElement | None = None
    formula_kind: str = ""
    formula_text: str = ""
    value: WrittenElement | None = None
    shared_text: str = ""
    collector: RunCollector = field(default_factory=RunCollector)

    @property
    def hyperlink(self) -> HyperlinkFormula | None:
        """The hyperlink of its formula."""
        return parse_hyperlink_formula(self.formula_text) if self.formula else None


def write_text(cell: WrittenCell, text: str, runs: list[Run], splices: Splices) -> None:
    """Let a cell without formula have this text, and its `runs` as far as they stay. Raises NotWritable."""
    if "".join(part for _, part in runs) != cell.shown:
        runs = []
    prefix = cell.element.prefix
    content = f"<{prefix}is>{build_string_content(prefix, runs, text)}</{prefix}is>"
    tag = set_attribute(cell.element.tag, "t", "inlineStr", "t")
    cell.element.replace(splices, set_attribute(tag, "vm", None), content)


def write_formula(cell: WrittenCell, address: str, text: str, splices: Splices) -> None:
    """Let the formula HYPERLINK of a cell have this address and this text. Raises NotWritable for any other formula,
    and if the text is calculated or several cells share the formula."""
    link, formula, is_changed = cell.hyperlink, cell.formula, text != cell.shown
    if link is None or formula is None or cell.formula_kind in _OF_SEVERAL_CELLS:
        raise NotWritable(HAS_FORMULA)
    if is_changed and (link.text != cell.shown or (cell.value and cell.attributes.get("t") != "str")):
        raise NotWritable(HAS_FORMULA)
    new = change_hyperlink_formula(cell.formula_text, address, text if is_changed else None)
    if new is None:
        raise NotWritable(HAS_FORMULA)
    splices.add(formula.content, formula.stop, escape_xml(new))
    if is_changed and cell.value and cell.value.is_open:
        splices.add(cell.value.content, cell.value.stop, escape_cell_text(text))


def build_cell(prefix: str, row: int, column: int, text: str) -> str:
    """Return a new cell with this text. Raises NotWritable."""
    content = f"<{prefix}is>{build_string_content(prefix, [], text)}</{prefix}is>"
    return f'<{prefix}c r="{to_column_letters(column)}{row}" t="inlineStr">{content}</{prefix}c>'

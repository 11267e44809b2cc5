"""One cell of an OpenDocument sheet as it is written, and the same cell with other names in it."""

from collections.abc import Sequence
from dataclasses import dataclass

from resolver.sheets.left_out import NotWritable
from resolver.sheets.original.linked_cell import HAS_FORMULA, build_linked_cell
from resolver.sheets.original.ods.ods_paragraphs import CellContent
from resolver.sheets.original.ods.ods_text import Change, apply_changes, change_text, encode_text
from resolver.sheets.original.written_tags import TAG, get_attribute, open_tag, set_attribute
from resolver.sheets.workbook.hyperlinks import change_hyperlink_formula, parse_hyperlink_formula
from resolver.sheets.workbook.ods import FORMULA, VALUE_TYPE, read_ods_cell

_VALUES = ("value", "date-value", "time-value", "boolean-value", "currency")


@dataclass(frozen=True, slots=True)
class OdsPrefixes:
    """The prefixes of the namespaces of a part, with their colons."""

    office: str
    table: str
    text: str


def read_shown(xml: str, attributes: dict[str, str]) -> str:
    """Return the text that the cell shows, as `read_ods_rows` returns it. Raises NotWritable if that is too long."""
    shown = str(read_ods_cell(attributes, _parse(xml)[1].text))
    formula = parse_hyperlink_formula(attributes.get(FORMULA, ""))
    return formula.text if formula and not shown and VALUE_TYPE not in attributes else shown


def rewrite_ods_cell(
    xml: str, attributes: dict[str, str], names: Sequence[tuple[str, str]], prefixes: OdsPrefixes, *, is_split: bool
) -> str:
    """Return the cell, which stands for no others, with the accepted names, each with the text that was read there.
    Raises NotWritable."""
    tag, content = _parse(xml)
    shown = read_shown(xml, attributes)
    links = [get_attribute(xml[start:stop], "href") or "" for start, stop in content.links]
    if written := attributes.get(FORMULA):
        formula = parse_hyperlink_formula(written)
        if formula is None:
            raise NotWritable(HAS_FORMULA)
        new, (address, *others) = build_linked_cell(shown, [formula.address, *links], names, is_split=is_split)
        tag = set_attribute(tag, "formula", _change_formula(written, shown, address, new))
    else:
        new, others = build_linked_cell(shown, links, names, is_split=is_split)
    changes: list[Change] = [
        (start, stop, set_attribute(xml[start:stop], "href", address))
        for (start, stop), link, address in zip(content.links, links, others, strict=True)
        if link != address
    ]
    return _write(xml, tag, content, changes, new if new != shown else None, prefixes)


def fill_ods_cell(xml: str, text: str, prefixes: OdsPrefixes) -> str:
    """Return a cell without text, which stands for no others, with this text."""
    tag, content = _parse(xml)
    return _write(xml, tag, content, [], text, prefixes)


def _parse(xml: str) -> tuple[str, CellContent]:
    tag = xml[: _find_tag_end(xml)]
    return tag, CellContent(xml, len(tag), len(tag) if tag.endswith("/>") else xml.rindex("</"))


def _find_tag_end(xml: str) -> int:
    found = TAG.match(xml)
    return found.end() if found else 0


def _write(
    xml: str, tag: str, content: CellContent, changes: list[Change], text: str | None, prefixes: OdsPrefixes
) -> str:
    at = _find_tag_end(xml)
    if text is not None:
        for name in _VALUES:
            tag = set_attribute(tag, name, None)
        tag = set_attribute(tag, "value-type", "string", f"{prefixes.office}value-type")
        tag = set_attribute(tag, "string-value", text)
        if content.paragraphs:
            changes = [*changes, *change_text(content, text)]
        elif get_attribute(tag, "string-value") is None:
            paragraph = f"<{prefixes.text}p>{encode_text(text, prefixes.text)}</{prefixes.text}p>"
            if tag.endswith("/>"):
                return f"{open_tag(tag)}{paragraph}</{tag[1:].split(maxsplit=1)[0].rstrip('/>')}>"
            end = xml.rindex("</")
            changes = [*changes, (end, end, paragraph)]
    return tag + apply_changes(xml, [(0, at, ""), *changes])


def _change_formula(written: str, shown: str, address: str, text: str) -> str:
    """Return the formula HYPERLINK with this address and this text. Raises NotWritable if the text is calculated."""
    formula = parse_hyperlink_formula(written)
    is_own = formula is not None and formula.text == shown
    new = change_hyperlink_formula(written, address, text if text != shown else None)
    if new is None or (text != shown and not is_own):
        raise NotWritable(HAS_FORMULA)
    return new

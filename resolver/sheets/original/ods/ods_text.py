"""Another text in an OpenDocument cell: only what differs is written anew, in the element where that begins."""

import itertools
import re
from collections.abc import Sequence

from resolver.sheets.bibliographic.xml_leaves import MIXED, escape_xml
from resolver.sheets.left_out import NotWritable
from resolver.sheets.original.ods.ods_paragraphs import CellContent, Paragraph
from resolver.sheets.original.text_difference import find_differences

_NEEDS_ELEMENT = re.compile(r"  +|^ | $|\t|\n")

Change = tuple[int, int, str]
"""Where it begins and ends, and what stands there then."""
_Located = tuple[int, Paragraph]  # with the place of its text in that of the cell


def change_text(content: CellContent, new: str) -> list[Change]:
    """Return the changes of the XML by which the text of the paragraphs becomes `new`. There must be a paragraph.
    Raises NotWritable if a hyperlink, a note or a picture stands within what changes."""
    starts = itertools.accumulate((len(each.text) + 1 for each in content.paragraphs), initial=0)
    located = list(zip(starts, content.paragraphs, strict=False))
    differences = list(find_differences(content.text, new))
    changes = [_change_pieces(located, *each) for each in differences]
    if all(changes):
        return [change for each in changes for change in each]
    start, stop, text = differences[0] if len(differences) == 1 else (0, len(content.text), new)
    touched = [(at, each) for at, each in located if start <= at + len(each.text) and at <= stop]
    return [_join(content.xml, touched, start, stop, text)]


def apply_changes(xml: str, changes: list[Change]) -> str:
    """Return the XML with the changes. Raises NotWritable if two of them overlap."""
    pieces, at = list[str](), 0
    for start, stop, text in sorted(changes, key=lambda change: change[:2]):
        if start < at:
            raise NotWritable(MIXED)
        pieces += xml[at:start], text
        at = stop
    return "".join([*pieces, xml[at:]])


def encode_text(text: str, prefix: str) -> str:
    """Return a text as the content of a paragraph whose name has this prefix, with its colon. Raises NotWritable."""

    def write(found: re.Match[str]) -> str:
        white = found[0]
        if white in "\t\n":
            return f"<{prefix}tab/>" if white == "\t" else f"<{prefix}line-break/>"
        if len(white) == 1 or not prefix:
            return f"<{prefix}s/>" * len(white)
        return f'<{prefix}s {prefix}c="{len(white)}"/>'

    return _NEEDS_ELEMENT.sub(write, escape_xml(text))


def _change_pieces(located: Sequence[_Located], start: int, stop: int, text: str) -> list[Change]:
    """Return the changes in the pieces of one paragraph; none if more than that must change."""
    at, paragraph = next(each for each in reversed(located) if each[0] <= start)
    if stop > at + len(paragraph.text) or not paragraph.simple:
        return []
    prefix = get_prefix(paragraph.name)
    changes: list[Change] = []
    links = set[int]()
    for piece in paragraph.pieces:
        begin, at = at, at + len(piece.text)
        is_touched = begin < stop and start < at if start < stop else not changes and begin <= start <= at
        if not is_touched:
            continue
        links.add(piece.link)
        middle = "" if changes else encode_text(text, prefix)
        first, last = max(start - begin, 0), min(stop, at) - begin
        if piece.plain:
            changes.append((piece.start + first, piece.start + last, middle))
        else:
            before, after = encode_text(piece.text[:first], prefix), encode_text(piece.text[last:], prefix)
            changes.append((piece.start, piece.stop, before + middle + after))
    if len(links - {0}) > 1:
        raise NotWritable(MIXED)
    return changes


def _join(xml: str, paragraphs: Sequence[_Located], start: int, stop: int, text: str) -> Change:
    """Return the change by which these paragraphs become one."""
    (at, first), (last_at, last) = paragraphs[0], paragraphs[-1]
    if any(each.mixed for _, each in paragraphs) or first.name != last.name:
        raise NotWritable(MIXED)
    joined = first.text[: start - at] + text + last.text[stop - last_at :]
    opening = f"{xml[first.tag : first.start - 2]}>" if first.is_closed else xml[first.tag : first.start]
    closing = f"</{first.name}>" if last.is_closed else ""
    return first.tag, last.stop, opening + encode_text(joined, get_prefix(first.name)) + closing


def get_prefix(name: str) -> str:
    """Return the prefix of an element's name with its colon, or ""."""
    return name[: name.rfind(":") + 1]

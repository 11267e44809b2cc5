"""The new text of a cell that holds a DOI, for the name that was accepted in its place."""

import re
from collections.abc import Mapping, Sequence

from doi_reading import LONGEST_TEXT, Reading, encode, find_parts, fold, read_all
from resolver.sheets.bibliographic.doi_link import is_link, read_value
from resolver.sheets.bibliographic.notes import BESIDE, find_in_note
from resolver.sheets.bibliographic.places import READ_OTHERWISE, TOO_LONG
from resolver.sheets.bibliographic.remainder import ensure_no_remainder, explain_remainder, squeeze
from resolver.sheets.left_out import NotWritable

_AUTHORITY = re.compile(r"::[^\s:|<>]{1,100}::-?[0-9]{1,3}(?=\s*(?:\|\||\Z))")
"""The key and the confidence that DSpace writes behind a value under authority control."""


def build_cell_text(text: str, names: Sequence[tuple[str, str]], *, is_split: bool) -> str:
    """Return the new text of a table's cell for the accepted names, each with the text that was read there. A link
    becomes a link to the DOI, and any other text the plain name. Text beside the DOI stays, as do the other DOIs of a
    cell whose DOIs have rows of their own (`is_split`). Raises NotWritable."""
    if len(text) > LONGEST_TEXT:
        raise NotWritable(TOO_LONG)
    if not is_split or (len(names) == 1 and names[0][0] == text):
        ((_, name),) = names
        new, wanted = _build(text, name), [name]
    else:
        new, wanted = _build_parts(text, {fold_text(part): name for part, name in names})
    if not _reads_as(_AUTHORITY.sub("", new), wanted, is_split=is_split):
        raise NotWritable(READ_OTHERWISE)
    return new


def _build_parts(text: str, names: Mapping[str, str]) -> tuple[str, list[str]]:
    """Return the text with the names in place of the parts that mean their keys, and the names that it then holds."""
    pieces, wanted, at = list[str](), list[str](), 0
    left = set(names)
    for start, end in find_parts(text):
        part = text[start:end]
        key = fold_text(part)
        pieces.append(text[at:start])
        if key in names:
            pieces.append(_build(part, names[key]))
            left.discard(key)
        else:
            pieces.append(part)
        wanted += (
            [names[key]] if key in names else [str(one.doi) for one in read_all(_AUTHORITY.sub("", part)) if one.doi]
        )
        at = end
    if left:
        raise NotWritable(BESIDE)
    return "".join([*pieces, text[at:]]), wanted


def fold_text(text: str) -> str:
    """Return the key of a part: the name that it means, so that each repetition is found, else its text."""
    reading = read_value(text)
    return fold(str(reading.doi)) if reading.doi else text.strip()


def _build(text: str, name: str) -> str:
    if (authority := _AUTHORITY.search(text)) and not name.endswith(authority.group()):
        return _build(text[: authority.start()], name) + text[authority.start() :]
    reason = explain_remainder(text, name)
    if reason is BESIDE and all(each.code != "inner-space" for each in read_value(text).problems):
        return _build_beside(text, name)  # with white space within, whether the DOI goes on there is open
    if reason is not None:
        raise NotWritable(reason)
    return encode(name) if is_link(text) else name


def _build_beside(text: str, name: str) -> str:
    """Return the text with the name in place of its one DOI, if it is clear where that begins and ends."""
    found = find_in_note(text)
    if len(found) != 1 or found[0].reason:
        raise NotWritable(next((each.reason for each in found if each.reason), BESIDE))
    start, end = found[0].start, found[0].end
    present, after = text[start:end], text[end:]
    new, old = squeeze(name), squeeze(str(read_value(present).doi or present))
    following = next(filter(None, map(squeeze, after.split())), "")
    if following and following in new and following not in old:
        raise NotWritable(BESIDE)  # the DOI goes on there
    ensure_no_remainder(present, name)
    return text[:start] + (encode(name) if is_link(present) else name) + after


def _reads_as(text: str, names: Sequence[str], *, is_split: bool) -> bool:
    """Return whether the text means these names and no others."""
    readings: Sequence[Reading] = read_all(text) if is_split else [read_value(text)]
    if not is_split and readings[0].others:
        return False
    found = {fold(str(each.doi)) for each in readings if each.doi}
    return found == set(map(fold, names))

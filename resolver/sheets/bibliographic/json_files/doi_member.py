"""The member for a DOI in an object that has none: its own if that is empty, else a new one at the end."""

from collections.abc import Mapping
from typing import Any

from resolver.sheets.bibliographic.json_files.members import walk_top
from resolver.sheets.bibliographic.record import Edit

DOI = "DOI"
_NAME = b'"DOI"'
_MOST_BLANKS = 200  # that are copied


def has_unread_doi(value: Mapping[str, Any]) -> bool:
    """Return whether an object without a place has a value as its DOI: in a field that isn't read, in other letters,
    or not as a text."""
    values = (each for name, each in value.items() if name.casefold() == DOI.casefold())
    return any(each is not None and not (isinstance(each, str) and not each.strip()) for each in values)


def add_member(raw: bytes, text: bytes) -> Edit:
    """Return the edit that gives an object this DOI, with the white space and the separators of its last member."""
    members = list(walk_top(raw))
    written = b'"' + text + b'"'
    for member in reversed(members):
        if raw[slice(*member.name)] == _NAME:
            return Edit(*member.value, written)
    if not members:
        return Edit(1, 1, _NAME + b": " + written)
    last = members[-1]
    colon = raw[last.name[1] : last.value[0]]
    between = raw[members[-2].value[1] : last.name[0]] if len(members) > 1 else b"," + raw[1 : last.name[0]]
    if len(between) > _MOST_BLANKS or (between == b"," and colon[-1:].isspace()):
        between = b", "
    at = last.value[1]
    return Edit(at, at, between + _NAME + (colon if len(colon) <= _MOST_BLANKS else b": ") + written)

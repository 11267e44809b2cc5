"""The tags of an XML part as they are written, and their attributes by local name."""

import re

from resolver.sheets.bibliographic.xml_leaves import escape_xml

TAG = re.compile(r"""<(?P<name>[^\s/>]++)(?:[^"'>]|"[^"]*+"|'[^']*+')*+>""")
_ATTRIBUTE = re.compile(r"""\s+(?P<name>[^\s=/>]++)\s*+=\s*+(?P<value>"[^"]*+"|'[^']*+')""")
_REFERENCE = re.compile(r"&(?:#x([0-9A-Fa-f]{1,8})|#([0-9]{1,9})|(\w{1,9}));")
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_WHITE = {"\t": "&#9;", "\n": "&#10;", '"': "&quot;"}


def get_attribute(tag: str, local: str) -> str | None:
    """Return the value of the first attribute with this local name."""
    for found in _ATTRIBUTE.finditer(tag):
        if found["name"].rpartition(":")[2] == local:
            return unescape_xml(found["value"][1:-1])
    return None


def set_attribute(tag: str, local: str, value: str | None, name: str = "") -> str:
    """Return a tag with this value of each attribute with this local name, or without them. If it has none, it gets one
    with the `name`, if that is given. Raises NotWritable for a character that XML can't hold."""
    written = None if value is None else f'"{_encode_value(value)}"'
    pieces, at, is_there = list[str](), 0, False
    for found in _ATTRIBUTE.finditer(tag):
        if found["name"].rpartition(":")[2] == local:
            is_there = True
            start, stop = found.span("value") if written else found.span()
            pieces += tag[at:start], written or ""
            at = stop
    if not is_there and written and name:
        at = len(tag) - (2 if tag.endswith("/>") else 1)
        pieces += tag[:at], f" {name}={written}"
    return "".join([*pieces, tag[at:]])


def open_tag(tag: str) -> str:
    """Return a tag that has an end tag, also if it had none."""
    return f"{tag[:-2]}>" if tag.endswith("/>") else tag


def unescape_xml(text: str) -> str:
    """Return the text of XML without tags."""
    return _REFERENCE.sub(_resolve, text) if "&" in text else text


def _resolve(found: re.Match[str]) -> str:
    code, decimal, name = found.groups()
    if name:
        return _ENTITIES.get(name, found[0])
    number = int(code, 16) if code else int(decimal)
    return chr(number) if number <= 0x10FFFF else found[0]


def _encode_value(value: str) -> str:
    return "".join(_WHITE.get(sign, sign) for sign in escape_xml(value))

"""Special characters as BibTeX files write them."""

import re

ESCAPED = re.compile(
    r"\{\\([_%#&$~])\}|\\([_%#&${}])|\{\\text(less|greater|underscore)\}"
    r"|\\text(less|greater|underscore)(?:\{\}|(?![A-Za-z])\s?)|\$([<>])\$"
)
_SIGNS = {"less": "<", "greater": ">", "underscore": "_"}


def unescape(text: str) -> str:
    """Return the text with the characters that are written with a backslash, or between dollars."""
    return ESCAPED.sub(lambda match: _SIGNS.get(match[match.lastindex or 0], match[match.lastindex or 0]), text)

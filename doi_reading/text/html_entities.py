"""HTML entities in a text, replaced by their characters."""

import re
from html.entities import html5

from doi_reading.text.source_text import SourceText

_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


def _decode_entity(entity: str) -> str | None:
    body = entity[1:]
    if not body.startswith("#"):
        return html5.get(body)
    digits = body[1:-1]
    code = int(digits[1:], 16) if digits[0] in "xX" else int(digits)
    return chr(code) if code <= 0x10FFFF else None


def decode_html_entities(excerpt: SourceText, rounds: int = 3) -> tuple[SourceText, list[tuple[int, int]]]:
    """Replace HTML entities by their characters. Return the text, and the spans of the entities in the input. A file of
    HTML means one round; `&amp;amp;lt;` occurs in exports of exports, and deeper nesting doesn't occur."""
    found: dict[int, int] = {}
    for _ in range(rounds):
        if "&" not in excerpt.text:
            break
        pieces = [
            (match.start(), match.end(), meaning)
            for match in _ENTITY.finditer(excerpt.text)
            if (meaning := _decode_entity(match.group())) is not None
        ]
        if not pieces:
            break
        # `&amp;lt;` is found twice, the second time as a whole: the later, longer span replaces the first.
        found.update(excerpt.span(start, end) for start, end, _new in pieces)
        excerpt = excerpt.with_replaced(pieces)
    return excerpt, sorted(found.items())

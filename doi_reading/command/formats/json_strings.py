r"""JSON, such as CSL-JSON: its strings, without `\/` and `\u002f`. The value of a key `DOI` is a field."""

import json
import re
from collections.abc import Iterator

from doi_reading.command.file_text import RefusedFile
from doi_reading.command.passage import Passage
from doi_reading.text.source_text import SourceText

_STRING = re.compile(r'"((?:[^"\\]|\\.)*+)"(\s*+:)?')
_ESCAPE = re.compile(r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))")
_SIGNS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


def find_passages(text: str) -> Iterator[Passage]:
    """Yield the strings that are values. Raises RefusedFile if the file isn't JSON."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        raise RefusedFile(f"it isn't JSON: {error.msg} in line {error.lineno}, column {error.colno}") from None
    except (RecursionError, ValueError) as error:
        raise RefusedFile(f"its JSON can't be read: {error}") from None
    whole, key = SourceText.of(text), ""
    for string in _STRING.finditer(text):
        if string[2]:
            key = string[1]
        else:
            escaped, value = r"\/" in string[1], _unescape(whole.cut(*string.span(1)))
            if key.lower() == "doi":
                yield Passage(value.strip(), is_field=True, takes_link=False, escape_slash=escaped)
            else:
                yield Passage(value, escape_slash=escaped)


def _unescape(excerpt: SourceText) -> SourceText:
    if "\\" not in excerpt.text:
        return excerpt
    return excerpt.with_replaced([(one.start(), one.end(), _decode(one)) for one in _ESCAPE.finditer(excerpt.text)])


def _decode(escape: re.Match[str]) -> str:
    high, low, code, sign = escape.groups()
    if high:
        return chr(0x10000 + ((int(high, 16) & 0x3FF) << 10) + (int(low, 16) & 0x3FF))
    return chr(int(code, 16)) if code else _SIGNS.get(sign, sign)

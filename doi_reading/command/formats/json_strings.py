r"""JSON, such as CSL-JSON: its strings, without `\/` and `\u002f`. The value of a key `DOI` is a field, if the file is
CSL-JSON or the value looks like a DOI."""

import json
import re
from collections.abc import Iterator

from doi_reading.command.file_text import WrongFormat
from doi_reading.command.passage import Passage
from doi_reading.text.source_text import SourceText

_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*+)"(\s*+:)?|[][{}]')
_ESCAPE = re.compile(r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))")
_SIGNS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


_LIKE_DOI = re.compile(r"1[0OoIl][.,:]|[0-9]\s?[/\\]|%2f|doi", re.IGNORECASE)


def find_passages(text: str) -> Iterator[Passage]:
    """Yield the strings that are values. Raises WrongFormat if the file isn't JSON."""
    return find_string_passages(SourceText.of(text))


def find_string_passages(whole: SourceText) -> Iterator[Passage]:
    """Yield the strings of JSON that are values. Raises WrongFormat if it isn't JSON."""
    try:
        data = json.loads(whole.text)
    except json.JSONDecodeError as error:
        raise WrongFormat(f"it isn't JSON: {error.msg} in line {error.lineno}, column {error.colno}") from None
    except (RecursionError, ValueError) as error:
        raise WrongFormat(f"its JSON can't be read: {error}") from None
    is_csl, key = _is_csl(data), ""
    for token in _TOKEN.finditer(whole.text):
        if token[1] is None:
            key = key if token[0] == "[" else ""
        elif token[2]:
            key = token[1]
        else:
            escaped, value = r"\/" in token[1], _unescape(whole.cut(*token.span(1))).strip()
            if key.lower() == "doi" and (is_csl or _LIKE_DOI.search(value.text)):
                yield Passage(value, is_field=True, takes_link=False, escape_slash=escaped)
            else:
                yield Passage(value, is_value=True, escape_slash=escaped)


def _is_csl(data: object) -> bool:
    """Return whether these are items of CSL: elsewhere a key `DOI` may have anything."""
    items = data if isinstance(data, list) else [data]
    return all(isinstance(one, dict) and "type" in one for one in items)


def _unescape(excerpt: SourceText) -> SourceText:
    if "\\" not in excerpt.text:
        return excerpt
    return excerpt.with_replaced([(one.start(), one.end(), _decode(one)) for one in _ESCAPE.finditer(excerpt.text)])


def _decode(escape: re.Match[str]) -> str:
    high, low, code, sign = escape.groups()
    if high:
        return chr(0x10000 + ((int(high, 16) & 0x3FF) << 10) + (int(low, 16) & 0x3FF))
    return chr(int(code, 16)) if code else _SIGNS.get(sign, sign)

"""JSONP: which callbacks are plain JavaScript names, and the answer wrapped in one (A7)."""

import re

from doi_reading import Message
from resolver.domain.handle.wire import WireError

_NAME = "[A-Za-z_$][A-Za-z0-9_$]*"
_CALLBACK = re.compile(rf"{_NAME}(?:\.{_NAME})*\Z")
_RESERVED = """
    break case catch class const continue debugger default delete do else enum export extends false finally for function
    if import in instanceof new null return super switch this throw true try typeof var void while with
"""
_NOT_NAMES = frozenset(_RESERVED.split())


def is_callback(name: str) -> bool:
    """Return whether the text is a plain JavaScript name, or several joined by dots (`angular.callbacks._0`), and so
    may be a JSONP callback (A7)."""
    is_short_name = len(name) <= 128 and _CALLBACK.match(name) is not None
    return is_short_name and _NOT_NAMES.isdisjoint(name.split("."))


def encode_jsonp(callback: str, body: bytes) -> bytes:
    """Encode `callback(body);` (A7). Escape the two line separators that end a line in older JavaScript."""
    if not is_callback(callback):
        raise WireError(Message("the callback is not a plain JavaScript name"))
    safe = body.replace(b"\xe2\x80\xa8", b"\\u2028").replace(b"\xe2\x80\xa9", b"\\u2029")
    return callback.encode("ascii") + b"(" + safe + b");"

"""Braces in bulk: a file may hold ten million of them, and a step of Python for each would take half a minute."""

import re
from array import array
from itertools import accumulate, islice

BRACES_BEFORE_SKIP = 64
"""Braces that are read one by one before `skip_nested` is worth a try."""
_SKIPPED_BYTES = 1 << 8  # at a time
_BRACE, _BRACE_OR_QUOTE = re.compile(rb"[{}]"), re.compile(rb"[{}\"]")
_OTHERS = bytes(byte for byte in range(256) if byte not in b"{}")
_STEPS = bytes.maketrans(b"{}", b"\x01\xff")  # as signed bytes: one deeper, one less deep


def skip_nested(text: bytes, at: int, end: int, depth: int, lowest: int) -> tuple[int, int]:
    """Return a later place and the depth of braces there: the depth is more than `lowest` all the way."""
    while end - at >= _SKIPPED_BYTES:
        steps = array("b", text[at : at + _SKIPPED_BYTES].translate(_STEPS, _OTHERS))
        if min(accumulate(steps, initial=depth)) <= lowest:
            break
        at, depth = at + _SKIPPED_BYTES, depth + sum(steps)
    return at, depth


def find_closing(text: bytes, at: int, end: int, *, quoted: bool) -> int:
    """Return the end of a value whose inside begins at `at`: the brace that closes it, or if it is `quoted` a quotation
    mark outside of braces. -1 if it doesn't end, or has a closing brace too many."""
    if not quoted:
        last = text.find(b"}", at, end)
        if last < 0 or text.find(b"{", at, last) < 0:  # as in most values
            return last
    depth, signs = int(not quoted), _BRACE_OR_QUOTE if quoted else _BRACE
    while True:
        last = at
        for match in islice(signs.finditer(text, at, end), BRACES_BEFORE_SKIP):
            at, sign = match.end(), match.group()
            if sign == b'"':
                if depth == 0:
                    return match.start()
                continue
            depth += 1 if sign == b"{" else -1
            if depth == 0 and not quoted:
                return match.start()
            if depth < 0:
                return -1
        if at == last:
            return -1
        if depth > 0:
            at, depth = skip_nested(text, at, end, depth, 0)

"""A unified diff of two texts that differ inside lines alone, in a time that grows with their length. `git apply` takes
it. For git a file in UTF-16 is binary, so its diff has a `#` before each line: it is for people, and git skips it."""

import os
import re
from collections.abc import Iterator
from pathlib import PurePath

from doi_reading.command.file_text import FileText

_LINE = re.compile(rb"[^\n]*\n|[^\n]+")
_CONTEXT = 3
_ESCAPED = re.compile(rb'[\x00-\x1f"\\\x7f-\xff]')


def write_diff(name: str, source: FileText, after: str) -> Iterator[bytes]:
    """Yield the diff that makes a file with the text `after` of `source`; both have the same number of lines."""
    near = os.path.relpath(name)
    name = near if not near.startswith(os.pardir) else PurePath(name).as_posix()
    if source.charset.startswith("utf-16"):
        lines = _LINE.findall(b"".join(_compare(name, source.text.encode(), after.encode())))
        yield from (b"# " + line for line in lines)
    else:
        yield from _compare(name, source.encode(source.text), source.encode(after))


def _compare(name: str, before: bytes, after: bytes) -> Iterator[bytes]:
    old, new = _LINE.findall(before), _LINE.findall(after)
    changed = [line for line, (one, other) in enumerate(zip(old, new, strict=True)) if one != other]
    if changed:
        yield b"".join([b"--- ", _quote("a/", name), b"\n+++ ", _quote("b/", name), b"\n"])
    while changed:
        count = next((n for n in range(1, len(changed)) if changed[n] - changed[n - 1] > 2 * _CONTEXT), len(changed))
        hunk, changed = changed[:count], changed[count:]
        yield from _write_hunk(old, new, hunk)


def _quote(side: str, name: str) -> bytes:
    """Return the name on a side (`a/`, `b/`) as git writes it: quoted if a sign in it would end it, with a TAB after a
    name with spaces."""
    path = os.fsencode(side + name.lstrip("/"))
    if _ESCAPED.search(path):
        return b'"' + _ESCAPED.sub(lambda sign: b"\\%03o" % sign[0][0], path) + b'"'
    return path + b"\t" * (b" " in path)


def _write_hunk(old: list[bytes], new: list[bytes], changed: list[int]) -> Iterator[bytes]:
    start, end = max(0, changed[0] - _CONTEXT), min(len(old), changed[-1] + 1 + _CONTEXT)
    yield b"@@ -%d,%d +%d,%d @@\n" % (start + 1, end - start, start + 1, end - start)
    at = start
    while at < end:
        run = at
        while run < end and old[run] != new[run]:
            run += 1
        if run == at:
            yield _end_line(b" " + old[at])
            at += 1
            continue
        yield from (_end_line(b"-" + line) for line in old[at:run])
        yield from (_end_line(b"+" + line) for line in new[at:run])
        at = run


def _end_line(line: bytes) -> bytes:
    return line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n"

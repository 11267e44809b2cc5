"""A unified diff of two texts that differ inside lines alone, in a time that grows with their length."""

import re
from collections.abc import Iterator

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_CONTEXT = 3


def write_diff(name: str, before: str, after: str) -> Iterator[str]:
    """Yield the diff that makes `after` of `before`; both have the same number of lines."""
    old, new = _LINE.findall(before), _LINE.findall(after)
    changed = [line for line, (one, other) in enumerate(zip(old, new, strict=True)) if one != other]
    if changed:
        yield f"--- a/{name}\n+++ b/{name}\n"
    while changed:
        count = next((n for n in range(1, len(changed)) if changed[n] - changed[n - 1] > 2 * _CONTEXT), len(changed))
        hunk, changed = changed[:count], changed[count:]
        yield from _write_hunk(old, new, hunk)


def _write_hunk(old: list[str], new: list[str], changed: list[int]) -> Iterator[str]:
    start, end = max(0, changed[0] - _CONTEXT), min(len(old), changed[-1] + 1 + _CONTEXT)
    yield f"@@ -{start + 1},{end - start} +{start + 1},{end - start} @@\n"
    at = start
    while at < end:
        run = at
        while run < end and old[run] != new[run]:
            run += 1
        if run == at:
            yield _end_line(f" {old[at]}")
            at += 1
            continue
        yield from (_end_line(f"-{line}") for line in old[at:run])
        yield from (_end_line(f"+{line}") for line in new[at:run])
        at = run


def _end_line(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"

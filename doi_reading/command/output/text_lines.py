"""A line for each finding, as compilers have it: `file:line:column: severity code: message`."""

from collections.abc import Iterable, Iterator

from doi_reading.command.findings import DoiFinding


def write_report(findings: Iterable[DoiFinding], _pages: str) -> Iterator[str]:
    """Yield the lines. Characters that a terminal would obey are shown as escapes."""
    for one in findings:
        fixable = " [--fix corrects it]" if one.edits else ""
        perhaps = (
            f" Perhaps {', '.join(one.candidates)}." if one.candidates and not (one.edits or one.suggestion) else ""
        )
        yield (
            _show(f"{one.file}:{one.line}:{one.column}: {one.severity} {one.code}: {one.message}{perhaps}{fixable}")
            + "\n"
        )


def _show(line: str) -> str:
    if line.isprintable():
        return line
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode("ascii") for one in line)

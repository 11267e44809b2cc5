"""Workflow commands of GitHub Actions, which become annotations of the lines.

https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
"""

from collections.abc import Iterable, Iterator

from doi_reading.command.findings import DoiFinding

_COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}


def write_report(findings: Iterable[DoiFinding], _pages: str) -> Iterator[str]:
    """Yield the commands. Of a place in several lines only the first line is named: columns need one line."""
    for one in findings:
        end = f",endLine={one.end_line},endColumn={one.end_column}" if one.end_line == one.line else ""
        place = f"file={_escape_property(one.file)},line={one.line}{end},col={one.column},title={one.code}"
        yield f"::{_COMMANDS[one.severity]} {place}::{_escape(one.message)}\n"


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")

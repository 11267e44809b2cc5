"""A list of objects in JSON, ASCII only: a finding may quote half a character."""

import json
from collections.abc import Iterable, Iterator

from doi_reading.command.findings import DoiFinding
from doi_reading.command.output.members import list_members


def write_report(findings: Iterable[DoiFinding], _pages: str) -> Iterator[str]:
    """Yield the list."""
    before = "["
    for one in findings:
        yield f"{before}\n  {json.dumps(list_members(one))}"
        before = ","
    yield "[]\n" if before == "[" else "\n]\n"

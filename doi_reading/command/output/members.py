"""The members of a finding in JSON and CSV."""

from doi_reading.command.findings import DoiFinding

MEMBERS = (
    "file", "line", "column", "end_line", "end_column", "start", "end", "severity", "code", "message", "text", "doi",
    "url", "candidates", "suggestion", "fixable",
)  # fmt: skip


def list_members(finding: DoiFinding) -> dict[str, object]:
    """Return the members by name, in the order of MEMBERS."""
    values = {name: getattr(finding, name) for name in MEMBERS[:-1]}
    return {**values, "candidates": list(finding.candidates), "fixable": bool(finding.edits)}

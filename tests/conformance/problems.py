"""docs/problems.md, made of the catalogue: `python -m tests.conformance.problems` writes it."""

from pathlib import Path

from resolver.domain.problems import CATALOGUE, problem

PAGE = Path(__file__).parents[2] / "docs" / "problems.md"
HEAD = """# Problem codes

Generated from the catalogue by `python -m tests.conformance.problems`; not to be edited.

A code keeps its meaning; the list may grow. An error says that the text as it stands leads nowhere, or elsewhere; a
warning, that something is likely wrong; an info, what was done. The clause is that of [the clauses](conformance.md).

| code | severity | what it says | what to do | clause |
|---|---|---|---|---|
"""


def page() -> str:
    """One row for each code, in the catalogue's order."""
    rows = [
        f"| `{code}` | {entry.severity} | {_cell(problem(code).message)} | {_cell(entry.advice)} | {entry.clause} |"
        for code, entry in CATALOGUE.items()
    ]
    return HEAD + "\n".join(rows) + "\n"


def _cell(text: str) -> str:
    """Text as a table shows it: no Markdown and no HTML in it means anything."""
    for special in ("\\", "|", "<", "*", "_", "`"):
        text = text.replace(special, f"\\{special}")
    return text


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

"""docs/problems.md, made of the catalogue: `python -m tests.conformance.problems` writes it."""

import os
from pathlib import Path

import django

from resolver.domain.problems.catalogue import OF_CELLS, OF_RECORDS
from resolver.domain.problems.problem import CATALOGUE, Entry, problem
from resolver.web.site.highlight import glyphs

PAGE = Path(__file__).parents[2] / "docs" / "problems.md"
_WITHOUT_EXAMPLE = {"too-long": "any longer text", "not-read": "none: an error in the portal"}
HEAD = """# Problem codes

Generated from the catalogue by `python -m tests.conformance.problems`; not to be edited.

A code keeps its meaning; the list may grow. An error says that the text as it stands leads nowhere, or elsewhere; a
warning, that something is likely wrong; an info, what was done. The clause is that of [the clauses](conformance.md).
The example is a text that has the problem; a character of it that cannot be seen stands as its code point, ⟨U+200B⟩.
Those of records ({records}) are names of the sample proxy. Those of
cells ({cells}) show a workbook's cell and, behind the arrow, where its hyperlink leads.
In the portal `/help` shows the same, a page for each code.

| code | severity | title | what it says | what to do | example | clause |
|---|---|---|---|---|---|---|
"""


def page() -> str:
    """One row for each code, in the catalogue's order."""
    rows = [
        f"| `{code}` | {entry.severity} | {_cell(entry.title)} | {_cell(problem(code).message)} "
        f"| {_cell(entry.advice)} | {_example(entry)} | {entry.clause} |"
        for code, entry in CATALOGUE.items()
    ]
    records = ", ".join(f"`{code}`" for code in CATALOGUE if code in OF_RECORDS)
    cells = ", ".join(f"`{code}`" for code in CATALOGUE if code in OF_CELLS)
    return HEAD.format(records=records, cells=cells) + "\n".join(rows) + "\n"


def _example(entry: Entry) -> str:
    """The example as code: an entity and a bar would be read by whoever renders the table."""
    shown = "".join(f"⟨{glyph.label}⟩" if glyph.label else glyph.text for glyph in glyphs(entry.example))
    for special, written in (("&", "&amp;"), ("<", "&lt;"), ("|", "&#124;")):
        shown = shown.replace(special, written)
    return f"<code>{shown}</code>" if shown else _WITHOUT_EXAMPLE[entry.code]


def _cell(text: str) -> str:
    """Text as a table shows it: no Markdown and no HTML in it means anything."""
    for special in ("\\", "|", "<", "*", "_", "`"):
        text = text.replace(special, f"\\{special}")
    return text


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "doiportal.settings")
    django.setup()  # the labels of what cannot be seen are words of the pages
    PAGE.write_text(page(), encoding="utf-8")

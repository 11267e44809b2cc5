"""docs/problems.md, made of the catalogue: `python -m tests.conformance.problems` writes it."""

import os
from pathlib import Path

import django

from doi_reading import CATALOGUE
from doi_reading.problems import OF_CELLS, OF_RECORDS, OF_WORKS, Entry, make_problem
from resolver.web.wording.highlight import to_glyphs

PAGE = Path(__file__).parents[2] / "docs" / "problems.md"
_WITHOUT_EXAMPLE = {
    "empty": "a cell with nothing in it, or only blanks and invisible characters",
    "too-long": "any longer text",
    "not-read": "none: an error in the portal",
    "unreadable-record": "a damaged record of a bibliographic file",
    "broken-link": "a cell whose hyperlink opens another DOI, which isn't registered",
    **dict.fromkeys(sorted(OF_WORKS), "a work that the list of retractions names so"),
    "link-suggests": "a cell whose text has a mistyped DOI, and whose hyperlink opens the right one",
    "other-work": "a row whose title and authors aren't those of its DOI",
    "compare-work": "a row whose title, authors or year differ from those of its DOI",
    "found-by-title": "a row without a DOI whose title and author a search service lists",
    "found-by-identifier": "a row without a DOI, with the arXiv number of its work in another column",
}
HEAD = """# Problem codes

Don't edit this page. `python -m tests.conformance.problems` writes it from the catalogue.

A code keeps its meaning, and the list may grow. An error means that we can't read a DOI, or that its link may fail or
open another DOI. A warning means that something is probably wrong. An info says what was done. The last column names
the [clauses](conformance.md). Each example is a text with the problem; an invisible character is shown as its code
point, ⟨U+200B⟩. The examples of problems of records ({records}) are names of the sample proxy. The examples of problems
of cells ({cells}) show the cell of a workbook and, after the arrow, the address of its hyperlink. In the portal,
`/help` has a page for each code.

| code | severity | title | what it says | what to do | example | clause |
|---|---|---|---|---|---|---|
"""


def page() -> str:
    """One row for each code, in the catalogue's order."""
    rows = [
        f"| `{code}` | {entry.severity} | {_cell(entry.title)} | {_cell(make_problem(code).message)} "
        f"| {_cell(entry.advice)} | {_example(entry)} | {entry.clause} |"
        for code, entry in CATALOGUE.items()
    ]
    records = ", ".join(f"`{code}`" for code in CATALOGUE if code in OF_RECORDS)
    cells = ", ".join(f"`{code}`" for code in CATALOGUE if code in OF_CELLS)
    return HEAD.format(records=records, cells=cells) + "\n".join(rows) + "\n"


def _example(entry: Entry) -> str:
    """The example as code: an entity and a bar would be read by whoever renders the table."""
    shown = "".join(f"⟨{glyph.label}⟩" if glyph.label else glyph.text for glyph in to_glyphs(entry.example))
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

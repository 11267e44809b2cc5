"""A BibTeX file goes in, three suggestions are reviewed, and the file comes out."""

from pathlib import Path

import bibtexparser
from playwright.sync_api import Page, expect

from tests.journeys.steps import preview, wait_until_finished

# Months, strings, braces and odd spaces, which programs that write BibTeX anew change.
BIBTEX = """% kept by hand
@string{ jcsl = "J. Citation  Style" }

@Article{ one,
\ttitle   = {A {T}itle},
  month=jan, journal = jcsl # " (online)",
  DOI = {10.5555/b\u200bib-1},
}
@article{two, doi="10.5555/b\u200bib-2", url = {https://doi.org/10.5555/b%E2%80%8Bib-2} }
@misc(three, doi = {10.5555/bib-3}, note = {not to be changed})
"""


def test_three_suggestions_are_reviewed_and_the_file_comes_out(scripted: Page, tmp_path: Path) -> None:
    page, file = scripted, tmp_path / "library.bib"
    file.write_bytes(BIBTEX.replace("\n", "\r\n").encode())
    preview(page, file)
    expect(page.get_by_text("3 references (BibTeX)")).to_be_visible()
    page.get_by_role("button", name="Check 3 references").click()
    wait_until_finished(page)
    address = page.url.partition("?")[0]
    page.goto(f"{address}/review")
    for key, told in (("a", "Row 1: accepted"), ("a", "Row 2: accepted"), ("r", "Row 3: rejected")):
        page.keyboard.press(key)
        expect(page.get_by_role("status")).to_contain_text(told)
    page.goto(f"{address}/files")
    with page.expect_download() as download:
        page.get_by_role("link", name="safe corrections").click()
    assert download.value.suggested_filename == "library-corrected.bib"
    found = download.value.path().read_bytes()

    accepted = BIBTEX.replace("{10.5555/b\u200bib-1}", "{10.5555/bib-1}").replace(
        '"10.5555/b\u200bib-2"', '"10.5555/bib-2"'
    )
    assert found.decode() == accepted.replace("\n", "\r\n")
    dois = [entry.fields_dict for entry in bibtexparser.parse_string(found.decode()).entries]
    assert [(fields.get("DOI") or fields["doi"]).value for fields in dois] == [
        "10.5555/bib-1",
        "10.5555/bib-2",
        "10.5555/bib-3",
    ]

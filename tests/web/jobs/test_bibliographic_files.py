"""Bibliographic files on the pages: the preview with its fields, and the file that comes back."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from resolver.models import Draft, Job, Row
from resolver.services.uploads import stored_uploads
from tests.web.conftest import Look, html_of, run, text_of

pytestmark = pytest.mark.django_db
BIBTEX = b"""@article{doe2001, title = {An article}, doi = {10.1000/182.}, url = {https://doi.org/10.1000/182}}
"""


@pytest.fixture
def draft(visitor: Client) -> str:
    visitor.post("/jobs/new", {"file": SimpleUploadedFile("library.bib", BIBTEX)})
    return f"/drafts/{Draft.objects.get().pk}"


def test_the_preview_names_the_format_and_the_fields(visitor: Client, draft: str) -> None:
    said = text_of(visitor.get(draft))
    assert "1 reference (BibTeX) with DOIs or links in 2 of its fields." in said
    assert "Check 1 reference" in said
    assert "We read the fields doi, url" in said
    assert "Fields that we read" in said
    assert len(re.findall(rb'name="fields_read"[^>]* checked', visitor.get(draft).content)) == 5
    assert "Header row" not in said
    assert "One DOI per row" not in said


def test_a_person_may_leave_fields_out(visitor: Client, draft: str) -> None:
    page = visitor.get(draft, {"fields_read": ["url"]})
    assert "We read the fields url." in text_of(page)
    assert re.findall(rb'name="fields_read" value="([a-z]+)"[^>]* checked', page.content) == [b"url"]
    visitor.post(draft, {"fields_read": ["url"]})
    job = Job.objects.get()
    assert (job.layout["fields"], job.total) == (["url"], 1)


def test_without_a_field_with_a_doi_another_choice_is_offered(visitor: Client, draft: str) -> None:
    page = visitor.get(draft, {"fields_read": ["note"]})
    assert page.status_code == 422
    assert "without a DOI in the fields that are read: note." in text_of(page)


def test_the_page_of_the_list_offers_the_file_with_its_corrected_dois(visitor: Client, upload: Look) -> None:
    upload(BIBTEX, "library.bib")
    job = run(Job.objects.get())
    page = text_of(visitor.get(f"/jobs/{job.pk}/files"))
    assert "Download library.bib with the one safe correction" in page
    assert "BibTeX; fields doi, url, ee, note, howpublished" in text_of(visitor.get(f"/jobs/{job.pk}"))
    assert b"".join(visitor.get(f"/jobs/{job.pk}/results.original")) == BIBTEX
    suggested = visitor.get(f"/jobs/{job.pk}/results.original?accept=suggested")
    assert suggested.headers["Content-Disposition"] == 'attachment; filename="library-corrected.bib"'
    assert b"".join(suggested) == BIBTEX.replace(b"182.", b"182")


def test_a_damaged_record_is_seen_before_the_check(visitor: Client) -> None:
    damaged = b"@book{a, doi = {10.1000/1}, title = {open\n" + BIBTEX
    visitor.post("/jobs/new", {"file": SimpleUploadedFile("library.bib", damaged)})
    assert "Damaged record" in text_of(visitor.get(f"/drafts/{Draft.objects.get().pk}"))


def test_rows_show_which_work_their_doi_should_stand_for(visitor: Client, upload: Look) -> None:
    upload(BIBTEX, "library.bib")
    job = run(Job.objects.get())
    for page in ("rows", "review"):
        said = text_of(visitor.get(f"/jobs/{job.pk}/{page}"))
        assert "doe2001" in said
        assert "An article" in said


MANY = b" and ".join(b"Author%d, Anna" % number for number in range(10))
BY_MANY = BIBTEX.replace(b"title = ", b"author = {" + MANY + b"}, journal = {Journal of Ice}, title = ")


def test_of_many_authors_pages_show_the_first_and_files_have_all(visitor: Client, upload: Look) -> None:
    visitor.post("/jobs/new", {"file": SimpleUploadedFile("library.bib", BY_MANY)})
    pages = [f"/drafts/{Draft.objects.get().pk}"]
    upload(BY_MANY, "library.bib")
    job = run(Job.objects.get())
    pages += [f"/jobs/{job.pk}/rows", f"/jobs/{job.pk}/review"]
    for page in pages:
        said = text_of(visitor.get(page))
        assert "Author0, Anna et al." in said, page
        assert "Author1" not in said, page
    assert "Author9, Anna" in text_of(visitor.get(f"/jobs/{job.pk}/rows/1"))
    lines = b"".join(visitor.get(f"/jobs/{job.pk}/results.csv")).decode("utf-8-sig").splitlines()
    assert lines[0].startswith("record,field,value,title,author,year,writable,reason,container,volume,page,row,")
    assert MANY.decode().replace(" and ", "; ") in lines[1]
    assert "Journal of Ice" in lines[1]
    assert b"".join(visitor.get(f"/jobs/{job.pk}/results.original")) == BY_MANY


def test_a_list_that_an_earlier_version_checked_keeps_its_columns_when_it_is_checked_again(
    visitor: Client, upload: Look
) -> None:
    upload(BY_MANY, "library.bib")
    first = run(Job.objects.get())
    first.layout["header"] = first.layout["header"][:8]
    Job.objects.filter(pk=first.pk).update(layout=first.layout, header=first.header[:8])
    for row in Row.objects.filter(job=first):
        Row.objects.filter(pk=row.pk).update(cells=row.cells[:8])
    visitor.post(f"/jobs/{first.pk}/again")
    second = run(Job.objects.get(rerun_of=first))
    for job in (first, second):
        for page in ("rows", "review", "rows/1"):
            assert "An article" in text_of(visitor.get(f"/jobs/{job.pk}/{page}"))
        lines = b"".join(visitor.get(f"/jobs/{job.pk}/results.csv")).decode("utf-8-sig").splitlines()
        assert lines[0].startswith("record,field,value,title,author,year,writable,reason,row,doi,")
        assert "column 9" not in lines[0]
    assert "No changes" in text_of(visitor.get(f"/jobs/{first.pk}/compare/{second.pk}"))


def test_a_doi_that_the_file_can_not_hold_is_told_with_its_reason(visitor: Client, upload: Look) -> None:
    upload(b"@book{doe2001, doi = 10.1000/182. }\n", "library-checked.bib")
    job = run(Job.objects.get())
    address = f"/jobs/{job.pk}/by-hand.csv?accept=suggested"
    assert f'{address}">The correction that your file can’t hold (CSV)</a>' in html_of(
        visitor.get(f"/jobs/{job.pk}/files")
    )
    response = visitor.get(address)
    assert response.headers["Content-Disposition"] == 'attachment; filename="library-checked-by-hand.csv"'
    header, line, *others = b"".join(response).decode("utf-8-sig").splitlines()
    assert header == "row,record,field,value,doi,reason"
    assert line == "1,doe2001,doi,10.1000/182.,10.1000/182,The value has no braces. Change it by hand."
    assert not others
    assert len(b"".join(visitor.get(f"/jobs/{job.pk}/by-hand.csv")).splitlines()) == 1


def test_without_the_uploaded_file_the_page_says_so(visitor: Client, upload: Look) -> None:
    upload(BIBTEX, "library.bib")
    job = run(Job.objects.get())
    stored_uploads.delete_upload(job.upload)
    for name in ("results.original", "by-hand.csv"):
        page = visitor.get(f"/jobs/{job.pk}/{name}")
        assert page.status_code == 410
        assert "The uploaded file is no longer available. Upload it again." in text_of(page)


def test_another_run_reads_the_same_fields_and_is_compared_with_the_first(visitor: Client, draft: str) -> None:
    visitor.post(draft, {"fields_read": ["doi"]})
    first = run(Job.objects.get())
    visitor.post(f"/jobs/{first.pk}/again")
    second = run(Job.objects.get(rerun_of=first))
    assert (second.layout["fields"], second.total, second.state) == (["doi"], 1, "finished")
    assert "No changes" in text_of(visitor.get(f"/jobs/{first.pk}/compare/{second.pk}"))
    assert b"".join(visitor.get(f"/jobs/{second.pk}/results.original")) == BIBTEX


def test_whoever_has_the_link_of_a_shared_list_gets_the_corrected_file(
    visitor: Client, stranger: Client, upload: Look
) -> None:
    upload(BIBTEX, "library.bib")
    job = run(Job.objects.get())
    original = f"/jobs/{job.pk}/results.original?accept=suggested"
    assert stranger.get(original).status_code == 404
    visitor.post(f"/jobs/{job.pk}/share")
    job.refresh_from_db()
    stranger.get(f"/shared/{job.share_token}")
    assert b"".join(stranger.get(original)) == BIBTEX.replace(b"182.", b"182")


REFERENCE = "TY  - JOUR\nDO  - {}\nUR  - https://www.sciencedirect.com/science/article/doi/10.1000/182\nER  - \n"


@pytest.mark.parametrize(
    ("dois", "headline", "fields"),
    [
        (["10.1000/182"], "2 of 2 DOI fields are ready to import.", "1 reference · 2 DOI fields"),
        (["10.1000/182", "10.1000/182"], "4 of 4 DOI fields are ready to import.", "2 references · 4 DOI fields"),
        (["10.1000/182."], "2 of 2 DOI fields are ready to import.", "1 reference · 2 DOI fields"),
        (["10.1000/182", "10.5555/missing"], "3 of 4 DOI fields are ready to import. 1 isn’t.", "2 references"),
        (["http://dx.doi.org/10.1000/182", "x"], "3 of 4 DOI fields are ready to import. 1 isn’t.", "2 references"),
        (["x"] * 4, "4 of 8 DOI fields are ready to import. 4 aren’t.", "4 references"),
        (["10.5555/error", "10.1000/182"], "1 couldn’t be checked.", "2 references"),
    ],
)
def test_the_page_and_the_report_count_the_fields_of_references(
    visitor: Client, upload: Look, dois: list[str], headline: str, fields: str
) -> None:
    upload("".join(map(REFERENCE.format, dois)).encode(), "list.ris")
    job = run(Job.objects.get())
    page = text_of(visitor.get(f"/jobs/{job.pk}"))
    assert headline in page
    assert fields in page
    assert headline in text_of(visitor.get(f"/jobs/{job.pk}/report"))


def test_fields_of_one_reference_are_not_told_of_as_the_same_doi(visitor: Client, upload: Look) -> None:
    upload("".join(map(REFERENCE.format, ["10.1000/182"])).encode(), "list.ris")
    job = run(Job.objects.get())
    assert "repeat a DOI" not in text_of(visitor.get(f"/jobs/{job.pk}"))
    assert "same DOI" not in text_of(visitor.get(f"/jobs/{job.pk}/rows/2"))


def test_a_reference_with_the_doi_of_an_earlier_one_is_told_of(visitor: Client, upload: Look) -> None:
    upload("".join(map(REFERENCE.format, ["10.1000/182", "10.1000/182"])).encode(), "list.ris")
    job = run(Job.objects.get())
    assert "2 rows repeat a DOI" in text_of(visitor.get(f"/jobs/{job.pk}"))

"""The results of a list: rows on pages, one row in full, and the files."""

import csv
import io
import json
from itertools import chain
from typing import Any

import pytest
from django.test import Client
from python_calamine import CalamineWorkbook

from resolver.models import Job, Row
from resolver.services.jobs import import_rows
from resolver.services.results.export import build_results_name
from tests.stored_list import StoredList
from tests.web.conftest import Look, edge_of_page, html_of, run, store_list, text_of

LIST = 'note,DOI,sum\n"a ""quote""\nand a line",10.1000/182,=1+1\nx,https://doi.org/10.1000/456#789,-1\ny,10.5555/a\u200bb,2\n'
ENDINGS = ["csv", "xlsx", "jsonl"]


@pytest.fixture(scope="module")
def stored(module_portal: None) -> StoredList:
    return store_list(LIST, name="my list.csv")


@pytest.fixture
def job(stored: StoredList, visitor: Client) -> Job:
    return stored.give_to(visitor)


def body(response: Any) -> bytes:
    assert response.status_code == 200
    return b"".join(response.streaming_content)


def test_the_csv_has_every_row_in_order_with_its_columns(job: Job, visitor: Client):
    response = visitor.get(f"/jobs/{job.pk}/results.csv")
    assert response["Content-Disposition"] == 'attachment; filename="my list-checked.csv"'
    header, *rows = csv.reader(io.StringIO(body(response).decode("utf-8-sig"), newline=""))
    assert header[:5] == ["note", "DOI", "sum", "row", "doi"]
    assert [row[1] for row in rows] == ["10.1000/182", "https://doi.org/10.1000/456#789", "10.5555/a\u200bb"]
    assert rows[0][0] == 'a "quote"\nand a line'
    assert [row[2] for row in rows] == ["'=1+1", "-1", "2"]
    assert [row[6] for row in rows] == ["resolved", "not-found", "invalid"]


def test_the_csv_is_to_be_had_with_semicolons(job: Job, visitor: Client):
    text = body(visitor.get(f"/jobs/{job.pk}/results.csv?delimiter=%3B")).decode("utf-8-sig")
    assert text.startswith("note;DOI;sum;row;doi;")


def test_the_workbook_and_the_json_lines_say_the_same(job: Job, visitor: Client):
    book = CalamineWorkbook.from_filelike(io.BytesIO(body(visitor.get(f"/jobs/{job.pk}/results.xlsx"))))
    sheet = book.get_sheet_by_name("Results").to_python()
    lines = [json.loads(line) for line in body(visitor.get(f"/jobs/{job.pk}/results.jsonl")).splitlines()]
    outcome = sheet[0].index("outcome")
    assert [row[outcome] for row in sheet[1:]] == [line["outcome"] for line in lines]
    assert lines[0]["cells"]["sum"] == "=1+1"


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_page_leads_to_files_with_the_corrections_taken(job: Job, visitor: Client, ending: str):
    response = visitor.get(f"/jobs/{job.pk}/results.{ending}?corrected=1")
    assert response["Content-Disposition"] == f'attachment; filename="my list-corrected.{ending}"'
    page = html_of(visitor.get(f"/jobs/{job.pk}/files"))
    assert ending == "jsonl" or f'href="/jobs/{job.pk}/results.{ending}?corrected=1"' in page
    file = body(response)
    if ending == "csv":
        header, *rows = csv.reader(io.StringIO(file.decode("utf-8-sig"), newline=""))
        assert [header[-2], *(row[-2] for row in rows)] == ["corrected_doi", "10.1000/182", "", "10.5555/ab"]


@pytest.mark.parametrize("ending", ENDINGS)
def test_no_file_is_given_out_before_the_end(upload: Look, visitor: Client, ending: str):
    upload(LIST)
    response = visitor.get(f"/jobs/{Job.objects.latest('created_at').pk}/results.{ending}")
    assert response.status_code == 409
    assert "still checking this list" in text_of(response)


@pytest.mark.parametrize(
    ("filename", "expected"),
    [
        ("list.csv", "list-checked.csv"),
        ("a/../b.csv", "a_.._b-checked.csv"),
        ("", "dois-checked.csv"),
        ("...", "dois-checked.csv"),
        ("Überblick 2026.xlsx", "Überblick 2026-checked.csv"),
        ('x"\r\ny.csv', "x___y-checked.csv"),
    ],
)
def test_the_files_are_named_after_the_upload(filename: str, expected: str):
    assert build_results_name(filename, "csv") == expected


def test_a_row_in_full_marks_its_problems_and_shows_all_its_cells(job: Job, visitor: Client):
    page = visitor.get(f"/jobs/{job.pk}/rows/2")
    assert '<mark class="error">#' in html_of(page)
    said = text_of(page)
    assert "Row 3: This link is cut short, and its DOI isn’t registered" in said
    assert "Agency Public (the DOI Foundation) (by its prefix)" in said
    assert "sum -1" in said
    assert "Look up this DOI 10." in text_of(visitor.get(f"/jobs/{job.pk}/rows/3"))


def test_a_row_in_full_shows_the_other_dois_of_its_cell_and_the_candidates_that_exist_too(
    upload: Look, visitor: Client
):
    upload('DOI\n"10.1000/missing-a; 10.5555/two"\n10.1000/182.\n')
    job = run(Job.objects.latest("created_at"))
    said = text_of(visitor.get(f"/jobs/{job.pk}/rows/1"))
    assert "The prefix 10.1000 is registered." in said
    assert "Only one of the two DOIs is registered" in said
    assert "10.1000/missing-a ✗ Not registered" in said
    assert "10.5555/two ✓ Resolved Crossref https://example.org/landing/two" in said
    assert "More than one DOI" in text_of(visitor.get(f"/jobs/{job.pk}/rows"))
    Row.objects.filter(job=job, line=2).update(also_registered=["10.1000/1"])
    said = text_of(visitor.get(f"/jobs/{job.pk}/rows/2"))
    assert (
        "Also registered Only one can be meant. Compare them with the publication. 10.1000/1 Look up this DOI" in said
    )


@pytest.mark.parametrize("line", [0, 4, 2**31, 2**70])
def test_a_row_that_is_not_there_is_not_found(job: Job, visitor: Client, line: int):
    assert visitor.get(f"/jobs/{job.pk}/rows/{line}").status_code == 404


def test_rows_are_searched_and_filtered(job: Job, visitor: Client):
    said = text_of(visitor.get(f"/jobs/{job.pk}/rows", {"q": "456"}))
    assert "456#789" in said
    assert "10.1000/182" not in said
    assert "No rows match these filters." in text_of(visitor.get(f"/jobs/{job.pk}/rows", {"q": "nowhere"}))


@pytest.mark.parametrize(
    "query", ["after=x", "after=-1", "before=0", "after=99999999999", "before=%00", "q=%00&after="]
)
def test_odd_places_in_the_list_are_no_fault_of_the_portal(job: Job, visitor: Client, query: str):
    assert visitor.get(f"/jobs/{job.pk}/rows?{query}").status_code == 200


def test_every_row_is_on_exactly_one_page_forwards_and_backwards(job: Job, visitor: Client):
    Row.objects.bulk_create(Row(job=job, line=line, outcome="resolved") for line in range(4, 252))

    def walk(query: str, step: str) -> list[list[int]]:
        pages = []
        while True:
            page = visitor.get(f"/jobs/{job.pk}/rows?{query}").context["page"]
            pages.append([row.line for row in page.items])
            edge = edge_of_page(page, step)
            if edge is None:
                return pages
            query = f"{step}={edge}"

    forwards = walk("", "after")
    assert [len(page) for page in forwards] == [40, 40, 40, 40, 40, 40, 11]
    assert list(chain.from_iterable(forwards)) == list(range(1, 252))
    backwards = walk("before=252", "before")
    assert list(chain.from_iterable(reversed(backwards))) == list(range(1, 252))


def test_a_row_that_could_not_be_asked_says_why(upload: Look, visitor: Client):
    upload("doi\n10.5555/html-why\n")
    made = run(Job.objects.latest("created_at"))
    said = text_of(visitor.get(f"/jobs/{made.pk}/rows/1"))
    assert "Couldn’t check: " in said
    assert "Check it again later." in said


def test_rows_that_were_never_read_are_told_beside_the_filters(visitor: Client, upload: Look):
    upload("doi\n" + "".join(f"10.1000/n{number}\n" for number in range(1100)))
    job = Job.objects.latest("created_at")
    next(import_rows.read_into_rows(job.pk))
    visitor.post(f"/jobs/{job.pk}/cancel")
    assert "100 rows of the file weren’t read, so filters can’t find them." in text_of(
        visitor.get(f"/jobs/{job.pk}/rows")
    )

"""What pages say of cells with hyperlinks, and of rows that were left out above a header."""

import io
from typing import Any

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from resolver.models import Job
from tests.web.conftest import Look, run, text_of


def book(text: str, link: str) -> bytes:
    made = openpyxl.Workbook()
    made.active.append(["id", "DOI"])
    made.active.append([7, text])
    made.active["B2"].hyperlink = link
    made.active["B2"].value = text
    buffer = io.BytesIO()
    made.save(buffer)
    return buffer.getvalue()


def row_page(upload: Look, visitor: Client, text: str, link: str) -> str:
    upload(book(text, link), "book.xlsx")
    job = run(Job.objects.get())
    return text_of(visitor.get(f"/jobs/{job.pk}/rows/1"))


@pytest.mark.clause("B2")
def test_the_page_of_a_row_shows_both_dois_where_text_and_hyperlink_differ(upload: Look, visitor: Client):
    said = row_page(upload, visitor, "10.1000/182", "https://doi.org/10.5555/first")
    assert "its hyperlink opens another one (10.5555/first)" in said
    assert "Find out which DOI is right" in said
    assert "Each DOI needs its own row" not in said
    assert "The hyperlink has another DOI" in said


def test_the_page_of_a_row_says_that_the_hyperlink_was_read_and_what_the_cell_shows(upload: Look, visitor: Client):
    said = row_page(upload, visitor, "Full text", "https://doi.org/10.1000/182")
    assert "we read this one from its hyperlink" in said
    assert "https://doi.org/10.1000/182" in said
    assert "id 7" in said
    assert "DOI Full text" in said
    assert "It looks unusual" not in said


def test_the_page_of_a_list_says_in_which_row_the_column_names_stand(visitor: Client):
    form = {"file": SimpleUploadedFile("list.csv", b"A title\nid,DOI\n1,10.1000/182\n"), "header_row": "2"}
    job = visitor.post("/api/v1/jobs", form).json()
    said = text_of(visitor.get(f"/jobs/{job['id']}"))
    assert "column names in row 2, rows above it ignored" in said


@pytest.mark.parametrize("place", ["", "/api/v1"])
def test_the_numbers_of_a_workbook_are_numbers_in_the_xlsx_of_pages_and_rest(upload: Look, visitor: Client, place: str):
    upload(book("10.1000/182", "https://doi.org/10.1000/182"), "book.xlsx")
    job = run(Job.objects.get())
    response: Any = visitor.get(f"{place}/jobs/{job.pk}/results.xlsx")
    sheet = openpyxl.load_workbook(io.BytesIO(b"".join(response.streaming_content)))["Results"]
    assert sheet["A2"].value == 7

"""A job says how its file was read, and what a person should know of the whole list."""

import io
import json

import pytest
import xlsxwriter
from django.test import Client

from resolver.models import Job
from tests.api.conftest import Post, assert_problem, run

pytestmark = pytest.mark.django_db
NOTHING = dict.fromkeys(("sheet", "header_row", "delimiter", "encoding", "encoding_assumed"))


def _make_book() -> bytes:
    made = io.BytesIO()
    with xlsxwriter.Workbook(made) as book:
        book.add_worksheet("ReadMe").write_column(0, 0, ["Made by the vendor", "See sheet 2"])
        sheet = book.add_worksheet("Titles")
        for number, row in enumerate([["Title", "DOI"], ["T0", "10.60055/k.0"], ["T1", "10.60055/k.1"]]):
            sheet.write_row(number, 0, row)
    return made.getvalue()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("Title,DOI\nA,10.1000/1\n", {"header_row": 1, "delimiter": ",", "encoding": "utf-8"}),
        ("Report\n\nTitle\tDOI\nA\t10.1000/1\n", {"header_row": 3, "delimiter": "\t", "encoding": "utf-8"}),
        ("10.1000/1\n10.1000/2\n", {"header_row": 0, "delimiter": None, "encoding": "utf-8"}),
        ("DOI;T\n10.1000/1;A\n".encode("utf-16"), {"header_row": 1, "delimiter": ";", "encoding": "utf-16"}),
    ],
)
def test_a_text_says_header_row_delimiter_and_encoding(upload: Post, content: str | bytes, told: dict[str, object]):
    assert upload(content).json()["read_as"] == {**NOTHING, "kind": "table", "encoding_assumed": False, **told}


def test_a_workbook_says_its_sheet_which_is_the_one_with_dois(upload: Post):
    job = upload(_make_book(), "book.xlsx").json()
    assert job["read_as"] == {**NOTHING, "kind": "table", "sheet": "Titles", "header_row": 1}
    assert (job["column"], job["total"]) == ("DOI", 2)


def test_a_bibliographic_file_says_its_kind_and_how_many_records_have_no_doi(upload: Post, api: Client):
    job = upload('{"results":[{"doi":"10.1000/1"},{"doi":null},{}]}', "openalex.json").json()
    assert (job["kind"], job["read_as"]) == ("json", {**NOTHING, "kind": "json"})
    [note] = job["notes"]
    assert note == {
        "code": "records-without-doi",
        "message": "2 of 3 records have no DOI in the fields that are read.",
    }
    run(job["id"])
    assert api.get(f"/api/v1/jobs/{job['id']}").json()["notes"] == [note]


@pytest.mark.parametrize(
    ("content", "code", "words"),
    [
        ("Title,DOI\nЖурнал химии,10.1000/1\n".encode("koi8-r"), "encoding-assumed", "KOI8-R"),
        ("Title,DOI\nMüller,10.1000/1\n".encode("cp1252"), "encoding-assumed", "Windows-1252"),
        ("DOI,Related DOI\n10.1000/1,10.1000/2\n,10.1000/3\n", "second-doi-column", "“Related DOI”"),
        ("id,dc.identifier.uri[]\n1,http://hdl.handle.net/1/2||10.1000/1\n", "values-read-one-by-one", "one by one"),
        ('T,DOI\n"A,10.1000/1\nB,10.1000/2\n",10.1000/3\n', "lines-in-cell", "row 2"),
    ],
)
def test_what_is_unusual_is_noted(upload: Post, content: str | bytes, code: str, words: str):
    [note] = upload(content).json()["notes"]
    assert (note["code"], words in note["message"]) == (code, True)


@pytest.mark.parametrize(
    "content",
    [
        "Title,DOI,URL\nA,10.1000/1,https://doi.org/10.1000/1\n",
        "Title,DOI,Abstract\nA,10.1000/1,see 10.1000/2\n",
        'Title,DOI\n"A\nsubtitle",10.1000/1\n',
        "Title,DOI\nÄ,10.1000/1\n",
    ],
)
def test_of_an_ordinary_list_nothing_is_noted(upload: Post, content: str):
    assert upload(content).json()["notes"] == []


@pytest.mark.parametrize(
    ("wanted", "read"),
    [
        ({}, ["10.1000/1", "10.1000/2"]),
        ({"split": "true"}, ["10.1000/1", "10.1000/2"]),
        ({"split": "false"}, ["http://hdl.handle.net/1/2||10.1000/1||10.1000/2"]),
    ],
)
def test_a_program_can_have_a_repositorys_cells_read_as_a_whole(
    upload: Post, api: Client, wanted: dict[str, str], read: list[str]
):
    job = upload("id,dc.identifier.uri[]\n1,http://hdl.handle.net/1/2||10.1000/1||10.1000/2\n", **wanted).json()
    run(job["id"])
    rows = api.get(f"/api/v1/jobs/{job['id']}/rows").json()["results"]
    assert [row["input"] for row in rows] == read


def test_an_encoding_that_is_not_clear_is_asked_for(upload: Post):
    text = "Title,DOI\nΕλληνικό,10.1000/1\n".encode("iso8859-7")
    problem = assert_problem(upload(text), 400)
    assert "iso8859-7" in problem["detail"]
    assert not Job.objects.exists()
    job = upload(text, encoding="iso8859-7").json()
    assert (job["read_as"]["encoding"], job["read_as"]["encoding_assumed"]) == ("iso8859-7", False)


def test_json_lines_have_the_number_of_the_row_and_the_cells_apart(upload: Post, api: Client):
    job = run(upload("Title,DOI\nA,10.5555/one\n").json()["id"])
    [line] = b"".join(api.get(f"/api/v1/jobs/{job.pk}/results.jsonl")).splitlines()
    told = json.loads(line)
    assert (told["row"], told["cells"]) == (2, {"Title": "A", "DOI": "10.5555/one"})


@pytest.mark.parametrize("address", ["jobs/", "lookups/", "agencies/", "no/such/"])
def test_an_address_with_a_final_slash_is_told_so(api: Client, address: str):
    assert "without the final slash" in assert_problem(api.get(f"/api/v1/{address}"), 404)["detail"]
    assert "slash" not in assert_problem(api.get("/api/v1/nothing"), 404)["detail"]

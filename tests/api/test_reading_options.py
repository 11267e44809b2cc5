"""POST jobs with a way of reading: `sheet`, `encoding`, `delimiter`, `header_row`; and fields that nobody knows."""

import io
import re
from uuid import uuid4

import openpyxl
import pytest
from django.test import Client

from resolver.models import Job
from tests.api.conftest import Post, assert_problem
from tests.api.schema_client import DOCUMENT, METHODS
from tests.sheets.binary_workbook.made import Sheet, xls

pytestmark = pytest.mark.django_db

TITLED = "Report of the library\nid;DOI\n1;10.5555/ä,b\n"


def _book() -> bytes:
    book = openpyxl.Workbook()
    book.active.append(["What this is about"])
    listed = book.create_sheet("List")
    listed.append(["DOI"])
    listed.append(["10.5555/one"])
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def test_a_file_is_read_as_the_fields_say(upload: Post) -> None:
    answer = upload(TITLED.encode("cp850"), encoding="cp850", delimiter=";", header_row="2")
    assert (answer.status_code, answer.json()["column"]) == (202, "DOI")
    layout = Job.objects.get().layout
    read = [layout[name] for name in ("encoding", "delimiter", "header_row", "total")]
    assert read == ["cp850", ";", 2, 1]


def test_a_sheet_is_chosen_by_name(upload: Post) -> None:
    assert upload(_book(), "book.xlsx", sheet="list").json()["column"] == "DOI"
    assert Job.objects.get().layout["sheet"] == "List"


def test_a_sheet_of_an_old_excel_workbook_is_chosen_by_name(upload: Post) -> None:
    book = xls(Sheet("About", [["10.5555/other"]]), Sheet("List", [["DOI"], ["10.5555/one"]]))
    assert upload(book, "book.xls", sheet="list").json()["column"] == "DOI"
    assert Job.objects.get().layout["sheet"] == "List"
    problem = assert_problem(upload(book, "book.xls", sheet="Lost"), 400)
    assert "Choose one of these: “About”, “List”." in problem["errors"]["sheet"][0]


def test_the_same_request_with_an_old_excel_workbook_is_known_again(upload: Post) -> None:
    one, other = (xls(Sheet("One", [["DOI"], [name]])) for name in ("10.5555/a", "10.5555/b"))
    first, again, differs = (upload(book, "book.xls", headers={"Idempotency-Key": "k"}) for book in (one, one, other))
    assert first.json()["id"] == again.json()["id"]
    assert_problem(differs, 422)


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("sheet", "Lost", "Choose one of these: “Sheet”, “List”."),
        ("header_row", "5", "Row 5 has no text"),
        ("header_row", "two", "a row number from 0"),
        ("encoding", "klingon", "Choose one of these"),
        ("encoding", "utf-8", "only for text files"),
        ("delimiter", "x", "comma, semicolon"),
        ("column", "Lost", "There is no column “Lost”."),
    ],
)
def test_a_wrong_value_is_told_by_its_field(upload: Post, field: str, value: str, told: str) -> None:
    problem = assert_problem(upload(_book(), "book.xlsx", **{field: value}), 400)
    assert (problem["type"], list(problem["errors"])) == ("/problems/invalid-input", [field])
    assert told in problem["errors"][field][0]
    assert not Job.objects.exists()


def test_all_wrong_values_are_told_at_once(upload: Post) -> None:
    problem = assert_problem(upload(TITLED, delimiter=":", header_row="x", quick="perhaps"), 400)
    assert set(problem["errors"]) == {"quick"}  # of its own kind first
    problem = assert_problem(upload(TITLED, delimiter=":", header_row="x"), 400)
    assert set(problem["errors"]) == {"delimiter", "header_row"}


@pytest.mark.parametrize("name", ["encoding", "delimiter"])
def test_every_value_in_the_document_can_be_sent(upload: Post, name: str) -> None:
    for value in DOCUMENT["components"]["schemas"]["JobRequest"]["properties"][name]["enum"]:
        sent = "id;DOI\n1;10.5555/a\n".encode(value if name == "encoding" and value else "utf-8")
        assert upload(sent, **{name: value}).status_code == 202, value


def test_the_document_says_which_rows_can_have_the_column_names(upload: Post) -> None:
    pattern = DOCUMENT["components"]["schemas"]["JobRequest"]["properties"]["header_row"]["pattern"]
    allowed = [row for row in ("", "0", "1", "999", "1000", "1001", "-1", "two") if re.search(pattern, row)]
    assert allowed == ["", "0", "1", "999", "1000"]
    long = b"title;DOI\n" * 1001
    for row in allowed:
        assert upload(long, header_row=row, column="DOI" if row else "").status_code == 202, row
    for row in ("1001", "-1", "two"):
        assert_problem(upload(long, header_row=row), 400)


def test_what_is_wrong_with_the_file_itself_is_told_of_the_file(upload: Post) -> None:
    problem = assert_problem(upload("10.5555/a\n10.5555/\u00e9\n".encode("cp1252") + b"\xc3\xa9" * 9), 400)
    assert list(problem["errors"]) == ["file"]


def test_a_column_of_a_bibliographic_file_is_told_by_its_field(upload: Post) -> None:
    problem = assert_problem(upload("TY  - JOUR\nDO  - 10.5555/a\nER  - \n", "list.ris", column="DO"), 400)
    assert (problem["type"], list(problem["errors"])) == ("/problems/invalid-input", ["column"])


def test_the_same_key_with_another_way_of_reading_is_another_upload(upload: Post) -> None:
    key = {"Idempotency-Key": "k"}
    first = upload(TITLED, headers=key, header_row="2", delimiter=";")
    assert first.json() == upload(TITLED, headers=key, header_row="2", delimiter=";").json()
    for other in ({}, {"header_row": "2"}, {"header_row": "1", "delimiter": ";"}):
        assert_problem(upload(TITLED, headers=key, **other), 422)


def test_an_unknown_field_is_an_error_and_not_passed_over(upload: Post, post: Post) -> None:
    problem = assert_problem(upload(TITLED, colunm="DOI", Quick="true"), 400)
    assert set(problem["errors"]) == {"colunm", "Quick"}
    assert "column, quick, name, note, sheet, encoding, delimiter, header_row" in problem["errors"]["colunm"][0]
    assert set(assert_problem(post("lookups", {"input": "10.5555/one", "fresh": True}), 400)["errors"]) == {"fresh"}
    assert set(assert_problem(post("inspections", {"inputs": [], "input": ""}), 400)["errors"]) == {"input"}
    assert not Job.objects.exists()


def test_a_form_of_a_page_may_hold_its_token(upload: Post) -> None:
    assert upload(TITLED, csrfmiddlewaretoken="x").status_code == 202


def test_a_field_that_comes_twice_is_an_error(upload: Post) -> None:
    assert set(assert_problem(upload(TITLED, column=["DOI", "id"]), 400)["errors"]) == {"column"}


@pytest.mark.parametrize("body", ['{"inputs": ["a"], "inputs": ["b"]}', '{"inputs": ["a"], "\\u0069nputs": ["b"]}'])
def test_a_member_of_a_body_that_comes_twice_is_an_error(api: Client, body: str) -> None:
    problem = assert_problem(api.post("/api/v1/inspections", body, "application/json"), 400)
    assert problem["errors"] == {"inputs": ["This field was sent more than once. Send it once."]}


def test_many_unknown_fields_are_told_in_a_short_answer(post: Post) -> None:
    answer = post("lookups", {"input": "x", **{f"{n}{'x' * 5000}": 1 for n in range(1000)}})
    assert len(assert_problem(answer, 400)["errors"]) == 20
    assert len(answer.content) < 10_000


@pytest.mark.parametrize(
    "address",
    ["lookups?outcom=not-found", "lookups?page=2", "jobs?state=queued", "jobs/{id}/rows?filter=x",
     "jobs/{id}/results.csv?delimeter=;", "jobs/{id}/results.xlsx?delimiter=;", "jobs/{id}/results.jsonl?page_size=5"],
)  # fmt: skip
def test_an_unknown_query_parameter_is_an_error_and_not_passed_over(upload: Post, api: Client, address: str) -> None:
    job = upload(TITLED).json()
    problem = assert_problem(api.get(f"/api/v1/{address.format(id=job['id'])}"), 400)
    (name,) = problem["errors"]
    assert f"?{name}=" in address


def test_every_operation_refuses_a_query_parameter_that_it_does_not_have(api: Client) -> None:
    operations = [
        (method, path)
        for path, known in DOCUMENT["paths"].items()
        for method in known
        if method in METHODS and not path.startswith("/api/v1/docs")
    ]
    assert len(operations) > 30
    for method, path in operations:
        address = path.replace("{id}", str(uuid4())).replace("{line}", "1")
        problem = assert_problem(api.generic(method.upper(), f"{address}?nonsense=1", b"{}", "application/json"), 400)
        assert set(problem["errors"]) == {"nonsense"}, (method, path)


def test_a_field_in_the_query_of_a_post_is_an_error_too(api: Client, post: Post) -> None:
    assert_problem(api.post("/api/v1/jobs?column=DOI"), 400)
    assert_problem(post("lookups?fresh=1", {"input": "10.5555/one"}), 400)
    assert_problem(post("inspections?x=1", {"inputs": []}), 400)

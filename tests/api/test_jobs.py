"""Jobs by REST: a file in, rows and files out."""

import csv
import io
import json
from itertools import cycle
from typing import Any

import openpyxl
import pytest
from django.contrib.auth.models import User
from django.test import Client

from resolver import conf
from resolver.models import Job, Row
from resolver.standin.records import BUNDLED
from tests.api.conftest import Post, assert_problem, run
from tests.stored_list import remove_deleted_lists

pytestmark = pytest.mark.django_db

JOB_FIELDS = {
    "read_as",
    "notes",
    "tasks",
    "id", "filename", "column", "state", "total", "done", "counts", "created_at", "started_at", "finished_at", "error",
    "page", "quick", "sample", "name", "kind", "note", "duplicates", "incomplete", "survey", "expected_column",
    "compare", "search", "work_columns",
    "references",
}  # fmt: skip
ROW_FIELDS = {
    "record", "field", "writable", "reason",
    "line", "row", "part", "input", "doi", "url", "outcome", "ra", "urls", "problems", "messages", "suggestion",
    "alias_of", "prefix_ra", "others", "same_as", "checked_at", "answered_at", "cached", "incomplete", "ra_status",
    "proxy",
    "corrected_doi", "correction", "doubtful", "decision", "decided_by", "decided_at", "expected", "address",
    "work",
    "retractions",
    "found_by", "search",
}  # fmt: skip
OURS = [
    "doi", "doi_url", "outcome", "registration_agency", "url_values", "problems", "suggested_doi", "checked_at",
    "messages", "proxy", "incomplete",
]  # fmt: skip
LIST = "doi\n10.5555/one\n10.5555/missing\nnothing\nhttps://doi.org/10.5555/two#x\n"


def started(response: Any) -> str:
    assert response.status_code == 202, response.content
    return str(response.json()["id"])


def body(response: Any) -> bytes:
    assert response.status_code == 200
    return b"".join(response.streaming_content)


def test_a_job_has_the_fields_of_the_contract_from_the_start_to_the_end(
    upload: Post, api: Client, settings: Any
) -> None:
    response = upload(LIST)
    job = response.json()
    assert response.status_code == 202
    assert set(job) == JOB_FIELDS
    assert (job["state"], job["done"], job["total"]) == ("queued", 0, 4)
    assert (job["filename"], job["column"], job["quick"], job["sample"]) == ("list.csv", "doi", False, False)
    assert job["counts"] == {"outcome": {}, "problem": {}, "ra": {}}
    assert job["started_at"] is job["finished_at"] is job["error"] is None
    assert response.headers["Location"] == f"http://testserver/api/v1/jobs/{job['id']}"
    assert job["page"] == f"http://testserver/jobs/{job['id']}"

    run(job["id"])
    job = api.get(response.headers["Location"]).json()
    assert (job["state"], job["done"], job["total"]) == ("finished", 4, 4)
    assert job["counts"]["outcome"] == {"resolved": 2, "not-found": 1, "invalid": 1}
    assert job["counts"]["problem"] == {"no-doi": 1, "unescaped-hash": 1, "several-homes": 1, "test-prefix": 1}
    assert job["counts"]["ra"] == {"Crossref": 2}
    assert job["started_at"]
    assert job["finished_at"]
    assert api.get("/api/v1/jobs").json() == {"next": None, "previous": None, "results": [job]}


def test_the_worker_is_told_of_a_new_job_only(upload: Post, django_capture_on_commit_callbacks: Any) -> None:
    key = {"Idempotency-Key": "k"}
    with django_capture_on_commit_callbacks() as calls:
        upload(LIST, headers=key)
    assert len(calls) == 1
    with django_capture_on_commit_callbacks() as calls:
        upload(LIST, headers=key)
    assert calls == []


def test_rows_come_in_line_order_with_the_fields_of_the_contract(upload: Post, api: Client) -> None:
    job = started(upload(LIST))
    assert api.get(f"/api/v1/jobs/{job}/rows").json()["results"] == []
    run(job)
    page = api.get(f"/api/v1/jobs/{job}/rows").json()
    assert list(page) == ["next", "previous", "results"]
    one, missing, nothing, cut = page["results"]
    assert set(one) == set(nothing) == ROW_FIELDS
    assert [row["line"] for row in page["results"]] == [1, 2, 3, 4]
    assert [(row["row"], row["part"]) for row in page["results"]] == [(2, 0), (3, 0), (4, 0), (5, 0)]
    assert (one["outcome"], one["ra"], one["urls"]) == ("resolved", "Crossref", ["https://example.org/landing/one"])
    assert one["url"] == "https://doi.org/10.5555/one"
    assert (one["problems"], one["messages"], one["suggestion"]) == ([], "", None)
    assert (missing["outcome"], missing["ra"], missing["urls"]) == ("not-found", None, [])
    assert missing["prefix_ra"] == "Crossref"
    assert "10.5555 is for examples and tests" in missing["messages"]
    assert (nothing["outcome"], nothing["doi"], nothing["url"], nothing["problems"]) == (
        "invalid", None, None, ["no-doi"])  # fmt: skip
    assert (cut["doi"], cut["problems"], cut["input"]) == (
        "10.5555/two", ["unescaped-hash", "several-homes"], "https://doi.org/10.5555/two#x")  # fmt: skip
    assert cut["messages"]
    assert one["checked_at"].endswith("Z")
    assert one["alias_of"] is None


def test_rows_are_filtered_and_paged(upload: Post, api: Client) -> None:
    job = started(upload(LIST))
    run(job)

    def lines(query: str) -> list[int]:
        return [row["line"] for row in api.get(f"/api/v1/jobs/{job}/rows?{query}").json()["results"]]

    assert lines("outcome=resolved") == [1, 4]
    assert lines("problem=no-doi") == [3]
    assert lines("ra=Crossref&problem=unescaped-hash") == [4]
    assert lines("ra=DataCite") == []
    seen, address = [], f"/api/v1/jobs/{job}/rows?page_size=3&outcome="
    while address:
        page = api.get(address).json()
        seen += [row["line"] for row in page["results"]]
        address = page["next"]
    assert seen == [1, 2, 3, 4]
    assert [row["line"] for row in api.get(page["previous"]).json()["results"]] == [1, 2, 3]
    for query in ("outcome=nonsense", "problem=nonsense", "cursor=nonsense", "page_size=0"):
        assert_problem(api.get(f"/api/v1/jobs/{job}/rows?{query}"), 400)


def table() -> tuple[list[str], list[list[str]]]:
    """All names of the bundled records, between columns that are hard to carry."""
    names = [item["doi"] for item in json.loads(BUNDLED.read_text(encoding="utf-8"))["records"]]
    hard = cycle(['say "x", then\r\nanother line', "=1+1", "-2", "@SUM(A1)", "\tTAB", "ä ; é", " spaces "])
    return ["title", "doi", "note", "doi_url"], [
        [next(hard), name, next(hard), str(at)] for at, name in enumerate(names)
    ]


def test_a_table_comes_back_row_for_row_with_its_columns_unchanged_and_formulas_harmless(
    upload: Post, api: Client, settings: Any
) -> None:
    header, rows = table()
    file = io.StringIO(newline="")
    csv.writer(file).writerows([header, *rows])
    job = started(upload(file.getvalue(), name="liste é.csv", column="doi"))
    assert run(job).state == "finished"
    known = {item["doi"]: item for item in json.loads(BUNDLED.read_text(encoding="utf-8"))["records"]}

    response = api.get(f"/api/v1/jobs/{job}/results.csv")
    assert response.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert response.headers["Content-Disposition"] == "attachment; filename*=utf-8''liste%20%C3%A9-checked.csv"
    data = body(response)
    assert data.startswith(b"\xef\xbb\xbf")
    back = list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    assert back[0] == [*header, "row", "doi_2", "doi_url_2", *OURS[2:]]
    assert len(back) == len(rows) + 1
    assert [out[4] for out in back[1:]] == [str(number) for number in range(2, len(rows) + 2)]
    for row, out in zip(rows, back[1:], strict=True):
        assert out[:4] == ["'" + cell if cell[0] in "=@\t" else cell for cell in row]
        found = dict(zip(OURS, out[5:], strict=True))
        item = known[row[1]]
        urls = [value["data"]["value"].strip() for value in item["values"] if value["type"] == "URL"]
        if urls:
            assert found["outcome"] == "resolved", row
            assert found["url_values"] == " | ".join(urls)
        if item.get("ra"):
            assert found["registration_agency"] == item["ra"], row
        assert found["doi"] in (row[1], ""), row
        assert found["proxy"] == settings.DOI_PROXY_URL
    semicolons = body(api.get(f"/api/v1/jobs/{job}/results.csv?delimiter=;")).decode("utf-8-sig")
    assert list(csv.reader(io.StringIO(semicolons, newline=""), delimiter=";")) == back

    response = api.get(f"/api/v1/jobs/{job}/results.jsonl?corrected=1")
    lines = [json.loads(line) for line in body(response).splitlines()]
    assert [list(line["cells"].values()) for line in lines] == rows
    assert set(lines[0]) == ROW_FIELDS | {"cells"}
    shown, address = [], f"/api/v1/jobs/{job}/rows?page_size=10"
    while address:
        page = api.get(address).json()
        shown += page["results"]
        address = page["next"]
    assert shown == [{name: line[name] for name in ROW_FIELDS} for line in lines]

    response = api.get(f"/api/v1/jobs/{job}/results.xlsx")
    book = openpyxl.load_workbook(io.BytesIO(body(response)), read_only=True)
    cells = [[cell or "" for cell in row] for row in book.worksheets[0].iter_rows(values_only=True)]
    assert [row[1] for row in cells] == [row[1] for row in back]
    assert len(book.worksheets) == 2
    book.close()


@pytest.mark.parametrize("name", ["results.csv", "results.xlsx", "results.jsonl"])
def test_results_are_a_409_problem_until_the_job_has_ended(upload: Post, api: Client, name: str) -> None:
    job = started(upload(LIST))
    assert assert_problem(api.get(f"/api/v1/jobs/{job}/{name}"), 409)["type"] == "/problems/job-not-finished"
    run(job)
    assert body(api.get(f"/api/v1/jobs/{job}/{name}"))


def test_a_delimiter_that_is_none_is_a_400_problem(upload: Post, api: Client) -> None:
    job = started(upload(LIST))
    run(job)
    for delimiter in ("x", '"', "%0A", ";;"):
        assert_problem(api.get(f"/api/v1/jobs/{job}/results.csv?delimiter={delimiter}"), 400)


def test_a_cancelled_job_gives_every_row_and_cannot_be_cancelled_again(upload: Post, api: Client) -> None:
    job = started(upload(LIST))
    address = f"/api/v1/jobs/{job}/cancel"
    response = api.post(address)
    assert (response.status_code, response.json()["state"]) == (200, "cancelled")
    assert response.json()["finished_at"]
    assert assert_problem(api.post(address), 409)["type"] == "/problems/job-already-ended"
    run(job)
    assert api.get(f"/api/v1/jobs/{job}").json()["state"] == "cancelled"
    rows = list(csv.DictReader(io.StringIO(body(api.get(f"/api/v1/jobs/{job}/results.csv")).decode("utf-8-sig"))))
    assert [row["outcome"] for row in rows] == ["", "", "", ""]
    finished = started(upload(LIST))
    run(finished)
    assert_problem(api.post(f"/api/v1/jobs/{finished}/cancel"), 409)


def test_a_deleted_job_takes_its_rows_and_its_file_with_it(
    upload: Post, api: Client, django_capture_on_commit_callbacks: Any
) -> None:
    job = started(upload(LIST))
    run(job)
    assert list(conf.uploads_dir().iterdir())
    with django_capture_on_commit_callbacks(execute=True):
        response = api.delete(f"/api/v1/jobs/{job}")
        assert_problem(api.get(f"/api/v1/jobs/{job}"), 404)
        remove_deleted_lists()
    assert (response.status_code, response.content) == (204, b"")
    assert Row.objects.count() == Job.objects.count() == 0
    assert not list(conf.uploads_dir().iterdir())


def test_anothers_job_is_not_there(upload: Post, api: Client, other: Client) -> None:
    job = started(upload(LIST))
    run(job)
    upload(LIST, client=other)
    paths = ("", "/rows", "/results.csv", "/results.xlsx", "/results.jsonl")
    answers = [other.get(f"/api/v1/jobs/{job}{path}") for path in paths]
    answers += [other.delete(f"/api/v1/jobs/{job}"), other.post(f"/api/v1/jobs/{job}/cancel")]
    for response in answers:
        assert_problem(response, 404)
    assert api.get(f"/api/v1/jobs/{job}").json()["state"] == "finished"
    assert len(other.get("/api/v1/jobs").json()["results"]) == 1


def test_a_quick_job_asks_for_existence_only(upload: Post, api: Client) -> None:
    response = upload(LIST, quick="true")
    assert response.json()["quick"] is True
    job = run(started(response))
    assert job.counts["outcome"] == {"registered": 2, "not-found": 1, "invalid": 1}
    assert all(row["urls"] == [] for row in api.get(f"/api/v1/jobs/{job.pk}/rows").json()["results"])


def test_the_column_named_is_the_one_that_is_read(upload: Post, api: Client) -> None:
    response = upload("doi,other\n10.5555/one,10.5555/two\n", column="other")
    assert response.json()["column"] == "other"
    run(started(response))
    [row] = api.get(f"/api/v1/jobs/{response.json()['id']}/rows").json()["results"]
    assert row["input"] == "10.5555/two"


def test_jobs_and_rows_cost_the_same_queries_for_one_and_for_three(
    upload: Post, api: Client, django_assert_num_queries: Any
) -> None:
    for number in (1, 3):
        while Job.objects.count() < number:
            job = started(upload("doi\n" + "10.5555/one\n" * number))
        run(job)
        with django_assert_num_queries(2):  # the session, the jobs
            assert len(api.get("/api/v1/jobs").json()["results"]) == number
        with django_assert_num_queries(4):  # the session, the job, the lines of the page, their rows
            assert len(api.get(f"/api/v1/jobs/{job}/rows").json()["results"]) == number
        # the session, the job, the rows, that the job is as it was, that there are no more rows
        with django_assert_num_queries(5):
            assert body(api.get(f"/api/v1/jobs/{job}/results.csv"))


@pytest.mark.django_db(transaction=True)
def test_a_job_is_taken_in_though_the_broker_is_not_there(
    upload: Post, broker_nowhere: None, caplog: pytest.LogCaptureFixture
) -> None:
    job = Job.objects.get(pk=started(upload(LIST)))
    assert "the sweep will start it" in caplog.text
    assert run(str(job.pk)).state == "finished"


def test_nobody_sees_a_users_jobs_without_the_login(upload: Post, user: User, api: Client) -> None:
    client = Client()
    client.force_login(user)
    job = started(upload(LIST, client=client))
    assert Job.objects.get(pk=job).owner == f"user:{user.pk}"
    assert_problem(api.get(f"/api/v1/jobs/{job}"), 404)

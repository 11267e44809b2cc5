"""Lists: taken in or refused with the reason, watched, stopped, deleted."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from resolver.models import Job, Row, Watch
from resolver.services.jobs import import_rows
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.turns.precheck import precheck_chunks
from tests.stored_list import remove_deleted_lists
from tests.web.conftest import Look, html_of, progress_of, run, text_of

LIST = "id,DOI\n1,10.1000/182\n2,https://doi.org/10.1000/456#789\n3,nothing\n"


@pytest.fixture
def job(upload: Look) -> Job:
    upload(LIST)
    return Job.objects.get()


def test_an_upload_leads_to_the_page_of_the_list(upload: Look, visitor: Client):
    response = upload(LIST, name="ma liste.csv")
    assert response.status_code == 302
    page = visitor.get(response["Location"])
    said = text_of(page)
    assert "ma liste.csv" in said
    assert "In queue. 0 of 3 rows checked" in said
    assert "Refresh" in said
    assert "DOI column DOI (detected automatically)" in said
    assert "columns separated by comma; with a header row" in said
    assert "when the list is finished or stopped" in text_of(visitor.get(response["Location"] + "/files"))


def test_a_finished_list_shows_counts_that_lead_to_its_rows(job: Job, visitor: Client):
    run(job)
    page = visitor.get(f"/jobs/{job.pk}")
    assert progress_of(page) == ("finished", 3, 3)
    assert "hx-get" not in html_of(page)
    for query in ("problem=unescaped-hash", "ra=Public"):
        assert f'href="/jobs/{job.pk}/rows?{query}"' in html_of(page)
        assert "No rows match" not in text_of(visitor.get(f"/jobs/{job.pk}/rows?{query}"))


def test_the_column_and_the_quick_check_can_be_chosen(upload: Look):
    upload("a,b\n10.1000/1,10.1000/182\n", column="2", quick="on")
    made = Job.objects.get()
    assert (made.column, made.quick) == ("b", True)


@pytest.mark.parametrize(
    ("data", "name", "form", "words"),
    [
        (b"", "empty.csv", {}, "The file is empty."),
        (b"@article{a, title={b}}", "refs.bib", {}, "The file has 1 record, without a DOI in the fields"),
        (b"%PDF-1.7 ...", "a.pdf", {}, "Copy the DOIs into a text file"),
        (b'a,doi\n1,10.1000/1\n2,"10.1000/2\n3,10.1000/3\n', "open.csv", {}, "Line 3"),
        (b"a,b\n10.1000/1,2\n", "a.csv", {"column": "3"}, "no column 3"),
        (b"a,b\n10.1000/1,2\n", "a.csv", {"column": "x" * 2000}, "DOI column:"),
        (b"a,b\n10.1000/1,2\n", "a.csv", {"note": "x" * 2001}, "The limit is 2000."),
        (b"\x00" * 100, "nul.bin", {}, "There is a problem"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_the_reason(
    upload: Look, data: bytes, name: str, form: dict[str, str], words: str
):
    response = upload(data, name=name, **form)
    assert response.status_code == 422
    said = text_of(response)
    assert 'id="errors-title"' in html_of(response)
    assert words in said
    assert not Job.objects.exists()


def test_no_file_and_a_file_that_is_too_large_are_refused(upload: Look, visitor: Client, settings: Any):
    assert "Choose a file or paste a list." in text_of(visitor.post("/jobs/new", {}))
    settings.MAX_UPLOAD_BYTES = 20
    response = upload(LIST)
    assert response.status_code == 422
    assert "The limit is 20" in text_of(response)


@pytest.mark.parametrize("name", ["../../etc/passwd", "a\u202e.csv", "<b>.csv", "x" * 300 + ".csv", "\ud800.csv"])
def test_an_odd_file_name_is_shown_and_harms_nothing(upload: Look, visitor: Client, name: str):
    response = upload(LIST, name=name.encode("utf-8", "replace").decode())
    assert response.status_code in {302, 422}
    for made in Job.objects.all():
        run(made)
        assert "<b>.csv" not in html_of(visitor.get(f"/jobs/{made.pk}"))
        file = visitor.get(f"/jobs/{made.pk}/results.csv")
        assert "-checked.csv" in file["Content-Disposition"]
        assert "/" not in file["Content-Disposition"]


def test_cancelling_keeps_what_was_found_and_says_what_was_not_asked(job: Job, visitor: Client):
    page = visitor.post(f"/jobs/{job.pk}/cancel", follow=True)
    assert progress_of(page) == ("cancelled", 0, 3)
    assert "3 rows weren’t checked." in text_of(page)
    assert f"/jobs/{job.pk}/results.jsonl" in html_of(visitor.get(f"/jobs/{job.pk}/files"))


def test_deleting_asks_first(job: Job, visitor: Client):
    assert "Delete this list?" in text_of(visitor.get(f"/jobs/{job.pk}/delete"))
    assert Job.objects.exists()
    assert "List and results deleted." in text_of(visitor.post(f"/jobs/{job.pk}/delete", follow=True))
    assert visitor.get(f"/jobs/{job.pk}").status_code == 404
    remove_deleted_lists()
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    "address", ["", "/rows", "/rows/1", "/delete", "/results.csv", "/results.xlsx", "/results.jsonl"]
)
def test_another_persons_list_is_not_there(job: Job, stranger: Client, look: Look, address: str):
    run(job)
    look("10.1000/1", stranger)
    assert stranger.get(f"/jobs/{job.pk}{address}").status_code == 404
    assert stranger.post(f"/jobs/{job.pk}/cancel").status_code == 404
    assert stranger.post(f"/jobs/{job.pk}/delete").status_code == 404
    assert "list.csv" not in text_of(stranger.get("/jobs"))


def test_the_number_of_queries_does_not_grow_with_the_lists(job: Job, visitor: Client):
    def queries(address: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert visitor.get(address).status_code == 200
        return len(captured)

    addresses = ["/jobs", f"/jobs/{job.pk}", f"/jobs/{job.pk}/rows"]
    Row.objects.create(job=job, line=1)
    before = [queries(address) for address in addresses]
    assert before == [3, 6, 5]
    for line in (2, 3):
        Job.objects.create(owner=job.owner, created_at=datetime(2026, 1, line, tzinfo=UTC), filename="x", proxy="p")
        Row.objects.create(job=job, line=line)
    assert [queries(address) for address in addresses] == before


def test_what_which_ra_says_of_the_whole_list_shows_while_it_is_checked(upload: Look, visitor: Client):
    upload("doi\n" + "10.5555/a\n10.5555/missing-1\nnothing\n10.1000/182\n10.5555/b\n" * 20)
    job = Job.objects.get()
    page = f"/jobs/{job.pk}"
    assert "First look:" not in text_of(visitor.get(page))
    list(import_rows.read_into_rows(job.pk))
    precheck_chunks(job.pk, proxy=proxy_from_settings())
    said = (
        "First look: 60 of 100 rows have a registered DOI. Not registered: 20. Without a DOI: 20. "
        "Agencies: Crossref 40, Public 20. We’re now looking up the web addresses of the registered DOIs."
    )
    assert said in text_of(visitor.get(page))
    Job.objects.update(total=200)
    assert "There was no answer for the rest. The full check covers them." in text_of(visitor.get(page))
    Job.objects.update(done=200)
    assert "First look:" not in text_of(visitor.get(page))


def test_large_numbers_are_written_so_that_they_can_be_read(job: Job, visitor: Client):
    survey = {"rows": 2_000_000, "exist": 1_234_567, "missing": 700_000, "unknown": 0, "no_name": 65_433}
    counts = {"outcome": {"resolved": 1_000_000}, "problem": {}, "ra": {}}
    Job.objects.update(
        state="checking",
        total=2_000_000,
        done=1_000_000,
        duplicates=4_321,
        counts=counts,
        precheck=survey | {"ra": {"Crossref": 1_234_567}},
    )
    page = visitor.get(f"/jobs/{job.pk}")
    for words in (
        "1,000,000 of 2,000,000 rows checked. 50%",
        "First look: 1,234,567 of 2,000,000 rows have a registered DOI. Not registered: 700,000.",
        "Crossref 1,234,567.",
        "4,321 rows repeat a DOI",
    ):
        assert words in text_of(page)
    assert 'max="2000000" value="1000000"' in html_of(page)  # for the machine, as HTML wants it
    assert "1,000,000 of 2,000,000" in text_of(visitor.get("/jobs"))
    Job.objects.update(state="finished", incomplete=5_000)
    assert "Retry 1,005,000 rows" in text_of(visitor.get(f"/jobs/{job.pk}"))


def test_a_list_that_was_checked_again_leads_to_its_comparison_with_the_run_before(upload: Look, visitor: Client):
    upload("doi\n10.1000/182\n")
    first = run(Job.objects.get())
    assert "Compare with the run from" not in text_of(visitor.get(f"/jobs/{first.pk}"))
    visitor.post(f"/jobs/{first.pk}/again")
    second = run(Job.objects.get(rerun_of=first))
    assert f'href="/jobs/{second.pk}/compare/{first.pk}">Compare with the run from' in html_of(
        visitor.get(f"/jobs/{second.pk}")
    )
    said = text_of(visitor.get(f"/jobs/{first.pk}/compare/{second.pk}"))
    assert "No changes" in said
    assert "What changed" not in said


def test_the_overview_offers_a_watch_until_there_is_one(upload: Look, visitor: Client):
    upload("doi\n10.1000/182\n")
    job = run(Job.objects.get())
    assert "Keep it healthy We can check this list every month" in text_of(visitor.get(f"/jobs/{job.pk}"))
    now = job.created_at
    Watch.objects.create(owner=job.owner, job=job, every="day", created_at=now, next_at=now, first_at=now)
    said = text_of(visitor.get(f"/jobs/{job.pk}"))
    assert "Keep it healthy Watched every day · next check" in said
    assert "Watch this list" not in said


def test_lists_of_one_name_and_minute_are_told_apart_by_the_second(upload: Look, visitor: Client):
    for _ in range(2):
        upload("doi\n10.1000/182\n")
    Job.objects.update(created_at=datetime(2026, 11, 30, 8, 5, 7, tzinfo=UTC))
    assert text_of(visitor.get("/jobs")).count("08:05:07") >= 2
    Job.objects.filter(pk=Job.objects.latest("pk").pk).update(name="Another")
    assert "08:05:07" not in text_of(visitor.get("/jobs"))

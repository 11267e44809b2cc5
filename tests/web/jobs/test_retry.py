"""The button that asks again for the rows without an answer."""

import pytest
from django.http import Http404
from django.test import Client
from django.utils import timezone

from resolver.models import Job
from resolver.services.jobs import lifecycle
from resolver.sheets.input.layout_detection import LOOK_ROWS
from resolver.web.jobs.access import raise_404_if_gone
from tests.web.conftest import Look, html_of, progress_of, run, text_of


def test_a_list_with_rows_that_could_not_be_asked_offers_to_ask_again(upload: Look, visitor: Client):
    upload("doi\n10.1000/182\n10.5555/error-a\n10.5555/error-b\n")
    job = run(Job.objects.get())
    said = text_of(visitor.get(f"/jobs/{job.pk}"))
    assert "2 Couldn’t be checked." in said
    assert "Retry 2 rows" in said
    said = text_of(visitor.post(f"/jobs/{job.pk}/retry", follow=True))
    assert "Checking. At least 30%. 1 of 3 rows checked. 33%" in said
    assert "Retry" not in said
    visitor.post(f"/jobs/{job.pk}/retry")  # a second click changes nothing
    job.refresh_from_db()
    assert (job.state, job.done) == ("checking", 1)


def test_rows_of_which_only_the_agency_could_not_be_asked_are_told_apart(upload: Look, visitor: Client):
    upload("doi\n10.1000/182\n10.5555/error-a\n")
    job = run(Job.objects.get())
    Job.objects.update(incomplete=1)
    said = text_of(visitor.get(f"/jobs/{job.pk}"))
    assert "1 of them has an outcome, but not all of its answers." in said
    assert "Retry 2 rows" in said
    Job.objects.update(counts={"outcome": {"resolved": 2}, "problem": {}, "ra": {}})
    assert "Retry 1 row" in text_of(visitor.get(f"/jobs/{job.pk}"))


def test_a_list_with_all_its_answers_has_no_such_button(upload: Look, visitor: Client):
    upload("doi\n10.1000/182\n")
    job = run(Job.objects.get())
    assert "Retry" not in text_of(visitor.get(f"/jobs/{job.pk}"))
    assert "There is nothing to retry" in text_of(visitor.post(f"/jobs/{job.pk}/retry", follow=True))


def test_a_cancelled_list_can_go_on(upload: Look, visitor: Client):
    upload("doi\n10.1000/182\n10.1000/1\n")
    job = Job.objects.get()
    said = text_of(visitor.post(f"/jobs/{job.pk}/cancel", follow=True))
    assert "Continue and check 2 rows" in said
    assert "In queue" in text_of(visitor.post(f"/jobs/{job.pk}/retry", follow=True))
    assert run(job).state == "finished"


def test_a_list_cancelled_before_its_file_was_read_to_the_end_claims_no_number_of_rows(upload: Look, visitor: Client):
    upload("doi\n" + "10.1000/182\n" * (LOOK_ROWS + 250))
    job = Job.objects.get()
    said = text_of(visitor.get(f"/jobs/{job.pk}"))
    assert f"0 of at least {LOOK_ROWS:,} rows checked." in said
    page = visitor.post(f"/jobs/{job.pk}/cancel", follow=True)
    said = text_of(page)
    assert f"Stopped. 0 of at least {LOOK_ROWS:,} rows checked. We haven’t read the rest of the file yet." in said
    assert "This also reads the rest of the file." in said
    assert "<button>Continue</button>" in html_of(page)
    assert f"0 of at least {LOOK_ROWS:,}" in text_of(visitor.get("/jobs"))
    assert f"at least {LOOK_ROWS:,} rows and all results" in text_of(visitor.get(f"/jobs/{job.pk}/delete"))
    assert f"{LOOK_ROWS:,} rows weren’t checked" not in said


def test_its_rows_are_counted_once_its_results_were_taken_away(upload: Look, visitor: Client):
    upload("doi\n" + "10.1000/182\n" * (LOOK_ROWS + 250))
    job = Job.objects.get()
    visitor.post(f"/jobs/{job.pk}/cancel")
    lines = b"".join(visitor.get(f"/jobs/{job.pk}/results.jsonl")).splitlines()
    assert len(lines) == LOOK_ROWS + 250
    page = visitor.get(f"/jobs/{job.pk}")
    assert progress_of(page) == ("cancelled", 0, LOOK_ROWS + 250)
    said = text_of(page)
    assert f"Continue and check {LOOK_ROWS + 250:,} rows" in said


def test_another_persons_list_cannot_be_asked_again(upload: Look, look: Look, stranger: Client):
    upload("doi\n10.5555/error-a\n")
    job = run(Job.objects.get())
    look("10.1000/1", stranger)
    assert stranger.post(f"/jobs/{job.pk}/retry").status_code == 404
    job.refresh_from_db()
    assert job.state == "finished"


def test_a_list_deleted_meanwhile_is_not_there(upload: Look):
    upload("doi\n10.1000/182\n")
    found = Job.objects.get()
    lifecycle.delete_job(Job.objects.get())
    with pytest.raises(Http404), raise_404_if_gone():
        lifecycle.cancel_job(found, now=timezone.now())

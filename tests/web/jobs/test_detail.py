"""The page of a list while it runs, and what it tells after a fault."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings as portal
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from resolver.models import Chunk, Job
from resolver.services.jobs import import_rows, lifecycle
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.turns.check import check_chunk
from resolver.services.uploads import stored_uploads
from tests.web.conftest import Look, html_of, progress_of, run, text_of

LIST = "id,DOI\n1,10.1000/182\n2,https://doi.org/10.1000/456#789\n3,nothing\n"


@pytest.fixture
def job(upload: Look) -> Job:
    upload(LIST)
    return Job.objects.get()


def page_of(job: Job, visitor: Client) -> str:
    return text_of(visitor.get(f"/jobs/{job.pk}"))


def test_a_running_list_is_asked_for_again_and_not_loaded_again(job: Job, visitor: Client) -> None:
    page = visitor.get(f"/jobs/{job.pk}")
    assert "http-equiv" not in html_of(page)
    assert f'hx-get="/jobs/{job.pk}/progress?seen=' in html_of(page)
    assert "no-store" in page["Cache-Control"]


def test_a_link_of_a_finished_list_says_without_its_row_what_it_downloads(job: Job, visitor: Client) -> None:
    """A screen reader lists the links of a page without the table around them."""
    run(job)
    files = html_of(visitor.get(f"/jobs/{job.pk}/files"))
    targets: dict[str, set[str]] = {}
    for target, content in re.findall(r'<a [^>]*href="([^"]*)"[^>]*>(.*?)</a>', files, re.DOTALL):
        name = " ".join(re.sub(r"<[^>]+>", " ", content).split())
        targets.setdefault(name, set()).add(target)
    assert {name: found for name, found in targets.items() if len(found) > 1} == {}
    assert "CSV All rows, with corrected DOIs" in targets


def test_no_page_loads_itself_again() -> None:
    """Who reads it would lose the place, and what a form had sent would be asked for as a page (405). One page leads to
    another site, where people log in."""
    pages = list((portal.BASE_DIR / "templates").rglob("*.html"))
    assert [page.name for page in pages if 'http-equiv="refresh"' in page.read_text()] == ["to_provider.html"]


def test_what_is_asked_for_is_a_part_that_asks_again_and_says_a_change_once(job: Job, visitor: Client) -> None:
    Job.objects.update(state="checking", done=1)
    seen = f"{int(timezone.now().timestamp()) - 30}-0"
    part = html_of(visitor.get(f"/jobs/{job.pk}/progress?announced=checking-0&seen={seen}"))
    assert "<html" not in part
    assert "2 rows a minute, about 1\xa0minute left" in part
    assert "hx-get" in part
    assert 'id="announcement" hx-swap-oob' in part
    assert "<title>Checking: list.csv – doiportal</title>" in part  # it was In queue when the page was opened
    again = html_of(visitor.get(f"/jobs/{job.pk}/progress?announced=checking-3"))
    assert 'id="announcement"' not in again
    assert "<title>" not in again


def test_the_last_part_is_put_in_place_of_all_and_asks_no_more(job: Job, visitor: Client) -> None:
    run(job)
    answer = visitor.get(f"/jobs/{job.pk}/progress?announced=checking-3")
    assert (answer["HX-Retarget"], answer["HX-Reswap"]) == ("#live", "innerHTML")
    assert "hx-get" not in html_of(answer)
    assert progress_of(answer) == ("finished", 3, 3)
    assert "later" not in text_of(answer)  # Review and Files
    assert f"Ended {job.finished_at:%-d %B %Y, %H:%M:%S} UTC" in text_of(answer)
    assert 'id="about" hx-swap-oob' in html_of(answer)


def test_a_list_that_was_deleted_is_asked_for_no_more(job: Job, visitor: Client) -> None:
    lifecycle.delete_job(job)
    answer = visitor.get(f"/jobs/{job.pk}/progress")
    assert answer.status_code == 286
    assert "You can’t view this list: it was deleted, or you’re no longer logged in." in text_of(answer)
    assert (answer["HX-Retarget"], answer["HX-Reswap"]) == ("#live", "innerHTML")


def test_who_is_no_longer_logged_in_is_shown_the_way_back_and_not_the_page_of_the_login(
    job: Job, visitor: Client, settings: Any
) -> None:
    settings.DOIPORTAL_OPEN = False
    address = f"/jobs/{job.pk}/progress"
    answer = visitor.get(address, headers={"HX-Request": "true"})
    assert answer.status_code == 286
    assert "<html" not in html_of(answer)
    assert "you’re no longer logged in." in text_of(answer)
    assert "Log in or go to Lists." in text_of(answer)
    assert f'href="/accounts/login/?next=/jobs/{job.pk}"' in html_of(answer)
    assert visitor.get(address).status_code == 302


def test_another_persons_list_shows_no_progress(job: Job, stranger: Client, look: Look) -> None:
    look("10.1000/1", stranger)
    answer = stranger.get(f"/jobs/{job.pk}/progress")
    assert "rows checked" not in text_of(answer)


def test_a_look_costs_the_same_queries_however_long_the_list_is(job: Job, visitor: Client) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert visitor.get(f"/jobs/{job.pk}/progress").status_code == 200
        return len(captured)

    # The session, the job, its chunks, whether it waits for another list, two for whether a worker reaches its file.
    assert queries() == 6
    Chunk.objects.bulk_create([Chunk(job=job, number=n, first_line=n, last_line=n) for n in range(200)])
    assert queries() == 6


def test_the_page_says_that_the_list_waits_for_the_same_list_and_not_whose_it_is(
    job: Job, upload: Look, stranger: Client
) -> None:
    upload(LIST, "theirs.csv", stranger)
    theirs = Job.objects.exclude(pk=job.pk).get()
    waits = "is waiting for another list with the same content, and will use its results"
    said = page_of(theirs, stranger)
    assert waits in said
    assert "list.csv" not in said
    lifecycle.cancel_job(job, now=timezone.now())
    assert waits not in page_of(theirs, stranger)


def test_a_line_that_cannot_be_read_is_to_be_put_right_in_the_file(job: Job, visitor: Client) -> None:
    run(job)
    Job.objects.update(state="failed", error="Line 4: a quote is never closed.")
    said = page_of(job, visitor)
    assert "We couldn’t read the whole list" in said
    assert "Line 4: a quote is never closed." in said
    assert "Correct the file and upload it again" in said
    assert "Retry" not in said


def test_a_file_that_is_gone_is_to_be_uploaded_again(job: Job, visitor: Client) -> None:
    stored_uploads.delete_upload(job.upload)
    run(job)
    said = page_of(job, visitor)
    assert "The uploaded file is no longer available. Upload it again." in said
    assert "Correct the file" not in said


def test_a_worker_that_was_lost_is_told(job: Job, visitor: Client) -> None:
    [chunk] = import_rows.read_into_rows(job.pk)
    Chunk.objects.filter(pk=chunk).update(attempts=1)  # as one leaves it that was killed
    assert check_chunk(chunk, proxy=proxy_from_settings())
    assert (
        "The check stopped in 1 part of the list, perhaps because of a restart. It continued automatically,"
        in page_of(job, visitor)
    )


def test_a_list_that_nobody_works_at_says_since_when(job: Job, visitor: Client) -> None:
    assert "No new results" not in page_of(job, visitor)
    Job.objects.update(heartbeat_at=timezone.now() - timedelta(minutes=3))
    assert "No new results since" in page_of(job, visitor)

"""The list at a glance: what needs attention, as numbers, bars and the next click."""

import re

import pytest
from django.template.loader import render_to_string
from django.test import Client

from resolver.models import Job
from resolver.web.jobs.charts import build_state_parts, build_value_bars, format_percentage
from resolver.web.jobs.views import build_job_context
from tests.web.conftest import Look, html_of, progress_of, run, text_of


@pytest.fixture
def job(upload: Look) -> Job:
    upload("DOI\n10.5555/a\n10.5555/missing\nnothing\n10.5555/error-1\n")
    return Job.objects.get()


def test_a_finished_list_says_first_how_many_rows_work_and_what_to_do_next(job: Job, visitor: Client) -> None:
    run(job)
    page = visitor.get(f"/jobs/{job.pk}")
    said = text_of(page)
    assert progress_of(page) == ("finished", 4, 4)
    assert "1 of 4 rows is ready to import. 2 aren’t. 1 couldn’t be checked." in said
    assert re.findall(r'<li class="([^"]*)" data-task="([^"]*)"', html_of(page)) == [
        ("now", "back"),
        ("", "unchecked"),
        ("", "ready"),
    ]
    assert "1 not registered · 1 without a DOI" in said
    assert f'href="/jobs/{job.pk}/results.csv?task=back"' in html_of(page)


def test_a_list_without_faults_says_so(upload: Look, visitor: Client) -> None:
    upload("DOI\n10.5555/a\n10.5555/b\n")
    made = run(Job.objects.get())
    page = visitor.get(f"/jobs/{made.pk}")
    assert "2 of 2 rows are ready to import." in text_of(page)
    assert "No DOI needs correcting." in text_of(page)
    assert f'class="button anywhere" href="/jobs/{made.pk}/results.original?accept=suggested"' in html_of(page)


def test_a_quick_check_promises_no_more_than_it_asked(upload: Look, visitor: Client) -> None:
    upload("DOI\n10.5555/a\n10.5555/missing\n", quick="on")
    page = visitor.get(f"/jobs/{run(Job.objects.get()).pk}")
    assert progress_of(page) == ("finished", 2, 2)
    said = text_of(page)
    assert "This is a quick check. It shows only whether each DOI is registered" in said
    assert "1 of 2 rows has a registered DOI. 1 doesn’t." in said
    assert "landing page" not in said


def test_a_list_with_semicolons_is_taken_away_with_semicolons(upload: Look, visitor: Client) -> None:
    upload("n;DOI\n1;10.5555/missing\n2;10.5555/a\n")
    address = f"/jobs/{run(Job.objects.get()).pk}"
    page = html_of(visitor.get(address))
    assert 'results.csv?task=back&amp;delimiter=%3B">Download for the source' in page
    page = html_of(visitor.get(f"{address}/files"))
    plain = re.findall(r'results\.csv([^"]*)">CSV', page)
    assert plain == [f"{q}delimiter=%3B" for q in ("?", "?corrected=1&amp;", "?task=ready&amp;", "?task=back&amp;")]


def test_what_to_do_about_a_problem_is_left_to_the_rows(upload: Look, visitor: Client) -> None:
    upload("DOI\n10.1000/182.\n")
    said = text_of(visitor.get(f"/jobs/{run(Job.objects.get()).pk}"))
    assert "Punctuation at the end" in said
    assert "Remove the punctuation" not in said


def test_a_running_list_shows_what_it_has_so_far_and_no_files(job: Job, visitor: Client) -> None:
    counts = {"outcome": {"resolved": 1, "not-found": 1}, "problem": {}, "ra": {"Crossref": 1}}
    Job.objects.update(state="checking", done=2, counts=counts)
    for address in (f"/jobs/{job.pk}", f"/jobs/{job.pk}/progress"):
        page = visitor.get(address)
        assert "2 of 4 rows checked." in text_of(page)
        assert "results.csv" not in html_of(page)
    assert 'id="tasks" hx-swap-oob' in html_of(page)


def test_bars_are_pictures_beside_text_and_have_no_style(job: Job, visitor: Client) -> None:
    run(job)
    page = html_of(visitor.get(f"/jobs/{job.pk}"))
    bars = re.findall(r"<svg[^>]*>", page)
    assert len(bars) >= 4
    assert all('aria-hidden="true"' in bar for bar in bars)
    assert "style=" not in page
    assert re.search(r'<svg class="bar \w+" width="100%" height="12"[^>]*><rect width="100.00%"', page)


def test_the_parts_of_the_bar_fill_it_and_none_is_too_thin_to_be_seen() -> None:
    counts = {"outcome": {"resolved": 999_998, "invalid": 1, "unreachable": 1}, "problem": {}, "ra": {}}
    job = Job(total=1_000_000, done=1_000_000, counts=counts, state="finished", task_counts={"ready": 999_998})
    bars = build_state_parts(job)
    stack = [bar for bar in bars if bar.rows]
    assert [bar.tone for bar in stack] == ["good", "bad", "unknown"]
    assert all(float(bar.length.rstrip("%")) >= 1.5 for bar in stack)
    assert all(float(bar.start.rstrip("%")) + float(bar.length.rstrip("%")) <= 100.001 for bar in stack)
    assert format_percentage(0, 10) == "0%"
    assert format_percentage(10, 10) == "100%"


def test_the_longest_bar_fills_the_chart_and_a_share_is_of_the_rows_checked() -> None:
    counts = {"outcome": {}, "problem": {"label": 20, "no-doi": 10, "inner-space": 1}, "ra": {}}
    bars = build_value_bars(Job(total=2000, done=2000, counts=counts), "problem")
    assert [(bar.length, bar.share) for bar in bars] == [
        ("100.00%", "1%"),
        ("50.00%", "less than 1%"),
        ("5.00%", "less than 1%"),
    ]


def test_rows_that_were_not_checked_are_told_of_and_are_a_task(job: Job, visitor: Client) -> None:
    job = run(job)
    Job.objects.update(state="cancelled", total=job.total + 996)
    said = text_of(visitor.get(f"/jobs/{job.pk}"))
    assert "1 couldn’t be checked. 996 weren’t checked." in said
    assert "997 Not checked." in said


def test_a_stopped_list_without_faults_says_first_how_many_rows_were_not_checked(upload: Look, visitor: Client) -> None:
    upload("doi\n10.5555/12345678\n")
    job = run(Job.objects.get())
    Job.objects.update(state="cancelled", total=1000)
    assert "1 of 1,000 rows is ready to import. 999 weren’t checked." in text_of(visitor.get(f"/jobs/{job.pk}"))


def test_who_may_only_look_is_shown_nothing_that_changes_the_list(job: Job, visitor: Client) -> None:
    job = run(job)
    request = visitor.get(f"/jobs/{job.pk}").wsgi_request
    page = render_to_string("jobs/detail.html", build_job_context(request, job) | {"mine": False}, request)
    assert 'data-task="back"' in page
    for word in ("/delete", "/retry", "/cancel"):
        assert f"/jobs/{job.pk}{word}" not in page


def test_a_link_that_leads_to_another_doi_is_not_called_fine_anywhere(upload: Look, visitor: Client) -> None:
    upload("doi\nhttps://doi.org/10.5555/cut#789\n")
    job = run(Job.objects.get())
    assert job.counts["outcome"] == {"resolved": 1}
    assert "0 of 1 row is ready to import." in text_of(visitor.get(f"/jobs/{job.pk}"))
    said = text_of(visitor.get("/jobs"))
    assert "1 to decide" in said
    assert "nothing to do" not in said
    [(_row, advice, *_)] = visitor.get(f"/jobs/{job.pk}/rows?group=needs-work").context["rows"]
    assert (advice.code, advice.name) == ("whole", "10.5555/cut#789")
    said = text_of(visitor.get(f"/jobs/{job.pk}/rows"))
    assert "! Resolved, needs attention" in said
    assert "✓ Resolved" not in said


def test_an_outcome_is_green_in_a_bar_or_filter_only_if_none_of_its_rows_needs_attention(
    upload: Look, visitor: Client
) -> None:
    upload("doi\n10.5555/whole\nhttps://doi.org/10.5555/cut#789\n")
    job = run(Job.objects.latest("created_at"))
    [bar] = build_value_bars(job, "outcome")
    assert (bar.rows, bar.sign, bar.tone) == (2, "", "")
    assert "✓ Resolved 2" not in text_of(visitor.get(f"/jobs/{job.pk}/rows"))
    upload("doi\n10.5555/whole\nhttp://dx.doi.org/10.5555/old\n")
    job = run(Job.objects.latest("created_at"))
    [bar] = build_value_bars(job, "outcome")
    assert (bar.rows, bar.sign, bar.tone) == (2, "✓", "good")
    assert "✓ Resolved 2" in text_of(visitor.get(f"/jobs/{job.pk}/rows"))


def test_what_works_but_could_be_tidier_has_its_number_its_rows_and_its_file(upload: Look, visitor: Client) -> None:
    upload("doi\nhttp://dx.doi.org/10.5555/old\n10.5555/clean\n")
    job = run(Job.objects.get())
    page = visitor.get(f"/jobs/{job.pk}")
    assert "2 of 2 rows are ready to import." in text_of(page)
    assert "1 Corrected. We or you found another DOI, or we cleaned up how it is written. 1 cleaned up" in text_of(page)
    assert "nothing to do" in text_of(visitor.get("/jobs"))  # it is cleaned up in the file to import
    shown = visitor.get(f"/jobs/{job.pk}/rows?group=tidier")
    assert [row.input for row, *_ in shown.context["rows"]] == ["http://dx.doi.org/10.5555/old"]
    assert "~ Resolved, needs cleaning up" in text_of(shown)
    assert "✓ Resolved" in text_of(visitor.get(f"/jobs/{job.pk}/rows?group=fine"))
    download = visitor.get(f"/jobs/{job.pk}/results.csv?group=tidier")
    assert download["Content-Disposition"] == 'attachment; filename="list-tidier.csv"'
    download.close()


def test_of_a_list_of_which_nothing_could_be_checked_nothing_reassuring_is_said(upload: Look, visitor: Client):
    upload("DOI\n10.5555/error-1\n10.5555/error-2\n")
    place = f"/jobs/{run(Job.objects.get()).pk}"
    for page in (place, f"{place}/report"):
        said = text_of(visitor.get(page))
        assert "0 of 2 rows could be checked." in said
        assert "working DOI" not in said


def test_of_a_list_of_which_a_part_could_not_be_checked_that_is_said_first(upload: Look, visitor: Client):
    upload("DOI\n10.5555/error-1\n10.5555/good\n10.5555/fine\n")
    said = text_of(visitor.get(f"/jobs/{run(Job.objects.get()).pk}"))
    assert "2 of 3 rows are ready to import. 1 couldn’t be checked." in said


@pytest.mark.parametrize(("state", "words"), [("checking", "0 von 4 Zeilen geprüft."), ("finished", "konnten geprüft")])
def test_the_figure_is_german_on_a_german_page(job: Job, visitor: Client, state: str, words: str) -> None:
    counts = {"outcome": {"unreachable": 4}, "problem": {}, "ra": {}} if state == "finished" else {}
    Job.objects.update(state=state, total=4, done=4 if counts else 0, **({"counts": counts} if counts else {}))
    assert words in text_of(visitor.get(f"/jobs/{job.pk}", headers={"Accept-Language": "de"}))

"""How long things are kept is said where they are shown; the history is taken away as a file."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from resolver.models import Job, Lookup
from resolver.services.lookups import export
from tests.web.conftest import Look, html_of, newest, run, text_of


def test_pages_say_how_long_what_they_show_is_kept(upload: Look, visitor: Client, settings: Any) -> None:
    settings.KEEP_DAYS = 365
    upload("10.1000/182\n")
    Job.objects.update(created_at=datetime(2026, 11, 22, 12, tzinfo=UTC))
    page = f"/jobs/{Job.objects.get().pk}"
    assert "Kept for 365 days, until 22 November 2027, or until you delete it." in text_of(visitor.get(page))
    lists, lookups = (text_of(visitor.get(address)) for address in ("/jobs", "/history"))
    assert "Lists are kept for 365 days after their check, or until you delete them." in lists
    assert "Lookups are kept for 365 days, or until you delete them." in lookups
    settings.KEEP_DAYS = 0
    for address in (page, "/jobs", "/history"):
        assert "Kept until you delete it." in text_of(visitor.get(address))


def test_the_history_says_what_hangs_on_the_browsers_cookie(visitor: Client) -> None:
    assert "a cookie in this browser keeps your history and lists" in text_of(visitor.get("/history"))


def test_lists_say_in_short_what_is_to_be_done(upload: Look, visitor: Client) -> None:
    upload("doi\n10.1000/182\n10.1000/none\nnothing\n")
    assert "need" not in text_of(visitor.get("/jobs"))
    job = run(Job.objects.get())
    assert "2 for the source" in text_of(visitor.get("/jobs"))
    Job.objects.update(task_counts=None)  # of an earlier version
    job.refresh_from_db()
    assert "2 need attention" in text_of(visitor.get("/jobs"))
    job.counts["outcome"] = {"resolved": 1, "unreachable": 2}
    job.save()
    assert "2 couldn’t be checked" in text_of(visitor.get("/jobs"))
    job.counts["outcome"] = {"resolved": 3}
    job.save()
    assert "nothing to do" in text_of(visitor.get("/jobs"))
    Job.objects.update(state="cancelled", done=1)
    said = text_of(visitor.get("/jobs"))
    assert "2 not checked" in said
    assert "nothing to do" not in said
    assert f'href="/jobs/{job.pk}/delete"' in html_of(visitor.get("/jobs"))


def test_filters_offer_what_is_there_with_its_numbers(look: Look, visitor: Client) -> None:
    look("10.1000/182")
    look("https://doi.org/10.1000/456#789")
    look("10.1000/none")
    said = html_of(visitor.get("/history"))
    for option in ("Not registered (2)", "Resolved (1)", "# not written as %23 (1)", "Public (1)"):
        assert f">{option}</option>" in said
    assert "no address" not in said
    assert '<option value="no-url" selected>no-url (0)</option>' in html_of(visitor.get("/history?outcome=no-url"))


@pytest.mark.parametrize("at_once", [1, 500])
def test_the_history_is_taken_away_whole_or_filtered(
    look: Look, visitor: Client, stranger: Client, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "LOOKUPS_PER_BATCH", at_once)
    look("=10.1000/182")
    look("10.1000/none")
    look("10.1000/1", stranger)
    Lookup.objects.update(created_at=newest().created_at)  # of one moment, yet each once
    lines = body(visitor.get("/history.csv?delimiter=;")).decode("utf-8-sig").splitlines()
    columns = "doi;doi_url;outcome;registration_agency;url_values;problems;suggested_doi;checked_at;messages;proxy"
    assert lines[0] == f"input;{columns};incomplete"
    assert sorted(line.split(";")[0] for line in lines[1:]) == ["'=10.1000/182", "10.1000/none"]
    rows = [json.loads(line) for line in body(visitor.get("/history.jsonl?outcome=not-found")).splitlines()]
    assert [(row["cells"], row["outcome"]) for row in rows] == [({"input": "10.1000/none"}, "not-found")]
    assert "The error is probably after the slash" in rows[0]["messages"]
    for kind in ("csv", "jsonl"):
        assert f'href="/history.{kind}?outcome=not-found"' in html_of(visitor.get("/history?outcome=not-found"))


def test_a_filter_that_is_no_filter_takes_nothing_away(look: Look, visitor: Client) -> None:
    look("10.1000/182")
    assert visitor.get("/history.csv?q=" + "x" * 2000)["Location"].startswith("/history?q=xx")


def test_deleting_one_leads_back_to_the_same_filters(look: Look, visitor: Client) -> None:
    look("10.1000/none")
    page = visitor.get("/history?outcome=not-found&page=1")
    action = f"/lookups/{newest().pk}/delete?outcome=not-found&page=1"
    assert action.replace("&", "&amp;") in html_of(page)
    assert visitor.post(action)["Location"] == "/history?outcome=not-found&page=1"


def body(response: Any) -> bytes:
    return b"".join(response)

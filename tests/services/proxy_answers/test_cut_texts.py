"""Where a text was cut and the first part is registered, the whole is asked too, before any advice."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.utils import timezone

from resolver.models import Job, Lookup, Row
from resolver.services.jobs.retry import count_rows_to_retry
from resolver.services.lookups.look_up import create_lookup
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.standin.server import SampleProxyServer
from resolver.web.jobs.row import build_row_context
from tests.services.conftest import make_job, run
from tests.services.registered_names import sample_proxy_where

pytestmark = pytest.mark.django_db

REGISTERED = [
    "10.1000/cut",
    "10.1000/cut#rest",
    "10.1000/cut?other",
    "10.1000/cutrest",
    "10.1000/alone",
    "10.1000/clean",
]
NOT_PART = "The rest of the text isn't part of a registered DOI."

Make = Callable[..., DoiProxy]


@pytest.fixture(scope="module")
def where_few_exist() -> Iterator[SampleProxyServer]:
    with sample_proxy_where(REGISTERED) as server:
        yield server


@pytest.fixture
def proxy(proxy_at: Make, where_few_exist: SampleProxyServer) -> DoiProxy:
    return proxy_at(where_few_exist.url)


def look_up(text: str, proxy: DoiProxy) -> Lookup:
    return create_lookup(text, owner="user:1", proxy=proxy, now=timezone.now())


def exists(lookup: Lookup) -> dict[str, bool | None]:
    return {one["doi"]: one["exists"] for one in lookup.candidates}


CUTS = [
    ("https://doi.org/10.1000/cut#rest", "10.1000/cut#rest"),
    ("https://doi.org/10.1000/cut?other", "10.1000/cut?other"),
    ("https://doi.org/10.1000/cut rest", "10.1000/cutrest"),
    ("10.1000/cut rest", "10.1000/cutrest"),
]


@pytest.mark.parametrize(("text", "whole"), CUTS)
def test_the_whole_of_a_cut_text_is_asked_and_is_no_suggestion(text: str, whole: str, proxy: DoiProxy) -> None:
    found = look_up(text, proxy)
    assert (found.doi, found.outcome, found.suggestion) == ("10.1000/cut", "resolved", None)
    assert exists(found)[whole] is True


@pytest.mark.parametrize("text", ["https://doi.org/10.1000/alone#rest", "10.1000/alone rest"])
def test_a_whole_that_is_not_registered_is_known_not_to_be(text: str, proxy: DoiProxy) -> None:
    found = look_up(text, proxy)
    assert (found.outcome, found.suggestion) == ("resolved", None)
    assert set(exists(found).values()) == {False}


@pytest.mark.clause("B2")
def test_the_rest_of_a_text_is_said_to_be_no_part_only_of_a_registered_name(proxy: DoiProxy) -> None:
    texts = ("https://doi.org/10.1000/alone#rest", "https://doi.org/10.1000/gone#rest")
    job = run(make_job("doi\n" + "\n".join(texts) + "\n", proxy), proxy)
    registered, gone = Row.objects.filter(job=job).order_by("line")
    assert (registered.outcome, NOT_PART in registered.messages) == ("resolved", True)
    assert (gone.outcome, NOT_PART in gone.messages) == ("not-found", False)


@pytest.mark.parametrize("quick", [False, True])
def test_a_row_stores_the_whole_and_says_so(quick: bool, proxy: DoiProxy) -> None:
    text = "".join(f'"{text}"\n' for text, _ in CUTS) + "https://doi.org/10.1000/alone#rest\n10.1000/clean\n"
    job = run(make_job(f"doi\n{text}", proxy, quick=quick), proxy)
    rows = list(Row.objects.filter(job=job))
    for row, (_, whole) in zip(rows[:4], CUTS, strict=True):
        assert (row.doi, row.suggestion, row.also_registered, row.incomplete) == ("10.1000/cut", "", [whole], False)
        assert f"Also registered: {whole}." in row.messages
        assert NOT_PART not in row.messages
        use = build_row_context(row.job, row)["use"]
        assert (use.code, use.doi) == ("whole", whole)
    alone, clean = rows[4:]
    assert (alone.doi, alone.also_registered, alone.needs_review) == ("10.1000/alone", [], True)
    assert NOT_PART in alone.messages
    use = build_row_context(alone.job, alone)["use"]
    assert (use.code, use.link) == ("rest", "https://doi.org/10.1000/alone")
    assert (clean.also_registered, clean.messages, clean.needs_review) == ([], "", False)


@pytest.mark.parametrize("quick", [False, True])
def test_cut_rows_cost_one_request_more_for_all_of_them_and_clean_rows_none(
    quick: bool, proxy: DoiProxy, where_few_exist: SampleProxyServer
) -> None:
    def requests(text: str) -> int:
        before = len(where_few_exist.requests)
        run(make_job(f"doi\n{text}", proxy, quick=quick), proxy)
        return len(where_few_exist.requests) - before

    assert requests("10.1000/clean\n") == (1 if quick else 2)
    names = 1 if quick else 3  # one batch of Which RA; the records
    assert requests("https://doi.org/10.1000/alone#rest\nhttps://doi.org/10.1000/cut#rest\n") == names + 1


def test_where_the_whole_cannot_be_asked_that_is_said_and_a_retry_asks(
    proxy: DoiProxy, proxy_at: Make, tmp_path: Path
) -> None:
    job: Job = run(make_job("doi\nhttps://doi.org/10.1000/alone#error-1\n", proxy), proxy)
    row = Row.objects.get(job=job)
    # As an earlier version has left it.
    Row.objects.filter(job=job).update(incomplete=True, also_registered=[])
    job.incomplete = 1
    job.save()
    row.refresh_from_db()
    [step] = build_row_context(row.job, row)["steps"]
    assert (step.code, step.again) == ("untried", True)
    assert "couldn’t check whether the full DOI, with “#error-1”, is registered" in step.sentence
    assert count_rows_to_retry(job) == 1


def test_another_doi_of_the_text_that_is_not_registered_needs_attention_and_is_named(proxy: DoiProxy) -> None:
    job = run(make_job('doi\n"10.1000/cut; 10.1000/missing"\n"10.1000/cut; 10.1000/clean"\n', proxy), proxy)
    bad, good = Row.objects.filter(job=job)
    assert (bad.outcome, bad.needs_review, bad.correction) == ("resolved", True, "review")
    assert "Another DOI in this text isn't registered: 10.1000/missing." in bad.messages
    assert job.counts["problem"]["other-not-registered"] == 1
    assert "other-not-registered" not in good.problem_codes
    step = build_row_context(bad.job, bad)["steps"][0]
    assert step.sentence == "Correct the other DOI in this text: 10.1000/missing isn’t registered."


def test_six_marks_of_one_problem_are_one_sentence(proxy: DoiProxy) -> None:
    job = run(make_job("doi\nhttps://doi.org/10.1000/é-à-é-ü\n", proxy), proxy)
    told = Row.objects.get(job=job).messages
    assert told.count("are not ASCII characters") == 1
    assert "é, à, ü are not ASCII characters. In a URL, write them as %C3%A9, %C3%A0, %C3%BC" in told


@pytest.mark.parametrize("text", ["10.5555/exists.", "10.5555/exists/", "10.5555/a\u2013b", "10.5555/x/182"])
def test_what_a_name_probably_should_be_is_not_said_once_it_is_registered(text: str, proxy_at: Make) -> None:
    with SampleProxyServer() as everything:
        found = look_up(text, proxy_at(everything.url))
        missing = look_up(text.replace("10.5555/", "10.5555/missing"), proxy_at(everything.url))
    assert (found.outcome, missing.outcome) == ("resolved", "not-found")
    [problem] = found.problems
    assert "registered" in problem["message"]
    assert not any(word in problem["message"] for word in ("probably", "likely", "usually", "fails"))
    assert problem["message"] not in [one["message"] for one in missing.problems]

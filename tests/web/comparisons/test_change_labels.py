"""What one look at a comparison must not hide: rows without an answer, and answers of other proxies."""

import pytest
from django.test import Client

from resolver.models import Job, Row
from resolver.web.comparisons.page_context import build_headline
from tests.web.conftest import Look, html_of, run, text_of


@pytest.fixture
def two(visitor: Client, upload: Look) -> tuple[Job, Job]:
    upload("doi\n10.1000/182\n10.1000/nope\n10.1000/nope2\n")
    first = run(Job.objects.get())
    visitor.post(f"/jobs/{first.pk}/again")
    return first, run(Job.objects.get(rerun_of=first))


@pytest.mark.parametrize(
    ("counts", "told"),
    [
        ({"address-changed": 1}, "Nothing is newly broken; 1 changed"),
        ({"newly-broken": 2}, "2 rows are newly broken"),
        ({"unchanged": 1}, "No changes"),
    ],
)
def test_rows_without_an_answer_are_told_with_whatever_else_is(counts: dict[str, int], told: str):
    qualified = build_headline({**counts, "not-answered": 19}, by_line=True)
    assert qualified.text == f"{told}; 19 couldn’t be compared"
    assert qualified.tone != "good"


def test_title_and_heading_say_how_many_rows_could_not_be_compared(two: tuple[Job, Job], visitor: Client):
    Row.objects.filter(job=two[1], line=2).update(outcome="unreachable")
    Row.objects.filter(job=two[1], line=1).update(urls=["https://new.example/"])
    page = html_of(visitor.get(f"/jobs/{two[0].pk}/compare/{two[1].pk}"))
    told = "Nothing is newly broken; 1 changed; 1 couldn’t be compared"
    assert f"<title>{told}" in page
    assert page.count(told) == 2


def test_sample_data_beside_real_answers_are_told_in_heading_sides_and_file(two: tuple[Job, Job], visitor: Client):
    first, second = two
    Job.objects.filter(pk=first.pk).update(sample=True)
    Job.objects.filter(pk=second.pk).update(sample=False, proxy="https://doi.org")
    Row.objects.filter(job=second).update(outcome="not-found", proxy="https://doi.org")
    address = f"/jobs/{first.pk}/compare/{second.pk}"
    page = visitor.get(address)
    assert "<title>Sample data and real answers: 1 row is newly broken" in html_of(page)
    said = text_of(page)
    assert f"checked with {first.proxy} (the sample proxy)" in said
    assert "checked with https://doi.org" in said
    lines = b"".join(visitor.get(f"{address}/changes.csv")).decode("utf-8-sig").splitlines()  # type: ignore[arg-type] # a streamed answer is iterated over
    assert lines[0].endswith(",proxy_before,proxy_after")
    assert lines[1].endswith(f",{first.proxy},https://doi.org")


def test_two_proxies_and_two_samples_are_told(two: tuple[Job, Job], visitor: Client):
    address = f"/jobs/{two[0].pk}/compare/{two[1].pk}"
    Job.objects.update(sample=True)
    assert "<title>Sample data: No changes" in html_of(visitor.get(address))
    Job.objects.update(sample=False)
    Job.objects.filter(pk=two[1].pk).update(proxy="https://elsewhere.example")
    assert "<title>Two different proxies: No changes" in html_of(visitor.get(address))


def test_the_rows_of_a_sample_list_say_sample_data(two: tuple[Job, Job], visitor: Client):
    Job.objects.update(sample=True)
    assert "Sample data:" in text_of(visitor.get(f"/jobs/{two[0].pk}/rows"))

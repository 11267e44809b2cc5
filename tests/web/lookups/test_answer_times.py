"""Pages say when the DOI proxy answered, beside when a text was checked; and an odd text spoils no page."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from resolver.models import Job, Lookup, Row, StoredAnswer
from tests.proxy import raw_server as raw
from tests.proxy.raw_server import RawServer
from tests.web.conftest import Look, newest, run, text_of

EARLIER = datetime.now(UTC) - timedelta(hours=1)


def test_the_page_of_a_lookup_says_when_the_proxy_answered(look: Look):
    page = text_of(look("10.1000/182"))
    assert "Answer from" in page
    assert newest().answered_at == newest().created_at


def test_the_page_of_a_row_says_it_too_and_that_it_is_a_stored_answer(look: Look, upload: Look, visitor: Client):
    look("10.1000/182")
    StoredAnswer.objects.update(record_at=EARLIER, agency_at=EARLIER)
    upload("DOI\n10.1000/182\nno DOI\n")
    job = run(Job.objects.get())
    said = text_of(visitor.get(f"/jobs/{job.pk}/rows/1"))
    assert "Answer from" in said
    assert f"{EARLIER:%H:%M:%S} UTC (stored answer)" in said
    assert "Answer from" not in text_of(visitor.get(f"/jobs/{job.pk}/rows/2"))


def test_a_lookup_stored_by_an_earlier_version_says_nothing_of_it(look: Look, visitor: Client):
    look("10.1000/182")
    Lookup.objects.update(answered_at=None)
    assert "Answer from" not in text_of(visitor.get(f"/lookups/{newest().pk}"))


@pytest.mark.parametrize("text", ["(" * 600 + "10.5555/a" + ")" * 600, "[" * 2000 + "10.5555/a" + "]" * 2000])
def test_nested_brackets_spoil_neither_the_rows_of_a_list_nor_their_own_page(
    text: str, upload: Look, look: Look, visitor: Client
):
    upload(f"DOI\n{text}\n10.5555/fine\n")
    job = run(Job.objects.get())
    assert Row.objects.get(job=job, line=2).outcome == "resolved"
    for address in (f"/jobs/{job.pk}/rows", f"/jobs/{job.pk}/rows/1", f"/jobs/{job.pk}"):
        assert visitor.get(address).status_code == 200
    assert look(text).status_code == 200


def test_the_page_says_how_many_of_very_many_dois_were_not_asked(look: Look, settings: Any):
    settings.DOI_PROXY_BACKOFF, settings.PROXY_RATE = 0.001, 0

    def answer(request: raw.Request) -> bytes:
        if request.name == "10.1000/n0":
            return raw.record(request.name)
        return raw.http(400, "no")

    with RawServer(answer) as server:
        settings.DOI_PROXY_URL = server.url
        said = text_of(look(" ".join(f"10.1000/n{n}" for n in range(300))))
    unasked = sum(other["outcome"] == "" for other in newest().others)
    assert unasked > 1
    assert f"We couldn’t check {unasked} of these DOIs" in said

"""Files of results: the first bytes go out before the last row is read, and all rows come, whatever is cut where."""

import random
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from resolver.models import Job, Row
from resolver.services.results import export
from tests.web.conftest import Look

ROWS = 300
FILES = [f"{place}/results.{ending}" for place in ("", "/api/v1") for ending in ("csv", "xlsx", "jsonl")]


@pytest.fixture
def job(upload: Look, monkeypatch: pytest.MonkeyPatch) -> Job:
    monkeypatch.setattr(export, "BATCH_ROWS", 10)
    upload("doi\n10.5555/one\n")
    job = Job.objects.get()
    numbers = random.Random(1)  # texts that do not become short by being compressed
    Row.objects.bulk_create(
        Row(job=job, line=line, cells=[f"{numbers.getrandbits(30_000):x}"], outcome="resolved")
        for line in range(1, ROWS + 1)
    )
    Job.objects.update(state="finished", total=ROWS, done=ROWS)
    return job


def queries_for_rows(captured: CaptureQueriesContext) -> int:
    return len([query for query in captured.captured_queries if '"cells"' in query["sql"]])


@pytest.mark.parametrize("file", FILES)
def test_the_first_bytes_go_out_before_the_last_row_is_read(job: Job, visitor: Client, file: str):
    place, name = file.rsplit("/", 1)
    with CaptureQueriesContext(connection) as captured:
        response: Any = visitor.get(f"{place}/jobs/{job.pk}/{name}")
        assert response.status_code == 200
        blocks = iter(response.streaming_content)
        sent = 0
        while sent < 20_000:
            sent += len(next(blocks))
        early = queries_for_rows(captured)
        rest = sum(map(len, blocks))
        assert 1 <= early <= 5
        assert queries_for_rows(captured) == ROWS / 10 + 1  # the last finds that there are no more
    assert rest > 20 * sent / early


@pytest.mark.slow
@pytest.mark.parametrize("at_once", [1, 7, 299, 300, 301])
def test_every_row_is_in_the_file_once_and_in_order_however_many_are_read_at_once(
    job: Job, visitor: Client, monkeypatch: pytest.MonkeyPatch, at_once: int
):
    monkeypatch.setattr(export, "BATCH_ROWS", at_once)
    response: Any = visitor.get(f"/jobs/{job.pk}/results.csv")
    lines = b"".join(response.streaming_content).decode("utf-8-sig").splitlines()[1:]
    stored = Row.objects.filter(job=job).order_by("line").values_list("cells", flat=True)
    assert [line.split(",")[0] for line in lines] == [cells[0] for cells in stored]

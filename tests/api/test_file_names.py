"""The name of an uploaded file is data: kept, shown and sent back, never a path."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from resolver.models import Job
from tests.api.conftest import run

pytestmark = pytest.mark.django_db

LIST = "doi\n10.5555/one\n"


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", 'a"b.csv', "a\r\nX: y.csv", "é.csv", "x" * 300 + ".csv", "...", "a;b.csv"]
)
def test_a_file_name_is_data(api: Client, name: str) -> None:
    response = api.post("/api/v1/jobs", {"file": SimpleUploadedFile("list.csv", LIST.encode())})
    job = Job.objects.get(pk=response.json()["id"])
    job.filename = name
    job.save()
    run(str(job.pk))
    response = api.get(f"/api/v1/jobs/{job.pk}/results.jsonl")
    assert b"".join(response.streaming_content)
    disposition = response.headers["Content-Disposition"]
    assert disposition.startswith("attachment; filename")
    assert len(disposition) < 1000
    assert not set("\r\n/\\") & set(disposition)

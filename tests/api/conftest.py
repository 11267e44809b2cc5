"""Callers of the API, and the real stand-in over a socket behind it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from doiportal.celery import app
from resolver.models import Job, WaitingMessage
from resolver.services.jobs import import_rows
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.turns.check import check_chunk
from resolver.standin.server import SampleProxyServer
from tests.api.schema_client import SchemaClient
from tests.stored_list import StoredList, session_of


@pytest.fixture(scope="session")
def standin() -> Iterator[SampleProxyServer]:
    with SampleProxyServer() as server:
        yield server


@pytest.fixture(autouse=True)
def _portal(settings: Any, tmp_path: Path, standin: SampleProxyServer) -> None:
    settings.DOIPORTAL_DATA_DIR = tmp_path
    settings.DOI_PROXY_URL = standin.url


@pytest.fixture
def api() -> Client:
    """A caller without a login; checks CSRF as a real server does."""
    return SchemaClient(enforce_csrf_checks=True)


@pytest.fixture
def other() -> Client:
    """Another caller without a login."""
    return SchemaClient(enforce_csrf_checks=True)


@pytest.fixture
def user(db: None) -> User:
    return User.objects.create_user("ada", password="a long enough word")


Post = Callable[..., Any]


@pytest.fixture
def post(api: Client) -> Post:
    """POST of a JSON body."""

    def send(path: str, body: Any, client: Client = api, **options: Any) -> Any:
        return client.post(f"/api/v1/{path}", body, content_type="application/json", **options)

    return send


@pytest.fixture
def upload(api: Client) -> Post:
    """POST of a file as a job."""

    def send(text: str | bytes, name: str = "list.csv", client: Client = api, headers: Any = None, **form: Any) -> Any:
        return send_file(client, text, name, headers, **form)

    return send


def send_file(client: Client, text: str | bytes, name: str = "list.csv", headers: Any = None, **form: Any) -> Any:
    data = text.encode() if isinstance(text, str) else text
    return client.post("/api/v1/jobs", {"file": SimpleUploadedFile(name, data), **form}, headers=headers)


def store_list(text: str) -> StoredList:
    """Upload and check a list, in a fixture that needs `module_portal`."""
    client = SchemaClient()
    job = run(send_file(client, text).json()["id"])
    return StoredList(job.pk, session_of(client))


@pytest.fixture
def broker_nowhere() -> Iterator[None]:
    """Messages go to an address where nothing listens."""
    kept = app.conf.broker_write_url
    app.conf.broker_write_url = "redis://127.0.0.1:9/0"
    app._after_fork()  # the way by which Celery forgets its open connections
    yield
    app.conf.broker_write_url = kept
    app._after_fork()


def run(job_id: str) -> Job:
    """What the worker does, here and now."""
    WaitingMessage.objects.all().delete()  # as a worker that takes its message
    proxy = proxy_from_settings()
    for chunk_id in import_rows.read_into_rows(job_id):
        check_chunk(chunk_id, proxy=proxy)
    return Job.objects.get(pk=job_id)


def assert_problem(response: Any, status: int) -> dict[str, Any]:
    """RFC 9457: the media type, the four members, and errors by field as lists of sentences."""
    assert response.status_code == status, response.content
    assert response.headers["Content-Type"] == "application/problem+json"
    body = response.json()
    assert set(body) <= {"type", "title", "status", "detail", "errors"}
    assert {"type", "title", "status", "detail"} <= set(body)
    assert body["status"] == status
    assert body["type"] == "about:blank" or body["type"].startswith("/problems/")
    assert body["title"]
    assert body["detail"]
    for texts in body.get("errors", {"": ["x"]}).values():
        assert texts
        assert all(isinstance(text, str) and text for text in texts)
    return dict(body)

"""The real stand-in over a socket, asked by the real clients."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile

from resolver.models import Chunk, Job
from resolver.proxy.config import ProxyConfig
from resolver.proxy.limits import FileBudget
from resolver.services.jobs import import_rows
from resolver.services.jobs.check import check_chunk
from resolver.services.jobs.create import create_job
from resolver.services.proxy_answers.doi_proxy import DoiProxy
from resolver.standin.server import StandIn

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
NOWHERE = "http://127.0.0.1:9"


@pytest.fixture(scope="session")
def standin() -> Iterator[StandIn]:
    with StandIn() as server:
        yield server


@pytest.fixture
def proxy_at(tmp_path: Path) -> Iterator[Callable[..., DoiProxy]]:
    """A proxy by its address; its connections are closed at the end."""
    made = []

    def make(url: str, **options: Any) -> DoiProxy:
        config = ProxyConfig(url, "doiportal-tests", backoff=0.01, concurrency=16, rate=10_000)
        made.append(DoiProxy(config, FileBudget(tmp_path / "budget", 16, 10_000), **options))
        return made[-1]

    yield make
    for proxy in made:
        proxy.client.close()


@pytest.fixture
def proxy(proxy_at: Callable[..., DoiProxy], standin: StandIn) -> DoiProxy:
    return proxy_at(standin.url)


@pytest.fixture
def nowhere(proxy_at: Callable[..., DoiProxy]) -> DoiProxy:
    """A proxy where nothing listens."""
    return proxy_at(NOWHERE)


@pytest.fixture(autouse=True)
def _own_uploads(settings: Any, tmp_path: Path) -> None:
    settings.DOIPORTAL_DATA_DIR = tmp_path


def make_job(text: str | bytes, proxy: DoiProxy, *, owner: str = "user:1", **options: Any) -> Job:
    """A queued job of the text."""
    data = text.encode() if isinstance(text, str) else text
    job, _ = create_job(ContentFile(data), "list.csv", owner=owner, proxy=proxy, now=NOW, **options)
    return job


def undone(job: Job) -> list[int]:
    """Its chunks that are to be checked, in the order of its lines."""
    return list(Chunk.objects.filter(job=job, done=False).order_by("number").values_list("pk", flat=True))


def run(job: Job, proxy: DoiProxy) -> Job:
    """Read the job's file and check all its chunks, here and now."""
    for chunk_id in import_rows.read_rows(job.pk):
        check_chunk(chunk_id, proxy=proxy)
    job.refresh_from_db()
    return job

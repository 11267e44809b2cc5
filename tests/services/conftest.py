"""The real stand-in over a socket, asked by the real clients."""

import os
import uuid
from collections import deque
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.utils import timezone

from resolver.models import Chunk, Job, WaitingMessage
from resolver.proxy.limits import FileBudget
from resolver.proxy.proxy_config import ProxyConfig
from resolver.services.jobs import import_rows
from resolver.services.jobs.create import LayoutRequest, NewList, create_job
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.storage.leases import Clock
from resolver.services.turns import scheduler, turn_order
from resolver.services.turns.check import check_chunk
from resolver.services.turns.turn_order import TurnMessage
from resolver.sheets.input.work_columns import WorkChoice
from resolver.standin.server import SampleProxyServer

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
NOWHERE = "http://127.0.0.1:9"
# SQLite chooses its indexes without statistics.
collect_ignore = ["jobs/test_plans.py"] if os.environ.get("TEST_DATABASE") == "sqlite" else []


@pytest.fixture(scope="session")
def standin() -> Iterator[SampleProxyServer]:
    with SampleProxyServer() as server:
        yield server


def build_config(url: str) -> ProxyConfig:
    return ProxyConfig(url, "doiportal-tests", backoff=0.01, concurrency=16, rate=10_000)


@pytest.fixture
def proxy_at(tmp_path: Path) -> Iterator[Callable[..., DoiProxy]]:
    """A proxy by its address; its connections are closed at the end."""
    made = []

    def make(url: str, **options: Any) -> DoiProxy:
        made.append(DoiProxy(build_config(url), FileBudget(tmp_path / "budget", 16, 10_000), **options))
        return made[-1]

    yield make
    for proxy in made:
        proxy.client.close()


@pytest.fixture
def proxy(proxy_at: Callable[..., DoiProxy], standin: SampleProxyServer) -> DoiProxy:
    return proxy_at(standin.url)


@pytest.fixture
def nowhere(proxy_at: Callable[..., DoiProxy]) -> DoiProxy:
    """A proxy where nothing listens."""
    return proxy_at(NOWHERE)


@pytest.fixture(autouse=True)
def _own_uploads(settings: Any, tmp_path: Path) -> None:
    settings.DOIPORTAL_DATA_DIR = tmp_path


def make_job(text: str | bytes, proxy: DoiProxy, *, owner: str = "user:1", **options: Any) -> Job:
    """A queued job of the text; the options are those of NewList, LayoutRequest, WorkChoice and create_job."""
    data = text.encode() if isinstance(text, str) else text
    options["works"] = WorkChoice(options.pop("compare", False), options.pop("search", False))
    of_list, of_layout = (
        {name: options.pop(name) for name in options.keys() & set(kind.__slots__)} for kind in (NewList, LayoutRequest)
    )
    new, wanted = NewList(owner=owner, **{"filename": "list.csv", **of_list}), LayoutRequest(**of_layout)
    job, _ = create_job(ContentFile(data), new, proxy=proxy, now=NOW, wanted=wanted, **options)
    return job


@pytest.fixture(scope="module")
def checked_once(
    request: pytest.FixtureRequest,
    module_portal: Path,
    standin: SampleProxyServer,
    tmp_path_factory: pytest.TempPathFactory,
) -> uuid.UUID:
    """The module's LIST (with LIST_OPTIONS), checked once for all its tests."""
    proxy = DoiProxy(build_config(standin.url), FileBudget(tmp_path_factory.mktemp("proxy") / "budget", 16, 10_000))
    job = run(make_job(request.module.LIST, proxy, **getattr(request.module, "LIST_OPTIONS", {})), proxy)
    proxy.client.close()
    return job.pk


@pytest.fixture
def checked_job(checked_once: uuid.UUID, module_files: None, db: None) -> Job:
    """The module's list as it was checked, with its file."""
    return Job.objects.get(pk=checked_once)


def undone(job: Job) -> list[int]:
    """Its chunks that are to be checked, in the order of its lines."""
    return list(Chunk.objects.filter(job=job, done=False).order_by("number").values_list("pk", flat=True))


def run(job: Job, proxy: DoiProxy, **options: int) -> Job:
    """Read the job's file and check all its chunks, here and now."""
    for chunk_id in import_rows.read_into_rows(job.pk, **options):
        check_chunk(chunk_id, proxy=proxy)
    job.refresh_from_db()
    return job


def serve(owner: str, proxy: DoiProxy, **options: Any) -> list[TurnMessage]:
    """The messages that a turn sends."""
    sent: list[TurnMessage] = []
    scheduler.run_turn(owner, proxy, send=sent.append, **options)
    return sent


def recover(now: datetime) -> list[TurnMessage]:
    """The messages that the sweep sends."""
    sent: list[TurnMessage] = []
    scheduler.recover_abandoned(now, sent.append)
    return sent


class Queue:
    """The broker's queue and one worker, here and now: messages are taken in the order in which they came."""

    def __init__(self, proxy: DoiProxy, clock: Clock = timezone.now, **options: float) -> None:
        self.proxy, self.clock, self.options = proxy, clock, options
        self.messages: deque[TurnMessage] = deque()

    def sweep(self) -> None:
        scheduler.recover_abandoned(self.clock(), self.messages.append)

    def take_turn(self) -> list[TurnMessage]:
        """Serve who comes first; what was sent meanwhile. Without a message, the sweep looks first."""
        if not self.messages:
            self.sweep()
        if not self.messages:
            return []
        self.messages.popleft()
        owner = turn_order.take_wakeup()
        sent = serve(owner, self.proxy, clock=self.clock, **self.options) if owner is not None else []
        self.messages.extend(sent)
        return sent

    def work_off(self) -> None:
        """Serve until no message is left, and the sweep finds no work that needs one."""
        self.sweep()
        while self.messages:
            self.take_turn()
            if not self.messages:
                self.sweep()


def work_off(job: Job, proxy: DoiProxy) -> Job:
    """What workers do until nothing is left to do: they have the messages that were sent."""
    queue = Queue(proxy)
    queue.messages.extend(TurnMessage(one.owner, one.token) for one in WaitingMessage.objects.all())
    queue.work_off()
    job.refresh_from_db()
    return job

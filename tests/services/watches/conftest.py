"""A watched list, a proxy whose records change, and the days that pass."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from resolver.models import Depth, Every, Job, Watch, WatchChange
from resolver.services.accounts.owners import get_user_owner
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.watches import registration, runs
from resolver.standin.server import SampleProxyServer
from tests.services.conftest import NOW, make_job, run, work_off

NAMES = ("10.77/a", "10.77/b", "10.77/c")
LIST = "doi\n" + "\n".join(NAMES) + "\n"
DAY = timedelta(days=1)


def write_records(folder: Path, names: Mapping[str, str | None]) -> Path:
    """A file of records for the stand-in: each name with its address; None: a record without one."""
    made = [{"doi": name, "ra": "Crossref", "values": [_value(address)]} for name, address in names.items()]
    path = folder / "records.json"
    path.write_text(json.dumps({"prefixes": {"10.77": "Crossref"}, "records": made}))
    return path


def _value(address: str | None) -> dict[str, Any]:
    kind, text = ("EMAIL", "a@example.org") if address is None else ("URL", address)
    data = {"format": "string", "value": text}
    return {"index": 1, "type": kind, "data": data, "ttl": 86400, "timestamp": "2026-01-01T00:00:00Z"}


@dataclass
class WatchScene:
    """A watch, and what the DOI proxy knows."""

    server: SampleProxyServer
    proxy: DoiProxy
    folder: Path
    account: User
    proxy_at: Callable[..., DoiProxy]
    now: datetime = NOW

    def know(self, *names: str, without_address: str = "", **addresses: str) -> None:
        """From now on the proxy knows these names alone. `addresses`: of the names 10.77/<word>, in place of pages."""
        records = {name: None if name == without_address else f"https://pub.example/{name}" for name in names}
        records |= {f"10.77/{word}": url for word, url in addresses.items()}
        self.server.know(write_records(self.folder, records))

    def list_checked(self, text: str = LIST, **options: Any) -> Job:
        return run(make_job(text, self.proxy, owner=get_user_owner(self.account), **options), self.proxy)

    def begin(self, job: Job, *, every: Every = Every.DAY, depth: Depth = Depth.EXISTENCE, **options: Any) -> Watch:
        watch = registration.create_watch(
            job, every=every, depth=depth, portal="https://portal.example", language="en", now=NOW, **options
        )
        self.now = watch.next_at
        return watch

    def go_to(self, url: str) -> None:
        """From now on another DOI proxy is asked."""
        self.proxy = self.proxy_at(url)

    def do_due(self) -> None:
        """Do what is due now, as workers do."""
        while jobs := list(runs.advance_watches(self.now, proxy=self.proxy)):
            for job in jobs:
                work_off(job, self.proxy)

    def next_day(self) -> None:
        self.now += DAY
        self.do_due()

    def told(self) -> list[tuple[str, bool]]:
        """What was told so far: the names, and whether they work again."""
        return list(WatchChange.objects.order_by("pk").values_list("doi", "works"))


@pytest.fixture
def scene(tmp_path: Path, proxy_at: Callable[..., DoiProxy], transactional_db: None) -> Iterator[WatchScene]:
    with SampleProxyServer(write_records(tmp_path, {})) as server:
        account = User.objects.create_user("ada")
        scene = WatchScene(server, proxy_at(server.url), tmp_path, account, proxy_at)
        scene.know(*NAMES)
        yield scene

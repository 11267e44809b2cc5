"""Both clients behind one face, so that each test of the talk with the proxy runs with each of them."""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol
from uuid import uuid4

import pytest

from resolver.domain.handle.answers import Resolution
from resolver.proxy.bulk_client import BulkClient
from resolver.proxy.client import ProxyClient
from resolver.proxy.limits import Budget, FileBudget, RedisBudget
from resolver.proxy.limits.proxy_health import BackoffPolicy
from resolver.proxy.proxy_config import ProxyConfig
from resolver.proxy.request_logic import Verdict
from tests.proxy.limits.stores import BudgetPlace

AGENT = "doiportal/0 (+mailto:portal@library.example)"


class Asker(Protocol):
    def resolve(self, name: str) -> Resolution: ...
    def find_agencies(self, names: Sequence[str]) -> list[Verdict]: ...


class BulkAsker:
    def __init__(self, config: ProxyConfig, budget: Budget) -> None:
        self._bulk = BulkClient(config, budget)

    def resolve(self, name: str) -> Resolution:
        return self._bulk.resolve([name])[name]

    def find_agencies(self, names: Sequence[str]) -> list[Verdict]:
        verdicts = self._bulk.find_agencies(names)
        return [verdicts[name] for name in names]


def config_for(url: str, **changes: float) -> ProxyConfig:
    return ProxyConfig(url, AGENT, **{"backoff": 0.001, "timeout": 5.0, **changes})


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No proxy server and no certificates of the machine on which the tests run."""
    for variable in list(os.environ):
        if variable.lower().endswith("_proxy") or variable in {"REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"}:
            monkeypatch.delenv(variable)


@pytest.fixture
def budget(tmp_path: Path) -> Iterator[FileBudget]:
    kept = FileBudget(tmp_path / "budget", 4, None, policy=BackoffPolicy(first_pause=0.01))
    yield kept
    kept.close()


Ask = Callable[..., Asker]


@pytest.fixture(params=["client", "bulk"])
def ask(request: pytest.FixtureRequest, budget: FileBudget) -> Iterator[Ask]:
    """`ask(url, attempts=…)`: one of the two clients for the proxy at that address."""
    clients: list[ProxyClient] = []

    def make(url: str, **changes: float) -> Asker:
        config = config_for(url, **changes)
        if request.param == "bulk":
            return BulkAsker(config, budget)
        clients.append(ProxyClient(config, budget))
        return clients[-1]

    yield make
    for client in clients:
        client.close()


@pytest.fixture(params=["file", "redis"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> BudgetPlace:
    """Where a budget is kept."""
    if request.param == "file":
        return BudgetPlace("file", str(tmp_path / "shared"))
    return BudgetPlace("redis", request.getfixturevalue("redis_url"), f"test:{uuid4()}")


Make = Callable[..., FileBudget | RedisBudget]


@pytest.fixture
def make(place: BudgetPlace) -> Iterator[Make]:
    """`make(concurrency, rate)`: one more budget that is kept there."""
    made: list[FileBudget | RedisBudget] = []

    def make(*limits: Any, **options: Any) -> FileBudget | RedisBudget:
        made.append(place.budget(*limits, **options))
        return made[-1]

    yield make
    for budget in made:
        budget.close()

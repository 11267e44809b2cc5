"""The DOI proxy of the services: built from the settings in one place, and passed as an argument."""

import os
import threading
from collections.abc import Hashable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, cast

from django.conf import settings

from resolver import conf
from resolver.proxy.bulk_client import BulkClient
from resolver.proxy.client import ProxyClient
from resolver.proxy.limits import Budget, FileBudget, RedisBudget
from resolver.proxy.limits.proxy_health import BackoffPolicy
from resolver.proxy.proxy_config import ProxyConfig

PATIENCE_SECONDS = 10.0  # of pauses for which a person waits, in a thread of the web server
BRIEF_SECONDS = 3.0  # for what is only good to know


@dataclass(frozen=True)
class DoiProxy:
    """One DOI proxy: its address, whether its data are made up, and its clients."""

    config: ProxyConfig
    budget: Budget
    sample: bool = False

    @property
    def base_url(self) -> str:
        return self.config.base_url

    @property
    def client(self) -> ProxyClient:
        """One name at a time, for a person who waits."""
        return self._make_client(self.config, PATIENCE_SECONDS)

    @property
    def briefly(self) -> ProxyClient:
        """One attempt in a short time, for answers that are no reason to wait."""
        hurried = replace(self.config, timeout=min(self.config.timeout, BRIEF_SECONDS), attempts=1, least_attempts=1)
        return self._make_client(hurried, BRIEF_SECONDS)

    @property
    def once(self) -> ProxyClient:
        """One attempt in the usual time, for callers that report its outcome."""
        return self._make_client(replace(self.config, attempts=1, least_attempts=1), PATIENCE_SECONDS)

    @cached_property
    def bulk(self) -> BulkClient:
        """Many names, for a worker."""
        return BulkClient(self.config, self.budget)

    def _make_client(self, config: ProxyConfig, patience: float) -> ProxyClient:
        return keep_client(config, self.budget, patience)


def proxy_from_settings() -> DoiProxy:
    """Return the proxy of the settings."""
    config = build_config(settings.DOI_PROXY_URL, settings.PROXY_CONCURRENCY, settings.PROXY_RATE)
    return DoiProxy(config, budget_from_settings(), settings.DOIPORTAL_SAMPLE_DATA)


def build_config(base_url: str, concurrency: int, rate: float) -> ProxyConfig:
    """Return the settings of the clients of one server, whose budget allows `rate` requests a second."""
    return ProxyConfig(
        base_url=base_url,
        user_agent=conf.user_agent(),
        timeout=settings.DOI_PROXY_TIMEOUT,
        attempts=settings.DOI_PROXY_ATTEMPTS,
        backoff=settings.DOI_PROXY_BACKOFF,
        concurrency=concurrency,
        rate=rate,
    )


def budget_from_settings() -> Budget:
    """Return the limit of the DOI proxy over all processes."""
    policy = BackoffPolicy(longest_pause=settings.PROXY_LONGEST_PAUSE)
    return open_budget("budget", settings.PROXY_CONCURRENCY, settings.PROXY_RATE, policy)


def open_budget(name: str, concurrency: int, rate: float, policy: BackoffPolicy) -> Budget:
    """Return a limit over all processes: in Redis if there is one, else in files under the data folder."""
    place, folder = settings.REDIS_URL, settings.DOIPORTAL_DATA_DIR
    with _making:
        return _open_budget(name, place, folder, concurrency, rate, settings.DOI_PROXY_TIMEOUT, policy)


def keep_client(config: ProxyConfig, budget: Budget, patience: float) -> ProxyClient:
    """Return the client of this process: one for all its requests, which keeps its connections to the server."""
    with _making:
        return _keep_client(config, cast(Hashable, budget), patience, os.getpid())


def get_barred_since() -> datetime | None:
    """Return since when the DOI proxy has refused all requests of this portal, or None."""
    return budget_from_settings().get_barred_since()


# Held while a kept object is looked up or made: two threads that miss at once would each make one.
_making = threading.Lock()


def _renew_lock() -> None:
    """Give a forked process a free lock: the thread that holds it exists only in the parent."""
    global _making
    _making = threading.Lock()


os.register_at_fork(after_in_child=_renew_lock)


@lru_cache(maxsize=16)  # a budget opens connections or files of its own, and pages need it too
def _open_budget(
    name: str, redis_url: str, folder: Path, concurrency: int, rate: float, timeout: float, policy: BackoffPolicy
) -> FileBudget | RedisBudget:
    lease = timeout + 10.0  # the permit of a killed process is kept beyond the longest request
    if redis_url:
        return RedisBudget(redis_url, concurrency, rate, key=f"doiportal:{name}", lease=lease, policy=policy)
    return FileBudget(folder / name, concurrency, rate, lease=lease, policy=policy)


@lru_cache(maxsize=16)
def _keep_client(config: ProxyConfig, budget: Any, patience: float, process: int) -> ProxyClient:
    """`process`, a process id: a fork makes a client of its own."""
    return ProxyClient(config, budget, patience)

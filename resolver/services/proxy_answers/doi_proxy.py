"""The DOI proxy as the services see it: built from the settings in one place, and passed on as an argument."""

import os
from collections.abc import Hashable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, cast

from resolver import conf
from resolver.proxy.async_client import Bulk
from resolver.proxy.client import Client
from resolver.proxy.config import ProxyConfig
from resolver.proxy.limits import Budget, FileBudget, RedisBudget
from resolver.proxy.limits.backoff import BackoffPolicy

PATIENCE = 10.0  # seconds that a person is kept waiting by pauses; each who waits holds a thread of the web server
BRIEFLY = 3.0  # seconds for what would be good to know, but need not be known
SPARE = 10.0  # seconds for which the permit of a killed process is kept beyond the longest request


@dataclass(frozen=True)
class DoiProxy:
    """One DOI proxy: its address, whether its data are made up, and the ways to ask it."""

    config: ProxyConfig
    budget: Budget
    sample: bool = False

    @property
    def base_url(self) -> str:
        return self.config.base_url

    @property
    def client(self) -> Client:
        """One name at a time, for a person who waits."""
        return self._client(self.config, PATIENCE)

    @property
    def briefly(self) -> Client:
        """By one attempt, and not for long: for what a person should not have to wait for."""
        hurried = replace(self.config, timeout=min(self.config.timeout, BRIEFLY), attempts=1, least_attempts=1)
        return self._client(hurried, BRIEFLY)

    @cached_property
    def bulk(self) -> Bulk:
        """Many names, for a worker."""
        return Bulk(self.config, self.budget)

    def _client(self, config: ProxyConfig, patience: float) -> Client:
        return _kept_client(config, cast(Hashable, self.budget), patience, os.getpid())


class _ProxyOfSettings(DoiProxy):
    """Each part is made when it is first needed: what is stored is found by the address alone."""

    def __init__(self) -> None:
        """Nothing is made yet."""

    @property
    def base_url(self) -> str:
        return conf.proxy_url()

    @cached_property
    def config(self) -> ProxyConfig:
        return config_from_settings()

    @cached_property
    def budget(self) -> Budget:
        return budget_from_settings()

    @cached_property
    def sample(self) -> bool:
        return conf.sample_data()


def proxy_from_settings() -> DoiProxy:
    return _ProxyOfSettings()


def config_from_settings() -> ProxyConfig:
    return ProxyConfig(
        base_url=conf.proxy_url(),
        user_agent=conf.user_agent(),
        timeout=conf.proxy_timeout(),
        attempts=conf.proxy_attempts(),
        backoff=conf.proxy_backoff(),
        concurrency=conf.proxy_concurrency(),
        rate=conf.proxy_rate(),
    )


def budget_from_settings() -> Budget:
    """The limit over all processes: kept in Redis where there is one, else in files under the data folder."""
    policy = BackoffPolicy(longest_pause=conf.longest_pause())
    return _budget(
        conf.redis_url(), conf.data_dir(), conf.proxy_concurrency(), conf.proxy_rate(), conf.proxy_timeout(), policy
    )


@lru_cache(maxsize=4)  # pages ask it too, and each would open connections or files of its own
def _budget(
    redis_url: str, folder: Path, concurrency: int, rate: float, timeout: float, policy: BackoffPolicy
) -> FileBudget | RedisBudget:
    if redis_url:
        return RedisBudget(redis_url, concurrency, rate, lease=timeout + SPARE, policy=policy)
    return FileBudget(folder / "budget", concurrency, rate, lease=timeout + SPARE, policy=policy)


@lru_cache(maxsize=8)
def _kept_client(config: ProxyConfig, budget: Any, patience: float, process: int) -> Client:
    """The client of this process: one for all its requests, so that connections to the DOI proxy are kept between
    them. `process`, a process id: a fork makes a client of its own."""
    return Client(config, budget, patience)


def barred_since() -> datetime | None:
    """Since when the DOI proxy has refused all requests of this portal, in whatever process; None when it has not."""
    return budget_from_settings().barred_since()

"""The DOI proxy as the services see it: built from the settings in one place, and passed on as an argument."""

from dataclasses import dataclass
from functools import cached_property

from resolver import conf
from resolver.proxy.budget import Budget, FileBudget, RedisBudget
from resolver.proxy.bulk import Bulk
from resolver.proxy.client import Client
from resolver.proxy.config import ProxyConfig


@dataclass(frozen=True)
class Proxy:
    """One DOI proxy: its address, whether its data are made up, and the two ways to ask it."""

    config: ProxyConfig
    budget: Budget
    sample: bool = False

    @property
    def base_url(self) -> str:
        return self.config.base_url

    @cached_property
    def client(self) -> Client:
        """One name at a time, for a person who waits."""
        return Client(self.config, self.budget)

    @cached_property
    def bulk(self) -> Bulk:
        """Many names, for a worker."""
        return Bulk(self.config, self.budget)


def proxy_from_settings() -> Proxy:
    return Proxy(config_from_settings(), budget_from_settings(), conf.sample_data())


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
    if conf.redis_url():
        return RedisBudget(conf.redis_url(), conf.proxy_concurrency(), conf.proxy_rate())
    return FileBudget(conf.data_dir() / "budget", conf.proxy_concurrency(), conf.proxy_rate())

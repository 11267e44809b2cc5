"""The address of the DOI proxy, the bounds of its requests, and the URLs of records and of Which RA lists."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from resolver.domain.name.encoding import to_url_path, to_which_ra_item

LEAST_ATTEMPTS = 3  # a name couldn't be checked only after three attempts: an operator may raise that, not lower it
MAX_BATCH_NAMES = 50
MAX_BATCH_BYTES = 3000  # doi.org answered 5.7 kB in 7.6 s and refused 11.5 kB with HTTP 414
MAX_ANSWER_BYTES = 5_000_000
MAX_CONNECT_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class ProxyConfig:
    """The settings of both clients. `concurrency` and `rate` are those of the budget; `least_attempts` is lower for
    requests whose answer is only useful."""

    base_url: str
    user_agent: str
    timeout: float = 20.0
    attempts: int = LEAST_ATTEMPTS
    backoff: float = 0.5
    concurrency: int = 4
    rate: float | None = 10.0
    least_attempts: int = LEAST_ATTEMPTS

    @property
    def root(self) -> str:
        """The base address, perhaps with a path, without slashes at its end."""
        return self.base_url.rstrip("/")

    @property
    def tries(self) -> int:
        return max(self.least_attempts, self.attempts)

    @property
    def connect_timeout(self) -> float:
        return min(self.timeout, MAX_CONNECT_SECONDS)

    @property
    def headers(self) -> dict[str, str]:
        """With a contact for the proxy's operators. `identity`: a small packed answer could unpack into a huge one."""
        return {"User-Agent": self.user_agent, "Accept": "application/json", "Accept-Encoding": "identity"}

    def record_url(self, name: str, *, auth: bool = False, certified: bool = False) -> str:
        """Return the URL of a handle's record (U5, E17), if so wanted authoritative or authenticated (P8)."""
        demands = "&".join(word for word, wanted in (("auth=true", auth), ("cert=true", certified)) if wanted)
        return f"{self.root}/api/handles/{to_url_path(name)}{'?' if demands else ''}{demands}"

    def name_url(self, name: str, query: str = "") -> str:
        """Return the URL that the proxy redirects (P1), with a raw query."""
        return f"{self.root}/{to_url_path(name)}{'?' if query else ''}{query}"

    def agencies_url(self, names: Sequence[str]) -> str:
        """Return the URL of Which RA for a list of names (R2, E6)."""
        return f"{self.root}/doiRA/{','.join(map(to_which_ra_item, names))}"


def split_batches(names: Sequence[str]) -> Iterator[list[str]]:
    """Cut the names into lists that one Which RA request can hold, in order, but names with a comma last.

    A comma inside a name is `%2C` (R2). Whether the service splits before it decodes is not documented. If not, the
    answer does not fit, and the batch is halved until each name is alone: apart, they harm no other name.
    """
    for group in ([name for name in names if "," not in name], [name for name in names if "," in name]):
        batch: list[str] = []
        size = 0
        for name in group:
            length = len(to_which_ra_item(name)) + 1
            if batch and (len(batch) == MAX_BATCH_NAMES or size + length > MAX_BATCH_BYTES):
                yield batch
                batch, size = [], 0
            batch.append(name)
            size += length
        if batch:
            yield batch

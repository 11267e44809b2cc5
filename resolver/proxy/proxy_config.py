"""The settings of the DOI proxy's clients: its address, the bounds of their requests, and the URLs they request."""

from collections.abc import Sequence
from dataclasses import dataclass

from doi_reading import encode

LEAST_ATTEMPTS = 3  # before the outcome is "Couldn't check": an operator may raise it, but not lower it
MAX_ANSWER_BYTES = 5_000_000


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
        """Seconds for the connection alone."""
        return min(self.timeout, 10.0)

    @property
    def headers(self) -> dict[str, str]:
        """With a contact for the proxy's operators. `identity`: a small packed answer could unpack into a huge one."""
        return {"User-Agent": self.user_agent, "Accept": "application/json", "Accept-Encoding": "identity"}

    def record_url(self, name: str, *, auth: bool = False, certified: bool = False) -> str:
        """Return the URL of a handle's record (U5, E17), if so wanted authoritative or authenticated (P8)."""
        demands = "&".join(word for word, wanted in (("auth=true", auth), ("cert=true", certified)) if wanted)
        return f"{self.root}/api/handles/{encode(name, 'path')}{'?' if demands else ''}{demands}"

    def build_name_url(self, name: str, query: str = "") -> str:
        """Return the URL that the proxy redirects (P1), with a raw query."""
        return f"{self.root}/{encode(name, 'path')}{'?' if query else ''}{query}"

    def build_agencies_url(self, names: Sequence[str]) -> str:
        """Return the URL of Which RA for a list of names (R2, E6)."""
        return f"{self.root}/doiRA/{','.join(encode(name, 'which-ra') for name in names)}"

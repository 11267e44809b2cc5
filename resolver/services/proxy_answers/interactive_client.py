"""The requests for a person who waits, each from a place of the process."""

from dataclasses import dataclass

from resolver.domain.handle.answers import AgencyAnswer, Resolution, Unreachable
from resolver.proxy.client import ProxyClient
from resolver.proxy.limits.requests_per_text import Shares
from resolver.services.proxy_answers.waiting_places import PROXY_PLACES


@dataclass(frozen=True)
class InteractiveClient:
    """The requests for a person who waits, each from a place of the process (waiting_places.py); `shares` pay. `auth`:
    the records come past the proxy's cache (P8)."""

    client: ProxyClient
    auth: bool = False

    def find_agencies(self, names: list[str], shares: Shares) -> dict[str, AgencyAnswer]:
        """Return what Which RA says of all names, in as few requests as possible (R2)."""
        with PROXY_PLACES.take_place():
            return dict(zip(names, self.client.find_agencies(names, shares), strict=True))

    def resolve(self, names: list[str], shares: Shares) -> dict[str, Resolution]:
        """Return the records, one request a name. After a name without any answer the rest share its failure."""
        found: dict[str, Resolution] = {}
        with PROXY_PLACES.take_place():
            for name in names:
                found[name] = self.client.resolve(name, shares, auth=self.auth)
                if isinstance(found[name].answer, Unreachable):
                    return dict.fromkeys(names, found[name]) | found
        return found

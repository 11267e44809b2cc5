"""Programs and people who ask the portal as they would ask doi.org, and the proxy behind it."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

import pytest
from django.test import Client

from tests.proxy import raw_server as raw
from tests.proxy.raw_server import Answer, RawServer, Request


class ProxyBehind:
    """A DOI proxy with the records that a test gives it: handle → values as (type, text), or a whole answer.

    Names without a record are missing; Which RA says Crossref of every record, and that nothing else exists.
    """

    def __init__(self) -> None:
        self.records: dict[str, list[tuple[str, str]] | Answer] = {}
        self.elsewhere: Answer | None = None  # to who asks for a page
        self.which_ra: Answer | None = None
        self.server = RawServer(self._answer)

    @property
    def asked(self) -> list[str]:
        """The request targets that came in, but for what is asked of prefixes."""
        return [target for target in self.server.targets if "/0.NA/" not in target]

    def _answer(self, request: Request) -> Answer:
        path = request.target.partition("?")[0]
        if path.startswith("/doiRA/"):
            return self.which_ra or raw.http(200, [self._agency(unquote(part)) for part in path[7:].split(",")])
        if not path.startswith("/api/handles/"):
            return self.elsewhere or raw.missing("")
        name = unquote(path[13:])
        known = {key.lower(): values for key, values in self.records.items()}.get(name.lower())
        if known is None:
            return raw.missing(name)
        return raw.record(name, *known) if isinstance(known, list) else known

    def _agency(self, name: str) -> dict[str, str]:
        exists = name.lower() in {key.lower() for key in self.records}
        return {"DOI": name, "RA": "Crossref"} if exists else {"DOI": name, "status": "DOI does not exist"}


@pytest.fixture
def behind(db: None, settings: Any, tmp_path: Any) -> Iterator[ProxyBehind]:
    """The proxy behind, with 10.1000/182 and its page."""
    proxy = ProxyBehind()
    proxy.records["10.1000/182"] = [("URL", "https://www.doi.org/hb.html")]
    with proxy.server as server:
        settings.DOIPORTAL_DATA_DIR = tmp_path
        settings.DOI_PROXY_URL = server.url
        yield proxy


@pytest.fixture
def away(behind: ProxyBehind, settings: Any) -> None:
    """Nothing listens where the proxy should be."""
    settings.DOI_PROXY_URL = "http://127.0.0.1:9"


@pytest.fixture
def program() -> Client:
    """Checks CSRF as a real server does."""
    return Client(enforce_csrf_checks=True)

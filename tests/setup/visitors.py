"""What visitors of a portal in these tests do: connect from an address of their own, and send forms as browsers do."""

import re

import requests
from requests.adapters import HTTPAdapter


class FromAddress(HTTPAdapter):
    """Connects from one address of this machine."""

    def __init__(self, address: str) -> None:
        self._address = address
        super().__init__()

    def init_poolmanager(self, *args: object, **kwargs: object) -> None:
        super().init_poolmanager(*args, source_address=(self._address, 0), **kwargs)  # type: ignore[arg-type]


def visitor_from(address: str) -> requests.Session:
    session = requests.Session()
    for scheme in ("http://", "https://"):
        session.mount(scheme, FromAddress(address))
    return session


def hidden_token(page: str) -> str:
    found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
    assert found
    return found[1]

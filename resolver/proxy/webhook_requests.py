"""Send an event to the address of a webhook: one bounded POST, to an address that was checked."""

from collections.abc import Mapping

import requests
from urllib3.exceptions import HTTPError

from doi_reading import Message
from resolver.proxy.checked_connections import CheckedAdapter, read_address
from resolver.proxy.proxy_config import find_ca_bundle
from resolver.proxy.public_addresses import ForbiddenAddress, resolve_host
from resolver.proxy.total_timeout import RequestSeconds, TotalTimeout

TIME_LIMIT = RequestSeconds(connect=3.0, total=10.0)
LATE = Message("the receiver didn't answer in time")
AWAY = Message("the receiver couldn't be reached")


class EventUnanswered(Exception):
    """The receiver gave no answer. `reason` is a phrase for people."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason)
        self.reason = reason


def check_url(url: str, *, allow_private: bool) -> str:
    """Return the address as it will be requested. Raises ForbiddenAddress, also for a name without a server."""
    prepared, host, port = read_address(url, allow_private=allow_private)
    resolve_host(host, port, allow_private=allow_private)
    return prepared


def post_event(url: str, body: bytes, headers: Mapping[str, str], *, allow_private: bool) -> int:
    """Return the HTTP status of the answer, whose body is not read. Redirects are not followed, and no proxy server on
    the way is used, because it would resolve the name again.

    Raises ForbiddenAddress, and EventUnanswered, also when the total TIME_LIMIT has passed.
    """
    prepared, _, _ = read_address(url, allow_private=allow_private)
    adapter = CheckedAdapter(allow_private=allow_private)
    with requests.Session() as session, TotalTimeout(TIME_LIMIT.total) as timeout:
        session.trust_env = False
        session.mount("http://", adapter)
        session.mount("https://", adapter)
        try:
            with session.post(
                prepared,
                data=body,
                headers=dict(headers),
                allow_redirects=False,
                stream=True,
                timeout=TIME_LIMIT,
                verify=find_ca_bundle(),
            ) as answer:
                status = answer.status_code
        except ForbiddenAddress:
            raise
        except (requests.RequestException, HTTPError, OSError, ValueError) as error:
            raise EventUnanswered(LATE if timeout.passed else AWAY) from error
        if timeout.passed:  # the answer ended where it was cut
            raise EventUnanswered(LATE)
        return status

"""Requests to an identity provider: bounded in time, through the HTTP proxy of the network, with its certificates."""

from typing import Any

import requests
from requests.exceptions import RequestException as IdentityRequestError

from resolver.proxy.proxy_config import find_ca_bundle
from resolver.proxy.total_timeout import BoundedAdapter, RequestSeconds, TotalTimeout

__all__ = [
    "DISCOVERY", "IdentityRequestError", "fetch_discovery", "fetch_metadata", "is_away", "open_identity_session",
]  # fmt: skip

TIME_LIMIT = RequestSeconds(connect=5.0, total=15.0)
DISCOVERY = "/.well-known/openid-configuration"


class _BoundedSession(requests.Session):
    def request(self, *arguments: Any, **options: Any) -> requests.Response:
        with TotalTimeout(TIME_LIMIT.total) as timeout:
            try:
                answer = super().request(*arguments, **{"timeout": TIME_LIMIT, **options})
            except requests.RequestException as error:
                if timeout.passed:
                    raise requests.ReadTimeout(f"no whole answer within {TIME_LIMIT.total:g} seconds") from error
                raise
            if timeout.passed:  # it ended where it was cut
                raise requests.ReadTimeout(f"no whole answer within {TIME_LIMIT.total:g} seconds")
            return answer


def open_identity_session(user_agent: str) -> requests.Session:
    """Return a session whose requests raise IdentityRequestError if no answer comes in time."""
    session = _BoundedSession()
    for scheme in ("http://", "https://"):
        session.mount(scheme, BoundedAdapter())
    session.headers.update({"User-Agent": user_agent, "Accept": "application/json"})
    session.verify = find_ca_bundle()
    return session


def is_away(error: BaseException | None) -> bool:
    """Return whether the error means that the provider can't be reached, or says that it has a fault itself."""
    if isinstance(error, requests.HTTPError) and error.response is not None:
        return error.response.status_code >= 500
    return isinstance(error, requests.ConnectionError | requests.Timeout)


def fetch_discovery(issuer: str, user_agent: str) -> dict[str, Any]:
    """Return what the provider says of itself. Raises IdentityRequestError, and ValueError if the answer describes
    another issuer, or none."""
    with open_identity_session(user_agent) as session:
        answer = session.get(f"{issuer}{DISCOVERY}")
        answer.raise_for_status()
        found = answer.json()
    wanted = ("issuer", "authorization_endpoint", "token_endpoint", "jwks_uri")
    if not isinstance(found, dict) or not all(isinstance(found.get(name), str) for name in wanted):
        raise ValueError(f"{issuer}{DISCOVERY} describes no OpenID provider")
    if found["issuer"].rstrip("/") != issuer:
        raise ValueError(f"{issuer}{DISCOVERY} is about another issuer: {found['issuer']}")
    return found


def fetch_metadata(address: str, user_agent: str) -> bytes:
    """Return the metadata of a SAML identity provider. Raises IdentityRequestError."""
    with open_identity_session(user_agent) as session:
        answer = session.get(address, headers={"Accept": "application/samlmetadata+xml, application/xml, text/xml"})
        answer.raise_for_status()
        return answer.content

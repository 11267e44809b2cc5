"""The addresses that programs request. They are not the same for everything that depends on them: the form of errors,
the language, and the session."""

import re
from contextlib import suppress

from django.http import HttpRequest
from django.urls import Resolver404, ResolverMatch, URLResolver
from django.urls.resolvers import RegexPattern

_API = "/api/v1"
_RECONCILE = "/reconcile"
_PREVIEW = f"{_RECONCILE}/preview"
_GATEWAY_JSON = re.compile("/+api/handles/|/(?:doiRA|ra)/")
_FEED = re.compile("/watches/[^/]+/feed")
_GATEWAY = URLResolver(RegexPattern("^/"), "resolver.gateway.urls")


def is_api_address(request: HttpRequest) -> bool:
    """Return whether the address belongs to REST."""
    return _is_below(_API, request.path_info)


def is_reconcile_address(request: HttpRequest) -> bool:
    """Return whether the address belongs to the reconciliation service."""
    return _is_below(_RECONCILE, request.path_info)


def is_gateway_json_address(request: HttpRequest) -> bool:
    """Return whether the address is one of the gateway's that answer in JSON. Its links answer people too."""
    return _GATEWAY_JSON.match(request.path_info) is not None


def find_gateway_match(path: str) -> ResolverMatch | None:
    """Return what answers at this address of doi.org; None for all other addresses. It returns None outside the
    `except`: a fault of a page would have this error in its traceback, and the path."""
    with suppress(Resolver404):
        return _GATEWAY.resolve(path)
    return None


def is_in_english(request: HttpRequest) -> bool:
    """Return whether the answer is English for everyone: it must not depend on the language of the person who started
    the program. People read links and the preview of a reconciled DOI, and a feed has the language of its watch."""
    path = request.path_info
    if path.startswith(_PREVIEW):
        return False
    return path.startswith("/api/") or is_gateway_json_address(request) or is_reconcile_address(request)


def is_without_session(request: HttpRequest) -> bool:
    """Return whether no session begins here: a person whom a server in front names is logged in for this request only.
    So it is at REST, the reconciliation service, the gateway with its links, and a feed."""
    path = request.path_info
    if is_api_address(request) or is_reconcile_address(request) or _FEED.fullmatch(path):
        return True
    return find_gateway_match(path) is not None


def _is_below(address: str, path: str) -> bool:
    return path == address or path.startswith(f"{address}/")

"""The addresses that programs request. Whom a server in front names there is logged in for one request only."""

import re
from contextlib import suppress

from django.http import HttpRequest
from django.urls import Resolver404, ResolverMatch, URLResolver
from django.urls.resolvers import RegexPattern

from resolver.reconcile import errors as reconcile

_API = "/api/v1"
_FEED = re.compile("/watches/[^/]+/feed")
_GATEWAY = URLResolver(RegexPattern("^/"), "resolver.gateway.urls")


def is_api_address(request: HttpRequest) -> bool:
    """Return whether the address belongs to REST."""
    return request.path_info == _API or request.path_info.startswith(f"{_API}/")


def find_gateway_match(path: str) -> ResolverMatch | None:
    """Return what answers at this address of doi.org; None for all other addresses.

    It returns None outside the `except`: a fault of a page would have this error in its traceback, and the path."""
    with suppress(Resolver404):
        return _GATEWAY.resolve(path)
    return None


def is_for_programs(request: HttpRequest) -> bool:
    """Return whether the address belongs to REST, the reconciliation service or the gateway, or is that of a feed."""
    path = request.path_info
    if is_api_address(request) or reconcile.is_reconcile_address(request) or _FEED.fullmatch(path):
        return True
    return find_gateway_match(path) is not None

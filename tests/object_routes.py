"""Addresses with objects in them, found in a table of addresses, so that no test forgets a new one."""

from collections.abc import Iterable
from typing import Any

from django.urls import URLPattern


def find_object_routes(patterns: Iterable[Any]) -> dict[str, URLPattern]:
    """Return the patterns of a table that have parameters, by their routes; a table within the table is an error."""
    found = {}
    for pattern in patterns:
        assert isinstance(pattern, URLPattern), pattern
        if pattern.pattern.converters:
            found[str(pattern.pattern)] = pattern
    return found


def find_collection(route: str) -> str:
    """Return the first part of a route, which says what the object is: `jobs` of `jobs/<uuid:pk>/rows`."""
    return route.partition("/")[0]

"""Serializers that are made once. Django REST framework copies all fields for each serializer, which takes longer than
everything else that it does for an answer."""

import threading
from collections.abc import Iterable
from typing import Any

from rest_framework.serializers import Serializer


class _Kept(threading.local):
    """The serializers of a thread."""

    def __init__(self) -> None:
        self.serializers: dict[type[Serializer[Any]], Serializer[Any]] = {}


_kept = _Kept()


def represent(kind: type[Serializer[Any]], shown: Any, **context: Any) -> dict[str, Any]:
    """Return the object as its serializer shows it in JSON. `context`: what its fields need."""
    serializer = get_serializer(kind)
    serializer._context = context
    try:
        found: dict[str, Any] = serializer.to_representation(shown)
    finally:
        serializer._context = {}
    return found


def represent_all(kind: type[Serializer[Any]], shown: Iterable[Any], **context: Any) -> list[dict[str, Any]]:
    """Return each of the objects as `represent` does."""
    return [represent(kind, one, **context) for one in shown]


def get_serializer(kind: type[Serializer[Any]]) -> Serializer[Any]:
    """Return the serializer of this thread, without an object or data of its own."""
    if kind not in _kept.serializers:
        _kept.serializers[kind] = kind()
    return _kept.serializers[kind]

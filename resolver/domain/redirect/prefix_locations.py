"""The locations for all names of a prefix, from the handle that its HS_NAMESPACE names (L1)."""

from collections.abc import Generator

from doi_reading import fold
from resolver.domain.handle.answers import Answer
from resolver.domain.handle.record import Record, find_text_values
from resolver.domain.redirect.locations import find_locations_handle
from resolver.domain.redirect.record_addresses import FoundLocations, record_locations

NAMESPACE = "HS_NAMESPACE"


class PrefixHandle(str):
    """A handle that is needed for the prefix, not for the name. Without it the name still leads where its own record
    says, so no request should wait for it."""

    __slots__ = ()


def find_prefix_locations(name: str) -> Generator[str, Answer, FoundLocations]:
    """Return the locations for all names of the prefix, from the handle that HS_NAMESPACE in `0.NA/<prefix>` names.

    Yields the handles to ask for, as `PrefixHandle`. If one of them has no usable answer, there are no such locations.
    """
    prefix, slash, _ = name.partition("/")
    authority = f"0.NA/{prefix}"
    if not slash or fold(prefix) == "0.na":
        return FoundLocations()
    answer = yield PrefixHandle(authority)
    handle = _find_named_handle(answer)
    if handle is None:
        return FoundLocations()
    if fold(handle) != fold(authority):
        answer = yield PrefixHandle(handle)
    if not isinstance(answer, Record):
        return FoundLocations()
    return record_locations(name, answer.values, handle) or FoundLocations()


def _find_named_handle(answer: Answer) -> str | None:
    if not isinstance(answer, Record):
        return None
    named = (find_locations_handle(text) for _, text in find_text_values(answer.values, NAMESPACE))
    return next((handle for handle in named if handle), None)

"""Records in a dictionary, and a resolution driven with them."""

from collections.abc import Mapping, Sequence
from typing import Any

from doi_reading import fold
from resolver.domain.handle.answers import Answer, MissingHandle
from resolver.domain.handle.proxy_json import build_answer
from resolver.domain.handle.proxy_parameters import ProxyParameters
from resolver.domain.redirect.locations import Location
from resolver.domain.redirect.resolve import resolve, run_resolve
from resolver.domain.redirect.resolve_results import Redirect, ResolveResult, ShownValues

Records = Mapping[str, Answer]


def value(index: int, kind: str, text: object, format_name: str = "string") -> dict[str, Any]:
    """A handle value as it stands in JSON."""
    data = {"format": format_name, "value": text}
    return {"index": index, "type": kind, "data": data, "ttl": 86400, "timestamp": "2020-01-01T00:00:00Z"}


def record(*values: Mapping[str, Any]) -> Answer:
    """A record with these values."""
    return build_answer({"responseCode": 1, "handle": "10.1/stored", "values": list(values)})


def url(*texts: str) -> Answer:
    """A record with these URL values, at index 1 and on."""
    return record(*(value(index, "URL", text) for index, text in enumerate(texts, 1)))


def alias(name: str) -> Answer:
    """A record that is an alias of the name."""
    return record(value(1, "HS_ALIAS", name))


def last(among: Sequence[Location]) -> Location:
    """Chance that always takes the last one."""
    return among[-1]


def resolved(name: str, records: Records, query: str = "", country: str = "") -> tuple[ResolveResult, list[str]]:
    """The outcome, and the names that were asked for."""
    known = {fold(each): answer for each, answer in records.items()}
    asked: list[str] = []
    steps = resolve(name, ProxyParameters.of(query), country=country, pick=last)

    def ask(handle: str) -> Answer:
        asked.append(handle)
        return known.get(fold(handle), MissingHandle())

    return run_resolve(steps, ask), asked


def outcome(name: str, records: Records, query: str = "", country: str = "") -> ResolveResult:
    """The outcome alone."""
    return resolved(name, records, query, country)[0]


def redirect(name: str, records: Records, query: str = "", country: str = "") -> Redirect:
    """The outcome, which is a redirect."""
    found = outcome(name, records, query, country)
    assert isinstance(found, Redirect), found
    return found


def shown_values(name: str, records: Records, query: str = "") -> ShownValues:
    """The outcome, which shows the values."""
    found = outcome(name, records, query)
    assert isinstance(found, ShownValues), found
    return found

"""The parameters of a request to the DOI proxy, after the question mark (P6-P12, A6-A10)."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from urllib.parse import quote, unquote, urlencode

from doi_reading import fold
from resolver.domain.handle.record import HandleValue

_IN_QUERY = "/:?@!$'()*,~"
_FLAGS = frozenset({"auth", "cert", "pretty", "noredirect", "ignore_aliases", "nols"})

Attribute = tuple[str, str | None]
"""An attribute of a location that a request asks for: its key, and its value, or None if any value will do (L3)."""


@dataclass(frozen=True, slots=True)
class ProxyParameters:
    """The parameters of one request. Unknown parameters are ignored, as doi.org does.

    `auth` bypasses the cache and `cert` requires an authenticated answer (P8). `nols` turns off redirects to a local
    service (P12); the portal has none, so it changes nothing. `urlappend` is decoded but not yet safe (P10).
    """

    types: tuple[str, ...] = ()
    indexes: tuple[str, ...] = ()
    auth: bool = False
    cert: bool = False
    pretty: bool = False
    noredirect: bool = False
    ignore_aliases: bool = False
    nols: bool = False
    callback: str | None = None
    urlappend: str = ""
    locatt: tuple[Attribute, ...] = ()
    action: str = ""

    @classmethod
    def of(cls, query: str) -> "ProxyParameters":
        """Read the raw query string, without its question mark. Raises nothing, whatever it holds.

        As at doi.org, `&` or `;` separates parameters, and `+` is no space. A flag counts if it is there, whatever its
        value (A10): `pretty=false` is pretty. Of several `callback`, `action` or `urlappend` the first counts.
        """
        if not query:
            return NONE
        parts = (part.partition("=") for part in re.split("[&;]", query) if part)
        given = [(unquote(key), unquote(value)) for key, _, value in parts]

        def find_all(name: str) -> tuple[str, ...]:
            return tuple(value for key, value in given if key == name)

        flags = {key for key, _ in given if key in _FLAGS}
        pairs = (value.partition(":") for value in find_all("locatt"))
        return cls(
            types=find_all("type"),
            indexes=find_all("index"),
            callback=next(iter(find_all("callback")), None),
            urlappend=next(iter(find_all("urlappend")), ""),
            locatt=tuple((key.strip(), value if colon else None) for key, colon, value in pairs if key.strip()),
            action=next(iter(find_all("action")), ""),
            **dict.fromkeys(flags, True),
        )

    def build_query(self) -> str:
        """Return the raw query string for these parameters, without question mark; '' if there are none. It leaves out
        unknown parameters, and `pretty` and `callback`, which are about JSON (A6, A7)."""
        flags = [(flag, "true") for flag in sorted(_FLAGS - {"pretty"}) if getattr(self, flag)]
        pairs = [
            *flags,
            *(("type", kind) for kind in self.types),
            *(("index", index) for index in self.indexes),
            *(("locatt", write_attribute(pair)) for pair in self.locatt),
            *((("urlappend", self.urlappend),) if self.urlappend else ()),
            *((("action", self.action),) if self.action else ()),
        ]
        return urlencode(pairs, safe=_IN_QUERY, errors="replace", quote_via=quote)

    def asking_for(self, attributes: Iterable[Attribute]) -> "ProxyParameters":
        """Return these parameters with more attributes of locations, after those of `locatt=` (L3)."""
        return replace(self, locatt=(*self.locatt, *attributes))

    @property
    def selects(self) -> bool:
        """Return whether only some values are requested."""
        return bool(self.types or self.indexes)

    def select(self, values: Iterable[HandleValue]) -> list[HandleValue]:
        """Return the values that match any `type=` or `index=`, in order, or all values without either (P9). Types are
        compared without ASCII case, indexes by their digits."""
        if not self.selects:
            return list(values)
        types = {fold(kind) for kind in self.types}
        return [value for value in values if fold(value.type) in types or str(value.index) in self.indexes]


def write_attribute(pair: Attribute) -> str:
    """Return the value of `locatt=` for an attribute: `key:value`, or the key alone."""
    key, value = pair
    return key if value is None else f"{key}:{value}"


NONE = ProxyParameters()
"""A request without parameters."""

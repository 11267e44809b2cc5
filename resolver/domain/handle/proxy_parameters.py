"""The parameters of a request to the DOI proxy, after the question mark (P6-P12, A6-A10)."""

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import parse_qsl, quote, urlencode

from resolver.domain.handle.record import HandleValue
from resolver.domain.name.doi import fold

_IN_QUERY = "/:?@!$'()*,;~"
_FLAGS = frozenset({"auth", "cert", "pretty", "noredirect", "ignore_aliases", "nols"})


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
    locatt: tuple[tuple[str, str], ...] = ()
    action: str = ""

    @classmethod
    def of(cls, query: str) -> "ProxyParameters":
        """Read the raw query string, without its question mark. Raises nothing, whatever it holds.

        A flag counts if it is there, whatever its value (A10): `pretty=false` is pretty. The first `callback` and the
        first `action` count. Several `urlappend` are joined in order.
        """
        if not query:
            return NONE
        given = parse_qsl(query, keep_blank_values=True)

        def find_all(name: str) -> tuple[str, ...]:
            return tuple(value for key, value in given if key == name)

        flags = {key for key, _ in given if key in _FLAGS}
        pairs = (value.partition(":") for value in find_all("locatt"))
        return cls(
            types=find_all("type"),
            indexes=find_all("index"),
            callback=next(iter(find_all("callback")), None),
            urlappend="".join(find_all("urlappend")),
            locatt=tuple((key, value) for key, colon, value in pairs if key and colon),
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
            *(("locatt", f"{key}:{value}") for key, value in self.locatt),
            *((("urlappend", self.urlappend),) if self.urlappend else ()),
            *((("action", self.action),) if self.action else ()),
        ]
        return urlencode(pairs, safe=_IN_QUERY, errors="replace", quote_via=quote)

    @property
    def selects(self) -> bool:
        """Return whether only some values are requested."""
        return bool(self.types or self.indexes)

    def select(self, values: Iterable[HandleValue]) -> list[HandleValue]:
        """Return the values that match any `type=` or `index=`, in order, or all values without either (P9).

        Types are compared without ASCII case, indexes by their digits.
        """
        if not self.selects:
            return list(values)
        types = {fold(kind) for kind in self.types}
        return [value for value in values if fold(value.type) in types or str(value.index) in self.indexes]


NONE = ProxyParameters()
"""A request without parameters."""

"""The results of resolving a name (clauses P): where a click on it leads, and the bodies of doi.org's answers."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from html import escape
from http import HTTPStatus

from doi_reading import Message, fold
from doi_reading.message import NOTHING
from resolver.domain.handle.answers import NoValues, ProxyError, Unreachable
from resolver.domain.handle.record import HandleValue, Record
from resolver.domain.redirect.locations import LocationChoice

_PREFIX = re.compile(r"10(?:\.[0-9]+)+/*\Z")


@dataclass(frozen=True, slots=True)
class NotFoundHint:
    """One odd thing about a name: a code, a sentence for the reader, and the name that was perhaps meant."""

    code: str
    sentence: Message
    name: str | None = None


def build_not_found_hints(name: str) -> list[NotFoundHint]:
    """Return the hints of the Not Found page: `trailing-slash`, `bare-prefix`, `doubled-slashes`; often none (P5)."""
    if prefix := build_bare_prefix_hints(name):
        return prefix
    found = []
    bare = name.rstrip("/")
    if bare != name and bare:
        sentence = Message("The name ends in a slash. Try it without the slash.")
        found.append(NotFoundHint("trailing-slash", sentence, bare))
    if "//" in bare:
        single = re.sub("/{2,}", "/", bare)
        found.append(
            NotFoundHint(
                "doubled-slashes", Message("The name contains two slashes in a row. Try it with one slash."), single
            )
        )
    return found


def build_bare_prefix_hints(name: str) -> list[NotFoundHint]:
    """Return the hint that also applies to a name that exists: a registered prefix has a record but is no DOI name."""
    if not _PREFIX.match(name):
        return []
    return [NotFoundHint("bare-prefix", Message("This is only a prefix. A DOI name has a suffix after the slash."))]


# In each result, `name` is the name whose record answered, in the case of the request. `way` is the sequence of names:
# first the requested name, then each time the name that the alias before it points to (P7).


@dataclass(frozen=True, slots=True)
class Redirect:
    """A redirect to `url`, which is safe in a header (P1).

    `why`: which value was used and why, in sentences. `choice`: how a location was chosen, if one was (P3). `varies`:
    other requesters may be redirected elsewhere (P16), at random, by country, or because the documents differ on which
    of several URL values is used (P2). `status`: that of the HTTP answer.
    """

    url: str
    name: str
    why: Message
    way: tuple[str, ...] = ()
    choice: LocationChoice | None = field(default=None, repr=False)
    varies: bool = field(default=False, repr=False)
    status: int = HTTPStatus.FOUND


@dataclass(frozen=True, slots=True)
class ShownValues:
    """The values are shown (P6, A8). `values`: the requested ones. `why`: why there is no redirect. `advice`: hints
    about a name that has a record, such as a registered prefix (P5)."""

    record: Record | NoValues
    name: str
    why: Message = NOTHING
    values: tuple[HandleValue, ...] = ()
    way: tuple[str, ...] = ()
    advice: tuple[NotFoundHint, ...] = ()


@dataclass(frozen=True, slots=True)
class ListedAddress:
    """One address of a record, safe in a header. `attributes`: the other attributes of its location, such as `id`,
    `weight` and `country` (L1). A URL value has none."""

    url: str
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AddressList:
    """A list of the record's addresses (P11)."""

    listed: tuple[ListedAddress, ...]
    name: str
    way: tuple[str, ...] = ()

    @property
    def urls(self) -> tuple[str, ...]:
        """Each address once."""
        return tuple(dict.fromkeys(one.url for one in self.listed))


@dataclass(frozen=True, slots=True)
class NameNotFound:
    """The name doesn't exist (P4). `name` is the missing one: the last of `way`."""

    name: str
    advice: tuple[NotFoundHint, ...] = ()
    way: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AliasLoop:
    """The aliases form a loop (P7). `name` is the requested name. `way` ends with the alias that was not followed."""

    name: str
    way: tuple[str, ...]

    @property
    def repeats(self) -> bool:
        """Return whether the last name occurs earlier on the way; otherwise there are just too many."""
        return fold(self.way[-1]) in map(fold, self.way[:-1])


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """There is no usable answer about `name`."""

    name: str
    answer: ProxyError | Unreachable
    way: tuple[str, ...] = ()


ResolveResult = Redirect | ShownValues | AddressList | NameNotFound | AliasLoop | NoAnswer


_SPACE = re.compile(r"[\t\n\r]")
_MADE_ANEW = frozenset({"href", "href_template", "xmlns"})


def redirect_body(url: str) -> bytes:
    """Return the HTML body of a redirect, as doi.org writes it."""
    shown = escape(url)
    page = f'<html><head><title>Handle Redirect</title></head>\n<body><a href="{shown}">{shown}</a></body></html>'
    return page.encode("utf-8")


def build_showurls_body(addresses: Iterable[tuple[str, Mapping[str, str]]]) -> bytes:
    """Return the XML list for `action=showurls` (P11), in UTF-8: each address with its other attributes.

    The names of the elements at doi.org are not documented, so these are named as in a 10320/loc value and have the
    attributes of the location there. Attributes with a namespace are left out, because nothing declares it here.
    """
    items = "".join(f"\n  <location {_write_attributes(url, others)}/>" for url, others in addresses)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<locations>{items}\n</locations>\n'.encode()


def _write_attributes(url: str, others: Mapping[str, str]) -> str:
    kept = {"href": url} | {name: value for name, value in others.items() if name not in _MADE_ANEW and ":" not in name}
    # A parser would turn a tab or a line end into a space, but not a reference to it.
    texts = ((name, _SPACE.sub(lambda found: f"&#{ord(found[0])};", escape(value))) for name, value in kept.items())
    return " ".join(f'{name}="{text}"' for name, text in texts)

"""The forms in which a name is written, taken off one layer at a time: labels, resolvers, proxies, URNs."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum

from resolver.domain import publishers, wrappers
from resolver.domain.doi import is_short_doi
from resolver.domain.encoding import decode_once
from resolver.domain.excerpt import WHITE, WHITE_RUN, Excerpt
from resolver.domain.problems import Problem, problem
from resolver.domain.redirectors import REDIRECTORS, Redirector
from resolver.domain.repairs.prefixes import mended

_DEEPEST = 8  # layers; nobody nests more, and a bound keeps reading linear


class Coding(StrEnum):
    """How the characters of a name are to be read."""

    PLAIN = "plain"
    URL = "url"
    URI = "uri"
    URN = "urn"


@dataclass(frozen=True, slots=True)
class Found:
    """A name as it is written, its form, and what was set aside on the way to it."""

    form: str
    raw: Excerpt
    coding: Coding
    problems: tuple[Problem, ...] = ()
    query: Excerpt | None = None
    fragment: Excerpt | None = None
    rest: Excerpt | None = None
    """What follows the white space that ended the name, white space included."""
    whole: Excerpt | None = None
    """The name before a publisher's path ending was cut."""
    which_ra: bool = False


@dataclass(frozen=True, slots=True)
class Peeling:
    """How far the layers are off: what is left, and what they were."""

    left: Excerpt
    form: str = "name"
    coding: Coding = Coding.PLAIN
    problems: tuple[Problem, ...] = ()
    rest: Excerpt | None = None
    marks: tuple[tuple[int, int], ...] = field(default=())
    """Spans of the layers that say "what follows is a DOI"; more than one is a repetition."""
    resolver: bool = False
    which_ra: bool = False

    def told(self, *more: Problem, **changes: object) -> "Peeling":
        """The next state, with problems added."""
        return replace(self, problems=self.problems + more, **changes)  # type: ignore[arg-type]


_LABEL = re.compile(
    rf"doi(?![a-z./-])(?:[{WHITE}]+(?:name|number|no\.))?[:={WHITE}]*(?:doi(?![a-z./-])[:={WHITE}]*)*", re.IGNORECASE
)
_LEGAL_IN_URI = re.compile(r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})*\Z")
_URN = re.compile(r"urn:(?:doi:|(?=10\.))", re.IGNORECASE)
_INFO = re.compile(r"info:(?:doi|hdl)/", re.IGNORECASE)
_ENCODED = re.compile(r"(?:https?|doi|urn|info)%(?:25)*3a", re.IGNORECASE)
_ADDRESS = re.compile(
    r"(?:(https?|ftp):)?//(?:[^/?#@]{0,200}@)?([^/?#:@]{1,255})(?::[0-9]{0,5})?(?=[/?#]|\Z)", re.IGNORECASE
)
_BARE_ADDRESS = re.compile(
    r"()((?:[a-z0-9](?:[a-z0-9-]{0,62})\.){1,8}[a-z]{2,24})\.?(?::[0-9]{1,5})?(?=[/?#])", re.IGNORECASE
)
_NESTED = re.compile(r"https?(?:://|%(?:25)*3a%(?:25)*2f%(?:25)*2f)", re.IGNORECASE)
_INSIDE = re.compile(
    r"(?<![0-9.])10(?:\.|%2e)(?:[0-9]{4,9}(?:\.[0-9]{1,9}){0,4}|[0-9]{3}\.[0-9]{4,9}|97[89]\.[0-9]{1,9})(?:/|\\?%(?:25)*2f)[^/]",
    re.IGNORECASE,
)
_ANY_NAME = re.compile(r"(?:%20|%c2%a0|%e2%80%8b|%0[9ad])*(?:[0-9]+(?:\.|%2e)|10(?:/|%2f))", re.IGNORECASE)
_SHORT_PATH = re.compile(r"[A-Za-z0-9]{3,8}/?(?=[?#]|\Z)")
_BARE_NAME = re.compile(
    r"10(?:\.|%2e)[^/%\s]*(?:%[013-9][^/%\s]*)*(?:/|%2f)"  # whatever the registrant code looks like
    r"|10\.[0-9]{3,}(?:\.[0-9]+)*\Z"  # a prefix alone; 10.1 or 10.50 alone is a version or a price
    r"|10(?:/|%2f)[0-9]*[A-Za-z][A-Za-z0-9]{2,}\Z"  # a shortDOI; 10/12 alone is a score
    r"|[0-9]{1,5}\.[0-9]{3,}(?:\.[0-9]+)*/",  # another directory indicator
    re.IGNORECASE,
)
_NETWORK = re.compile(r"(?:[0-9]{1,3}\.){3}[0-9]{1,3}/(?:[0-9]{0,2}|(?:[0-9]{1,3}\.){3}[0-9]{1,3})\Z")


def _label(state: Peeling) -> Peeling | None:
    """`doi:` is the URI's scheme when the rest is legal there, else the label of a plain name (U2, U7)."""
    match = _LABEL.match(state.left.text)
    if not match:
        return None
    left = state.left.part(match.end())
    coding: Coding
    if state.coding is not Coding.PLAIN:
        form, coding = state.form, state.coding
    elif match.group()[-1] == ":" and not WHITE_RUN.search(match.group()) and _LEGAL_IN_URI.match(left.text):
        form, coding = "uri", Coding.URI
    else:
        form, coding = "label", Coding.PLAIN
    marks = state.marks + (state.left.span(0, match.end()),) * match.group().lower().count("doi")
    return state.told(left=left, form=form, coding=coding, marks=marks)


def _urn(state: Peeling) -> Peeling | None:
    """`urn:doi:10.123:456`, alone or after a resolver, which takes it (N1, N3)."""
    match = _URN.match(state.left.text)
    if not match:
        return None
    form = state.form if state.resolver else "urn"
    return state.told(left=state.left.part(match.end()), form=form, coding=Coding.URN)


def _info(state: Peeling) -> Peeling | None:
    """`info:doi/10.1000/182`, alone or after a resolver, which takes it."""
    match = _INFO.match(state.left.text)
    if not match:
        return None
    form = state.form if state.resolver else "info"
    return state.told(left=state.left.part(match.end()), form=form, coding=Coding.URL)


def _encoded(state: Peeling) -> Peeling | None:
    """`https%3A%2F%2Fdoi.org%2F…`: a whole address percent-encoded, as it stands in another one's query."""
    match = _ENCODED.match(state.left.text)
    if not match:
        return None
    twice = "%25" in match.group()
    told: tuple[Problem, ...] = ()
    if not state.problems and (twice or state.form == "name"):
        code = "double-encoded" if twice else "percent-in-name"
        told = (problem(code, *state.left.span(0, match.end()), characters=match.group()),)
    return state.told(*told, left=state.left.decoded()[0])


def _address(state: Peeling) -> Peeling | None:
    """A URL: of the resolver, of a library proxy or link service around it, or (as a last resort) any other."""
    match = _ADDRESS.match(state.left.text) or _BARE_ADDRESS.match(state.left.text)
    if not match:
        return None
    host = match.group(2).lower().rstrip(".")
    if not host.isprintable() or host[-1:].isdigit():
        return None  # no address that a browser would open: something invisible in it, or `doi.org.10.1000`
    path = state.left.part(match.end())
    rewritten = wrappers.REWRITTEN_HOST.match(host)
    if rewritten or host in wrappers.RESOLVER_HOSTS:
        old = (
            rewritten.group(1) if rewritten else host in wrappers.OLD_HOSTS or (match.group(1) or "").lower() == "http"
        )
        return _resolver(state, state.left.part(0, match.end()), path, wrapped=bool(rewritten), old=bool(old))
    if host in REDIRECTORS and (around := _redirected(state, path, REDIRECTORS[host])):
        return around
    nested, inside = _NESTED.search(path.text), _INSIDE.search(path.text)
    if nested and not (inside and inside.start() < nested.start()):
        return _around(state, path, nested.start())
    if not inside:
        return None
    start = inside.start()
    key = path.text[max(0, start - 24) : start].lower()
    told = [problem("publisher-url", *state.left.span(0, match.end() + start))]
    form = "publisher-url"
    if wrappers.is_library_proxy(host) or any(word in key for word in wrappers.LINK_RESOLVER_KEYS):
        through_login = "url=" in key or any(word in key for word in wrappers.LINK_RESOLVER_KEYS)
        told = [problem("wrapped", *state.left.span(0, match.end() + start))] + ([] if through_login else told)
        form = "wrapped"
    form = state.form if state.form in ("wrapped", "url", "api-url") else form
    before = path.text[:start]
    stop = "#&" if "?" in before else "" if "#" in before else "?#"
    end = min((at for mark in stop if (at := path.text.find(mark, start)) >= 0), default=len(path.text))
    return state.told(*told, left=path.part(start, end), form=form, coding=Coding.URL, marks=())


def _resolver(state: Peeling, host: Excerpt, path: Excerpt, *, wrapped: bool, old: bool) -> Peeling:
    """`https://doi.org/…`, its API and Which RA, the old names of the host (P14), and a proxy's name for it."""
    told: list[Problem] = []
    form = state.form if state.form == "wrapped" else "url"
    if wrapped:
        told.append(problem("wrapped", *host.span()))
        form = "wrapped"
    if old:
        told.append(problem("old-resolver", *host.span(), characters=host.text))
    left = path.part(len(path.text) - len(path.text.lstrip("/")))
    start = left.text[:12].lower()
    api = next((api for api in wrappers.API_PATHS if start.startswith(api)), None)
    if api:
        left, form = left.part(len(api)), "api-url" if form == "url" else form
    marks = (*state.marks, host.span())
    which = state.which_ra or api in wrappers.WHICH_RA_PATHS
    return state.told(
        *told, left=left, form=form, coding=Coding.URL, marks=marks, resolver=True, which_ra=which
    )  # fmt: skip


def _redirected(state: Peeling, path: Excerpt, service: Redirector) -> Peeling | None:
    """Out of a service that writes the address in a way of its own."""
    match = service.inner.match(path.text)
    if not match:
        return None
    told = problem("wrapped", state.left.span()[0], path.span(0, match.start(1))[1])
    inner = path.part(*match.span(1))
    for pattern, plain in service.signs:
        inner = inner.with_replaced([(*found.span(), plain) for found in pattern.finditer(inner.text)])
    return state.told(told, left=inner, form="wrapped", coding=Coding.URL, marks=())


def _around(state: Peeling, path: Excerpt, start: int) -> Peeling:
    """An address inside another: `login?url=https://…`, `url?q=…&sa=D`, a safelink, a web archive."""
    inner = path.part(start)
    before, _, _key = path.text[:start].partition("?")
    in_query = "?" in path.text[:start]
    raw = "://" in inner.text[:8]
    if inner.text.find(wrappers.URLDEFENSE_END) > 0:
        inner = inner.part(0, inner.text.find(wrappers.URLDEFENSE_END))
    elif in_query and not (raw and wrappers.LOGIN_PATH.search(before)):
        ends = [at for mark in "&#" if (at := inner.text.find(mark)) >= 0 and not (raw and mark == "#")]
        inner = inner.part(0, min(ends, default=None))
    told = problem("wrapped", *path.part(0, start).span())
    told = replace(told, start=state.left.span()[0])
    return state.told(told, left=inner, form="wrapped", coding=Coding.URL, marks=())


LAYERS: tuple[tuple[str, Callable[[Peeling], Peeling | None]], ...] = (
    ("a whole address percent-encoded", _encoded),
    ("urn:doi:", _urn),
    ("info:doi/", _info),
    ("an address of the resolver, of a proxy around it, or of a publisher", _address),
    ("the label or scheme doi:", _label),
)
"""What may stand before a name, in the order in which it is tried; each takes one layer off."""


def find(body: Excerpt) -> Found | None:
    """The name that `body` begins with, in whatever form; None where it begins with none."""
    state = Peeling(body)
    for _ in range(_DEEPEST):
        state = _up_to_white(state)
        after = next((after for _name, layer in LAYERS if (after := layer(state)) is not None), None)
        if after is None:
            break
        state = after
    return _name(_up_to_white(state))


def _up_to_white(state: Peeling) -> Peeling:
    """White space ends every form; only between a label and its name it may stand."""
    text = state.left.text
    match = WHITE_RUN.search(text)
    if state.rest is not None or not match or _LABEL.match(text):
        return state
    return replace(state, left=state.left.part(0, match.start()), rest=state.left.part(match.start()))


def _name(state: Peeling) -> Found | None:
    left = state.left
    bare = state.form == "name"
    if not (_BARE_NAME if bare else _ANY_NAME).match(left.text) or (bare and _NETWORK.match(left.text)):
        short = _SHORT_PATH.match(left.text) if state.resolver else None
        if short and short.group().lower() not in wrappers.SITE_PAGES:
            left = left.with_replaced([(0, 1, "10/" + left.text[0])])
        elif not mended(left.text, labelled=not bare):
            return None
    prefix_alone = bare and state.rest is not None and "/" not in left.text and "%" not in left.text
    if prefix_alone and state.rest and not (len(left.text) > 6 and state.rest.text.lstrip(WHITE).startswith("/")):
        return None  # "10.1000 people" and "10.1 /12" are no names; "10.1000 /182" is one with a space in it
    problems = list(state.problems)
    if len(state.marks) > 1:
        problems.append(problem("repeated-prefix", state.marks[0][0], max(state.marks[-1][0], state.marks[0][1])))
    query = fragment = whole = None
    if state.coding in (Coding.URL, Coding.URN):
        left, fragment = _cut(left, "#")
        left, query = _cut(left, "?")
    if any(told.code == "publisher-url" for told in problems):
        left, whole = _without_ending(left)
    return Found(
        state.form, left, state.coding, tuple(problems), query, fragment, state.rest, whole, state.which_ra
    )  # fmt: skip


def _cut(excerpt: Excerpt, mark: str) -> tuple[Excerpt, Excerpt | None]:
    at = excerpt.text.find(mark)
    return (excerpt, None) if at < 0 else (excerpt.part(0, at), excerpt.part(at))


def _without_ending(left: Excerpt) -> tuple[Excerpt, Excerpt | None]:
    """Without what a publisher's address has after the DOI; the second is the name with it, or None."""
    shorter = left.text
    for _ in range(3):  # v1/full/pdf
        shorter = publishers.without_ending(shorter)
    return (left, None) if shorter == left.text else (left.part(0, len(shorter)), left)


def is_short(found: Found) -> bool:
    """Whether what was found is a shortDOI (S12)."""
    return is_short_doi(decode_once(found.raw.text).text.rstrip("/"))

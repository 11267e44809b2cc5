"""What may stand before a name, taken off one layer at a time: labels, resolvers, proxies around them, URNs."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum

from resolver.domain.problems.problem import Problem, problem
from resolver.domain.tables import library_proxies
from resolver.domain.tables.link_rewriters import REDIRECTORS, Redirector
from resolver.domain.text.source_text import WHITE, WHITE_RUN, SourceText


class Coding(StrEnum):
    """How the characters of a name are to be read."""

    PLAIN = "plain"
    URL = "url"
    URI = "uri"
    URN = "urn"


@dataclass(slots=True)
class Peeling:
    """How far the layers are off: what is left, and what they were."""

    left: SourceText
    form: str = "name"
    coding: Coding = Coding.PLAIN
    problems: tuple[Problem, ...] = ()
    rest: SourceText | None = None
    marks: tuple[tuple[int, int], ...] = field(default=())
    """Spans of the layers that say "what follows is a DOI"; more than one is a repetition."""
    resolver: bool = False
    which_ra: bool = False
    scheme: bool = False
    """Whether `doi:` stands directly before a name that is not legal in the URI."""

    def told(
        self,
        *more: Problem,
        left: SourceText,
        form: str | None = None,
        coding: Coding | None = None,
        marks: tuple[tuple[int, int], ...] | None = None,
        resolver: bool | None = None,
        which_ra: bool | None = None,
        scheme: bool | None = None,
    ) -> "Peeling":
        """The next state: a layer less, with what was told of it. Written out, since dataclasses.replace is slow."""
        return Peeling(
            left,
            self.form if form is None else form,
            self.coding if coding is None else coding,
            self.problems + more,
            self.rest,
            self.marks if marks is None else marks,
            self.resolver if resolver is None else resolver,
            self.which_ra if which_ra is None else which_ra,
            self.scheme if scheme is None else scheme,
        )


LABEL = re.compile(
    rf"(?:short[- ]?)?doi(?![a-z./-])(?:[{WHITE}]+(?:name|number|no\.))?[:={WHITE}]*(?:doi(?![a-z./-])[:={WHITE}]*)*",
    re.IGNORECASE,
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


def _label(state: Peeling) -> Peeling | None:
    """`doi:` is the URI's scheme when the rest is legal there, else the label of a plain name, which is told what a URI
    would need encoded (U2, U3, U7, U8). With white space after it, it is a label in any case."""
    match = LABEL.match(state.left.text)
    if not match:
        return None
    left = state.left.part(match.end())
    form, coding, scheme = "label", Coding.PLAIN, False
    if state.coding is not Coding.PLAIN:
        form, coding = state.form, state.coding
    elif match.group()[-1] == ":" and not WHITE_RUN.search(match.group()):
        if _LEGAL_IN_URI.match(left.text):
            form, coding = "uri", Coding.URI
        else:
            scheme = True
    marks = state.marks + (state.left.span(0, match.end()),) * match.group().lower().count("doi")
    return state.told(left=left, form=form, coding=coding, marks=marks, scheme=scheme)


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
    if not (match.group(1) or "").isascii() or not host.isprintable() or host[-1:].isdigit():
        return None  # no address that a browser would open: something invisible in it, or `doi.org.10.1000`
    path = state.left.part(match.end())
    rewritten = library_proxies.REWRITTEN_HOST.match(host)
    if rewritten or host in library_proxies.RESOLVER_HOSTS:
        old = (
            rewritten.group(1)
            if rewritten
            else host in library_proxies.OLD_HOSTS or (match.group(1) or "").lower() == "http"
        )
        return _resolver(state, state.left.part(0, match.end()), path, wrapped=bool(rewritten), old=bool(old))
    if host in REDIRECTORS and (around := _redirected(state, path, REDIRECTORS[host])):
        return around
    nested = _NESTED.search(path.text)
    # A name before the address may go on to its first letter, and no further: what follows is not searched again.
    inside = _INSIDE.search(path.text, 0, nested.start() + 1 if nested else len(path.text))
    if nested and not inside:
        return _around(state, path, nested.start())
    if not inside:
        return None
    start = inside.start()
    key = path.text[max(0, start - 24) : start].lower()
    told = [problem("publisher-url", *state.left.span(0, match.end() + start))]
    form = "publisher-url"
    by_key = any(f"{mark}{word}" in key for word in library_proxies.LINK_RESOLVER_KEYS for mark in "?&;")
    if library_proxies.is_library_proxy(host) or by_key:
        through_login = "url=" in key or by_key
        told = [problem("wrapped", *state.left.span(0, match.end() + start))] + ([] if through_login else told)
        form = "wrapped"
    form = state.form if state.form in ("wrapped", "url", "api-url") else form
    before = path.text[:start]
    stop = "#&" if "?" in before else "" if "#" in before else "?#"
    end = min((at for mark in stop if (at := path.text.find(mark, start)) >= 0), default=len(path.text))
    if path.text[:end].endswith(";2-"):
        end = len(path.text)  # the check character of a SICI may be a #
    return state.told(*told, left=path.part(start, end), form=form, coding=Coding.URL, marks=())


def _resolver(state: Peeling, host: SourceText, path: SourceText, *, wrapped: bool, old: bool) -> Peeling:
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
    api = next((api for api in library_proxies.API_PATHS if start.startswith(api)), None)
    if api:
        left, form = left.part(len(api)), "api-url" if form == "url" else form
    marks = (*state.marks, host.span())
    which = state.which_ra or api in library_proxies.WHICH_RA_PATHS
    return state.told(
        *told, left=left, form=form, coding=Coding.URL, marks=marks, resolver=True, which_ra=which
    )  # fmt: skip


def _redirected(state: Peeling, path: SourceText, service: Redirector) -> Peeling | None:
    """Out of a service that writes the address in a way of its own."""
    match = service.inner.match(path.text)
    if not match:
        return None
    told = problem("wrapped", state.left.span()[0], path.span(0, match.start(1))[1])
    inner = path.part(*match.span(1))
    for pattern, plain in service.signs:
        inner = inner.with_replaced([(*found.span(), plain) for found in pattern.finditer(inner.text)])
    return state.told(told, left=inner, form="wrapped", coding=Coding.URL, marks=())


def _around(state: Peeling, path: SourceText, start: int) -> Peeling:
    """An address inside another: `login?url=https://…`, `url?q=…&sa=D`, a safelink, a web archive."""
    inner = path.part(start)
    before, _, _key = path.text[:start].partition("?")
    in_query = "?" in path.text[:start]
    raw = "://" in inner.text[:8]
    if inner.text.find(library_proxies.URLDEFENSE_END) > 0:
        inner = inner.part(0, inner.text.find(library_proxies.URLDEFENSE_END))
    elif in_query and not (raw and library_proxies.LOGIN_PATH.search(before)):
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

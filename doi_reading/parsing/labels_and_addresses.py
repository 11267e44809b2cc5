"""The layers that may precede a name: labels, resolvers, library proxies around them, URNs."""

import re
from collections.abc import Callable

from doi_reading.late_pattern import compile_late
from doi_reading.parsing.located_name import Coding, LocatedName
from doi_reading.problems.problem import make_problem
from doi_reading.tables import library_proxies, link_services, resolver_addresses, resolver_look_alikes
from doi_reading.tables.link_services import REDIRECTORS, Redirector
from doi_reading.text.source_text import WHITE, WHITE_RUN, SourceText

LABEL = compile_late(
    rf"(?:short[- ]?)?doi(?![a-z./-])(?:[{WHITE}]+(?:name|number|no\.))?[:={WHITE}]*(?:doi(?![a-z./-])[:={WHITE}]*)*",
    re.IGNORECASE,
)
_LEGAL_IN_URI = compile_late(r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})*\Z")
_SCHEME = compile_late(r"(?P<urn>urn):(?:(?:doi|hdl|eidr):|(?=10\.))|info:(?:doi|(?P<hdl>hdl))/", re.IGNORECASE)
_HANDLE_LABEL = compile_late("hdl:", re.IGNORECASE)
_SLASHES = compile_late("/(?:/|%2f)*", re.IGNORECASE)
_HANDLE_HOST = compile_late(r"hdl[.-]handle[.-]net", re.IGNORECASE)
_ENCODED = compile_late(r"(?:https?|doi|urn|info)%(?:25)*3a", re.IGNORECASE)
_ADDRESS = compile_late(
    r"(?:(https?|ftp):)?//(?:[^/?#@]{0,200}@)?([^/?#:@]{1,255})(?::[0-9]{0,5})?(?=[/?#]|\Z)", re.IGNORECASE
)
_BARE_ADDRESS = compile_late(
    r"()((?:[a-z0-9](?:[a-z0-9-]{0,62})\.){1,8}[a-z]{2,24})\.?(?::[0-9]{1,5})?(?=[/?#])", re.IGNORECASE
)
_NAME_AT_ONCE = compile_late(r"/{0,3}10(?:\.|%2e)[0-9]", re.IGNORECASE)
_DAMAGED = compile_late(
    r"(?:[htps]{2,7}[:;.,/\\]{0,5}(?:(?:dx|www)[.,]{1,2}){0,2}doi[.,]{0,2}org[:;.,/\\]{0,3}"
    r"|[/:]{1,3}doi\.org[/:]{0,3}|(?:(?:dx|www)[.,]{1,2}){0,2}doi[.,]{0,2}org[:;.,/\\]{0,3})(?=10\.[0-9])",
    re.IGNORECASE,
)
_OPENURL = compile_late(r"/openurl\?", re.IGNORECASE)
"""The resolver's own link resolver: `https://doi.org/openurl?id=doi:10.1000/182&nols=y` (DOI Handbook)."""
_NESTED = compile_late(r"https?(?:://|%(?:25)*3a%(?:25)*2f%(?:25)*2f)", re.IGNORECASE)
_PREFIX_INSIDE = (
    r"10(?:\.|%2e)(?:[0-9]{4,9}(?:\.[0-9]{1,9}){0,4}|[0-9]{3}\.[0-9]{4,9}|97[89]\.[0-9]{1,9})(?:/|\\?%(?:25)*2f)[^/]"
)
_INSIDE = compile_late(rf"(?<![0-9.]){_PREFIX_INSIDE}", re.IGNORECASE)
_INSIDE_AFTER_SIGN = compile_late(rf"(?<=%2[02-9a-f]){_PREFIX_INSIDE}|(?<=%3[a-f]){_PREFIX_INSIDE}", re.IGNORECASE)
"""Behind a sign that is percent-encoded, such as a quote: `?query=%2210.1000%2F182%22`."""


def _strip_label(located: LocatedName) -> bool:
    """`doi:`: the scheme of a URI if the rest is legal there, else the label of a plain name (U2, U3, U7, U8).

    If white space follows, it is a label.
    """
    match = LABEL.match(located.raw.text)
    if not match:
        return False
    located.marks += (located.raw.span(0, match.end()),) * match.group().lower().count("doi")
    located.raw = located.raw.cut(match.end())
    located.scheme = False
    if located.coding is Coding.PLAIN:
        located.form = "label"
        if match.group()[-1] == ":" and not WHITE_RUN.search(match.group()):
            if _LEGAL_IN_URI.match(located.raw.text):
                located.form, located.coding = "uri", Coding.URI
            else:
                located.scheme = True
    return True


def _strip_scheme(located: LocatedName) -> bool:
    """`urn:doi:10.123:456` or `info:doi/10.1000/182`, alone or after a resolver (N1, N3)."""
    match = _SCHEME.match(located.raw.text)
    if match is None:
        return False
    located.raw, located.coding = located.raw.cut(match.end()), Coding.URN if match["urn"] else Coding.URL
    located.handle = located.handle or match["hdl"] is not None
    if not located.resolver:
        located.form = "urn" if match["urn"] else "info"
    return True


def _strip_handle_label(located: LocatedName) -> bool:
    """`hdl:` after a resolver, where it works as `doi:` does."""
    match = _HANDLE_LABEL.match(located.raw.text) if located.resolver else None
    if match is None:
        return False
    located.problems += (make_problem("surrounding-text", *located.raw.span(0, match.end())),)
    located.raw, located.handle = located.raw.cut(match.end()), True
    return True


def _decode_address(located: LocatedName) -> bool:
    """`https%3A%2F%2Fdoi.org%2F…`: an address that is percent-encoded as a whole, as in the query of another one."""
    match = _ENCODED.match(located.raw.text)
    if not match:
        return False
    twice = "%25" in match.group()
    if not located.problems and (twice or located.form == "name"):
        code = "double-encoded" if twice else "percent-in-name"
        located.problems = (make_problem(code, *located.raw.span(0, match.end()), characters=match.group()),)
    located.raw = located.raw.decode()[0]
    return True


def _strip_address(located: LocatedName) -> bool:
    """A URL: of the resolver, of a library proxy or link service around it, or of any other server."""
    match = _ADDRESS.match(located.raw.text) or _BARE_ADDRESS.match(located.raw.text)
    if not match:
        return False
    scheme, host = (match.group(1) or "").lower(), match.group(2).lower().rstrip(".")
    if not scheme.isascii() or not host.isprintable() or host[-1:].isdigit():
        return False  # no browser opens it: it contains something invisible, or is `doi.org.10.1000`
    before, path = located.raw.cut(0, match.end()), located.raw.cut(match.end())
    rewritten = resolver_addresses.REWRITTEN_HOST.match(host)
    if rewritten:
        return _strip_resolver(located, before, path, wrapped=True, old=bool(rewritten.group(1)))
    if host in resolver_addresses.RESOLVER_HOSTS:
        if _OPENURL.match(path.text) and (inside := _INSIDE.search(path.text)):
            return _find_name_inside(located, path, inside.start(), host)
        return _strip_resolver(located, before, path, old=host in resolver_addresses.OLD_HOSTS or scheme == "http")
    if any(_unwrap_redirect(located, path, service) for service in REDIRECTORS if service.host == host):
        return True
    if _NAME_AT_ONCE.match(path.text) and resolver_look_alikes.is_mistyped_resolver(host):
        return _strip_mistyped_resolver(located, before, path)
    nested = _NESTED.search(path.text)
    # A name before the nested address may extend to its first letter: what follows is not searched twice.
    end = nested.start() + 1 if nested else len(path.text)
    inside = _INSIDE.search(path.text, 0, end)
    if inside is None and "%" in path.text:
        inside = _INSIDE_AFTER_SIGN.search(path.text, 0, end)
    if inside:
        return _find_name_inside(located, path, inside.start(), host)
    return nested is not None and _unwrap_address(located, path, nested.start())


def _strip_resolver(
    located: LocatedName, host: SourceText, path: SourceText, *, old: bool, wrapped: bool = False
) -> bool:
    """`https://doi.org/…`, its API and Which RA, the older names of the host (P14), and a library proxy's for it."""
    form = "wrapped" if wrapped or located.form == "wrapped" else "url"
    if wrapped:
        located.problems += (make_problem("wrapped", *host.span()),)
    if old:
        located.problems += (make_problem("old-resolver", *host.span(), characters=host.text),)
    slashes = _SLASHES.match(path.text)
    begin = slashes.end() if slashes else 0
    if begin > 1 and not wrapped:  # the resolver drops them
        located.problems += (make_problem("surrounding-text", *path.span(1, begin)),)
    left = path.cut(begin)
    start = left.text[:12].lower()
    api = next((api for api in resolver_addresses.API_PATHS if start.startswith(api)), None)
    if api:
        left, form = left.cut(len(api)), "api-url" if form == "url" else form
    located.raw, located.form, located.coding = left, form, Coding.URL
    located.marks += (host.span(),)
    located.resolver = True
    located.handle = _HANDLE_HOST.search(host.text) is not None
    located.which_ra = located.which_ra or api in resolver_addresses.WHICH_RA_PATHS
    return True


def _strip_mistyped_resolver(located: LocatedName, written: SourceText, path: SourceText) -> bool:
    """`https://doi,org/…`, `https//doi.org/…`: one slip away from the resolver, with a name right after it."""
    slashes = len(path.text) - len(path.text.lstrip("/"))
    span = (written.span()[0], (path.span(0, slashes) if slashes else written.span())[1])
    located.problems += (make_problem("damaged-resolver", *span, characters=written.text),)
    located.raw, located.coding, located.resolver = path.cut(slashes), Coding.URL, True
    located.form = "wrapped" if located.form == "wrapped" else "url"
    located.marks += (span,)
    return True


def _strip_damaged_resolver(located: LocatedName) -> bool:
    """A resolver whose scheme or end is damaged: `https//doi.org/…`, `https:doi.org/…`, `https://doi.org10.1000/182`."""
    match = _DAMAGED.match(located.raw.text)
    if not match:
        return False
    return _strip_mistyped_resolver(located, located.raw.cut(0, match.end()), located.raw.cut(match.end()))


def _unwrap_redirect(located: LocatedName, path: SourceText, service: Redirector) -> bool:
    """An address that a service rewrote in its own way."""
    match = service.inner.match(path.text)
    if not match:
        return False
    inner = path.cut(*match.span(1))
    key = match[2] if match.re.groups > 1 else ""
    _unwrap(located, path, match.start(1), inner.with_replaced(service.restore(inner.text, key or "")))
    return True


def _unwrap_address(located: LocatedName, path: SourceText, start: int) -> bool:
    """An address inside another: `login?url=https://…`, `url?q=…&sa=D`, a safelink, a web archive."""
    inner = path.cut(start)
    before, mark, _key = path.text[:start].partition("?")
    raw = "://" in inner.text[:8]
    end: int | None = inner.text.find(link_services.URLDEFENSE_END, 1)
    if end == -1:
        to_the_end = not mark or (raw and library_proxies.LOGIN_PATH.search(before))
        signs = () if to_the_end else ("&",) if raw else ("&", "#")
        end = min((at for sign in signs if (at := inner.text.find(sign)) >= 0), default=None)
    _unwrap(located, path, start, inner.cut(0, end))
    return True


def _unwrap(located: LocatedName, path: SourceText, start: int, inner: SourceText) -> None:
    located.problems += (make_problem("wrapped", located.raw.span()[0], path.span(0, start)[1]),)
    located.raw, located.form, located.coding, located.marks = inner, "wrapped", Coding.URL, ()


def _find_name_inside(located: LocatedName, path: SourceText, start: int, host: str) -> bool:
    """A name in the address of a publisher, a library proxy or a link resolver, with the path or query after it."""
    before, span = path.text[:start], (located.raw.span()[0], path.span(0, start)[1])
    key = before[-24:].lower()
    by_key = any(f"{mark}{word}" in key for word in library_proxies.LINK_RESOLVER_KEYS for mark in "?&;")
    wrapped = by_key or library_proxies.is_library_proxy(host)
    if wrapped:
        located.problems += (make_problem("wrapped", *span),)
    if resolver_look_alikes.is_fake_resolver(host):
        located.problems += (make_problem("fake-resolver", *span, characters=host),)
    elif not wrapped or not ("url=" in key or by_key):
        located.problems += (make_problem("publisher-url", *span),)
    if located.form not in ("wrapped", "url", "api-url"):
        located.form = "wrapped" if wrapped else "publisher-url"
    stop = "#&" if "?" in before else "" if "#" in before else "?#"
    end = min((at for mark in stop if (at := path.text.find(mark, start)) >= 0), default=len(path.text))
    if path.text[:end].endswith(";2-"):
        end = len(path.text)  # the check character of a SICI may be a #
    located.raw, located.coding, located.marks = path.cut(start, end), Coding.URL, ()
    return True


LAYERS: tuple[Callable[[LocatedName], bool], ...] = (
    _decode_address,
    _strip_scheme,
    _strip_handle_label,
    _strip_address,
    _strip_damaged_resolver,
    _strip_label,
)
"""The texts that may precede a name, in the order in which they are tried. Each removes itself from the name, or
returns False and changes nothing."""

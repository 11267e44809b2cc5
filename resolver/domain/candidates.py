"""Other readings of a damaged name: small repairs in a visible order, tried on what was read and on what was cut."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from resolver.domain import checks, endings, lookalikes, wrappers
from resolver.domain.doi import Doi, NotADoi, is_graphic
from resolver.domain.encoding import TRIPLET, decode_once
from resolver.domain.excerpt import WHITE, WHITE_RUN
from resolver.domain.forms import Coding, Found

MOST = 8
_SOFT = re.compile("[-\u2010-\u2015\u2212]\u00ad{1,4}[-\u2010-\u2015\u2212]?|\u00ad{1,4}[-\u2010-\u2015\u2212]")


@dataclass(frozen=True, slots=True)
class Candidate:
    """Another name that may have been meant, and why."""

    doi: str
    reason: str


@dataclass(frozen=True, slots=True)
class Repair:
    """One thing that may have gone wrong, undone. `together`: it is also done along with the others."""

    name: str
    reason: str
    apply: Callable[[str], str]
    together: bool = True


def _visible(name: str) -> str:
    return name if name.isascii() and name.isprintable() else "".join(filter(is_graphic, name))


def _decoded(name: str) -> str:
    for _ in range(3):  # %25252F occurs, more does not
        if not TRIPLET.search(name):
            break
        decoded = decode_once(name)
        if decoded.broken:
            break
        name = decoded.text
    return name


def _softened(name: str) -> str:
    return _SOFT.sub("-", name) if "\N{SOFT HYPHEN}" in name else name


def _hyphens(name: str) -> str:
    return _visible(name.replace("\N{SOFT HYPHEN}", "-")) if "\N{SOFT HYPHEN}" in name else name


def _unrepeated(name: str) -> str:
    at = checks.inner(name)
    if at < 0:
        return name
    second = name[name.index("10.", at) :]
    first = name[:at]
    return first if first.partition("/")[2] and _is_name(first) else second


def _second(name: str) -> str:
    at = checks.inner(name)
    return name if at < 0 else name[name.index("10.", at) :]


def _unpunctuated(name: str) -> str:
    return name[: max(endings.junk(name), name.find("/") + 1)]


def _query_free(name: str) -> str:
    name, mark, query = name.partition("?")
    key = query.partition("&")[0].partition("=")[0].lower()
    return name if mark and wrappers.is_tracking(key) else name + mark + query


def _path_free(name: str) -> str:
    return wrappers.PATH_ENDINGS.sub("", name)


REPAIRS = (
    Repair("soft", "with one hyphen in place of a soft hyphen beside a dash", _softened),
    Repair("invisible", "without the invisible characters", _visible),
    Repair("look-alike", "with the ordinary characters in place of those that look like them", lookalikes.plain),
    Repair("decode", "decoded once more, since it seems to be encoded twice", _decoded),
    Repair("repetition", "without the repetition", _unrepeated),
    Repair("tracking", "without what was added to measure visits", _query_free),
    Repair("punctuation", "without the punctuation at the end", _unpunctuated),
    Repair("space", "without the white space at the end", lambda name: name.rstrip(WHITE)),
    Repair("slash", "without the slash at the end", lambda name: name.rstrip("/")),
    Repair("hyphen", "with a hyphen in place of the invisible soft hyphen", _hyphens, together=False),
    Repair("second", "the second DOI in it", _second, together=False),
    Repair("composed", "with its letters composed in the usual way", lambda n: unicodedata.normalize("NFC", n), False),
    Repair("path", "without the path that a publisher's address adds", _path_free, together=False),
    Repair("last", "without the last character", lambda n: n[:-1] if endings.junk(n) < len(n) - 1 else n, False),
    Repair("hash", "what stands before the #", lambda name: name.partition("#")[0], together=False),
    Repair("query", "what stands before the ?", lambda name: name.partition("?")[0], together=False),
)
"""In the order in which they are undone and offered; adding a repair is adding a line."""


def _is_name(text: str) -> bool:
    try:
        Doi.parse(text)
    except NotADoi:
        return False
    return True


def repaired(name: str) -> Iterator[tuple[str, str]]:
    """All repairs together, then each one alone."""
    whole, reasons = name, []
    for repair in REPAIRS:
        if repair.together and (better := repair.apply(whole)) != whole and better:
            whole = better
            reasons.append(repair.reason)
    if reasons:
        yield whole, ", ".join(reasons)
    for repair in REPAIRS:
        if (better := repair.apply(name)) != name:
            yield better, repair.reason


def _slashed(found: Found, written: str) -> str:
    """A urn:doi: with the slash for which its first colon stands (N1, N3)."""
    if found.coding is not Coding.URN:
        return written
    at = min((i for i in (written.find(":"), written.find("/")) if i >= 0), default=-1)
    return written if at < 0 else f"{written[:at]}/{written[at + 1 :]}"


def _text(found: Found, written: str) -> str:
    decoded = decode_once(_slashed(found, written))
    return "" if decoded.broken else decoded.text


def cut_off(found: Found, *, set_aside: bool) -> Iterator[tuple[str, str]]:
    """With what the form cut off: fragment, query, what follows white space, a publisher's path ending."""
    raw = found.raw.text
    query = found.query.text if found.query else ""
    fragment = found.fragment.text if found.fragment else ""
    if fragment:
        kept = "" if set_aside else query
        yield _text(found, raw + kept + fragment), "with the # and what follows it as part of the name"
    if query and not set_aside:
        yield _text(found, raw + query), "with the ? and what follows it as part of the name"
    if found.rest:
        tail = query + fragment + found.rest.text
        joined = WHITE_RUN.sub("", tail)
        yield _text(found, raw + joined), "joined where white space divides it"
        words = tail.split()
        if len(words) > 1:
            yield _text(found, raw + words[0]), "joined at the first white space"
        yield _text(found, raw + WHITE_RUN.sub(" ", tail)), "with the white space as part of the name"
    if found.whole:
        yield _text(found, found.whole.text), "with the rest of the address's path"
    if fragment and query and set_aside:
        yield _text(found, raw + query + fragment), "with everything that follows as part of the name"


def byte_guess(found: Found) -> Iterator[tuple[str, str]]:
    """For bytes that are not UTF-8: what they are in Windows-1252 (E15: offered, never taken silently)."""
    parts, done = [], 0
    raw = _slashed(found, found.raw.text)
    for start, end in decode_once(raw).broken:
        parts.append(decode_once(raw[done:start]).text)
        try:
            parts.append(bytes.fromhex(raw[start:end].replace("%", "")).decode("cp1252"))
        except UnicodeDecodeError:
            return
        done = end
    parts.append(decode_once(raw[done:]).text)
    yield "".join(parts), "with its bytes read as Windows-1252"


def ranked(doi: Doi | None, offers: Iterable[tuple[str, str]]) -> tuple[Candidate, ...]:
    """The first eight offers that are names, each once, and none of them `doi`."""
    seen = {doi} if doi else set()
    kept: list[Candidate] = []
    for name, reason in offers:
        try:
            other = Doi.parse(name)
        except NotADoi:
            continue
        if other not in seen:
            seen.add(other)
            kept.append(Candidate(name, reason))
            if len(kept) == MOST:
                break
    return tuple(kept)

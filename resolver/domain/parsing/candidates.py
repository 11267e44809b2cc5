"""Other readings of what was found: with what the form cut off, and the first eight that are names."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from resolver.domain.message import Message
from resolver.domain.name.doi import Doi, NotADoi, fold
from resolver.domain.name.encoding import decode_once
from resolver.domain.parsing.locate import Coding, LocatedName
from resolver.domain.text import trailing
from resolver.domain.text.source_text import WHITE_RUN

MOST = 8
_SHORTEST = 4  # characters of what a page number follows: /12/1/013036 has no page number
_OTHERS = 3
_PAGE = re.compile(r"/(?:[0-9]{4,8}|[A-Za-z]+(?:-[A-Za-z0-9]+)+)(?:/.*)?")


@dataclass(frozen=True, slots=True)
class Candidate:
    """Another name that may have been meant, and why."""

    doi: str
    reason: Message


def restore_urn_slash(found: LocatedName, written: str) -> str:
    """A urn:doi: with the slash for which its first colon stands (N1, N3)."""
    if found.coding is not Coding.URN:
        return written
    at = min((i for i in (written.find(":"), written.find("/")) if i >= 0), default=-1)
    return written if at < 0 else f"{written[:at]}/{written[at + 1 :]}"


def _text(found: LocatedName, written: str) -> str:
    decoded = decode_once(restore_urn_slash(found, written))
    return "" if decoded.broken else decoded.text


def offer_cut_off(found: LocatedName, *, set_aside: bool) -> Iterator[tuple[str, Message]]:
    """With what the form cut off: fragment, query, what follows white space, a publisher's path ending."""
    raw = found.raw.text
    query = found.query.text if found.query else ""
    fragment = found.fragment.text if found.fragment else ""
    if fragment:
        kept = "" if set_aside else query
        yield _text(found, raw + kept + fragment), Message("with the # and what follows it as part of the name")
    if query and not set_aside:
        yield _text(found, raw + query), Message("with the ? and what follows it as part of the name")
    if found.rest:
        tail = query + fragment + found.rest.text
        joined = WHITE_RUN.sub("", tail)
        whole = raw + joined
        if (end := trailing.find_punctuation(whole)) < len(whole):
            yield _text(found, whole[:end]), Message("joined where white space divides it")
        yield _text(found, whole), Message("joined where white space divides it")
        if raw.endswith("-"):
            yield _text(found, raw[:-1] + joined), Message("joined without the hyphen at the line's end")
        words = tail.split()
        if len(words) > 1 and not (words[0][-1].isdigit() and words[1][0].isdigit()):
            yield _text(found, raw + words[0]), Message("joined at the first white space")
        yield _text(found, raw + WHITE_RUN.sub(" ", tail)), Message("with the white space as part of the name")
    if found.whole:
        yield _text(found, found.whole.text), Message("with the rest of the address's path")
    if fragment and query and set_aside:
        yield _text(found, raw + query + fragment), Message("with everything that follows as part of the name")


def add_other_dois(candidates: tuple[Candidate, ...], others: tuple[str, ...]) -> tuple[Candidate, ...]:
    """With room for the first of the other DOIs in the text, after what the first one may have been."""
    known = {fold(one.doi) for one in candidates}
    missing = [Candidate(name, Message("another DOI in the text")) for name in others[:MOST] if fold(name) not in known]
    room = MOST - min(len(missing), _OTHERS)
    return (*candidates[:room], *missing)[:MOST]


def offer_shorter(found: LocatedName) -> Iterator[tuple[str, Message]]:
    """A publisher's path without what may be the number or the title of a page at its end."""
    path = found.raw.text
    end = path.rfind("/")
    for _ in range(3):
        if found.form not in ("publisher-url", "wrapped") or end <= path.find("/"):
            return
        last = path[path.rfind("/", 0, end) + 1 : end]
        if _PAGE.fullmatch(path, end) and len(last) > _SHORTEST:
            yield _text(found, path[:end]), Message("without the end of the address's path")
        end = path.rfind("/", 0, end)


def offer_windows_1252(found: LocatedName) -> Iterator[tuple[str, Message]]:
    """For bytes that are not UTF-8: what they are in Windows-1252 (E15: offered, never taken silently)."""
    parts, done = [], 0
    raw = restore_urn_slash(found, found.raw.text)
    for start, end in decode_once(raw).broken:
        parts.append(decode_once(raw[done:start]).text)
        try:
            parts.append(bytes.fromhex(raw[start:end].replace("%", "")).decode("cp1252"))
        except UnicodeDecodeError:
            return
        done = end
    parts.append(decode_once(raw[done:]).text)
    yield "".join(parts), Message("with its bytes read as Windows-1252")


def rank(doi: Doi | None, offers: Iterable[tuple[str, Message]]) -> tuple[Candidate, ...]:
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

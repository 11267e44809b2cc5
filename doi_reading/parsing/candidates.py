"""The candidates: other possible DOIs, each with its reason."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice

from doi_reading.message import Message, join_messages
from doi_reading.name.decoding import decode_once
from doi_reading.name.doi import Doi, fold, parse_if_doi
from doi_reading.parsing.located_name import Coding, LocatedName
from doi_reading.repair.divided_names import LOOK_AHEAD, join_divided_name, must_continue
from doi_reading.repair.rules import LONGEST_REPAIRED_NAME, propose_repairs
from doi_reading.repair.safe_cut import is_unfinished
from doi_reading.text import homoglyphs, name_end
from doi_reading.text.source_text import WHITE_RUN

MOST_CANDIDATES = 8
ANOTHER_DOI = Message("another DOI in the text")
ANOTHER_OF_REQUEST = Message("another DOI of the request")
OF_HYPERLINK = Message("the DOI that the cell's hyperlink opens")
NO_REPAIRS = frozenset({ANOTHER_DOI, ANOTHER_OF_REQUEST, OF_HYPERLINK})
"""The reasons of candidates that come from another place, not from a rule."""
_SOFT_BREAK = re.compile(r"[ \t]{0,3}\r?\n")
"""After an equals sign: the end of a line in quoted-printable mail, which is no part of the text."""
_SOFT_BREAKS = re.compile(rf"={_SOFT_BREAK.pattern}")
_OTHER_NAME = re.compile(r"https?:|www\.|doi|10\.[0-9]{4,9}(?:\.[0-9]{1,9}){0,4}/", re.IGNORECASE)
_GOING_ON = tuple("./-_(:")  # if a name ends so, the text after white space belongs to it
_PAGE = re.compile(r"/(?:[0-9]{4,8}|[A-Za-z]{2,}(?:[-_.][A-Za-z0-9]+)*)(?:/.*)?")


@dataclass(frozen=True, slots=True)
class Candidate:
    """Another possible DOI, and why. `doubtful`: only a person may accept it, even if it is registered."""

    doi: str
    reason: Message
    doubtful: bool = False


Offers = Iterable[tuple[str, Message]]
"""Names that may have been meant, each with the reason, best first. Some may not keep the syntax."""


def offer_names(located: LocatedName, name: str, *, set_aside: bool, broken: bool) -> Offers:
    """Yield what the located name may have been. `name`: the name as read. `set_aside`: whether its query is set aside.
    `broken`: whether some of its bytes are not UTF-8."""
    if broken:
        yield from _offer_windows_1252(located)
        return
    if located.rest and not located.query and not located.fragment:
        yield from offer_joined(located.raw.text, located.rest.text, located.with_slash)
    left = LONGEST_REPAIRED_NAME
    for whole, reason in _offer_cut_off(located, set_aside=set_aside):
        yield whole, reason
        left -= len(whole)
        if left >= 0:
            more = ((better, why) for better, why in propose_repairs(whole) if better.startswith("10."))
            yield from ((better, join_messages(", ", reason, why)) for better, why in more)
    continues = located.rest and name.endswith(_GOING_ON) and must_continue(name, located.rest.text)
    for better, why in propose_repairs(name):
        if not (continues and name.startswith(better) and is_unfinished("", better)):
            yield better, why
    if white := WHITE_RUN.search(name, name.find("/") + 1 or len(name)):
        yield from offer_joined(name[: white.start()], name[white.start() :])
    yield from _offer_shorter(located)
    if located.coding is Coding.PLAIN and located.raw.text != name:
        yield located.raw.text, Message("with the percent signs unchanged")


def _decode(located: LocatedName, written: str) -> str:
    decoded = decode_once(located.with_slash(written))
    return "" if decoded.broken else decoded.text


def offer_joined(head: str, following: str, with_slash: Callable[[str], str] = str) -> Offers:
    """Yield the names that `head` and the words after it may form, without the signs at their end, and repaired. `head`
    is the name as written, or its prefix with the slash."""
    divided = Message("joined where white space splits it")
    head, following = map(homoglyphs.replace_homoglyphs, (head, following[:LOOK_AHEAD]))
    if head.endswith("=") and _SOFT_BREAK.match(following):
        head = head[:-1]
        rest = _SOFT_BREAKS.sub("", f"={following}")
        if rest[:1].strip() and not _OTHER_NAME.match(rest):
            yield from _offer_decoded(with_slash(head + rest.split()[0]), divided)
    whole = list(join_divided_name(head, following))
    for place, joined in enumerate(whole):
        yield from _offer_decoded(with_slash(joined), divided, repaired=place < 2)  # the rules take time
    if whole and head.endswith("-"):
        joined = head[:-1] + whole[0][len(head) :]
        reason = Message("joined without the hyphen at the end of the line")
        yield from _offer_decoded(with_slash(joined), reason, repaired=False)


def _offer_decoded(written: str, reason: Message, *, repaired: bool = True) -> Offers:
    decoded = decode_once(written)
    if decoded.broken:
        return ()
    name = homoglyphs.replace_homoglyphs(decoded.text)
    name = name[: max(name_end.find_trailing_debris(name), name.find("/") + 1)]
    return offer_repaired(name, reason) if repaired else [(name, reason)]


def offer_repaired(name: str, reason: Message, most: int = 1) -> Offers:
    """Yield the name, then its first repairs with both reasons."""
    yield name, reason
    yield from ((better, join_messages(", ", reason, why)) for better, why in islice(propose_repairs(name), most))


def _offer_cut_off(located: LocatedName, *, set_aside: bool) -> Offers:
    """Yield the name with what the form cut off: fragment, query, text after white space, path of a publisher."""
    raw = located.raw.text
    query = located.query.text if located.query else ""
    fragment = located.fragment.text if located.fragment else ""
    if fragment:
        kept = "" if set_aside else query
        yield _decode(located, raw + kept + fragment), Message("with the # and everything after it as part of the name")
    if query and not set_aside:
        yield _decode(located, raw + query), Message("with the ? and everything after it as part of the name")
    if located.rest:
        tail = query + fragment + located.rest.text
        joined = WHITE_RUN.sub("", tail)
        whole = raw + joined
        if (end := name_end.find_trailing_punctuation(whole)) < len(whole):
            yield _decode(located, whole[:end]), Message("joined where white space splits it")
        yield _decode(located, whole), Message("joined where white space splits it")
        if raw.endswith("-"):
            yield _decode(located, raw[:-1] + joined), Message("joined without the hyphen at the end of the line")
        yield _decode(located, raw + WHITE_RUN.sub(" ", tail)), Message("with the white space as part of the name")
    if located.whole:
        yield _decode(located, located.whole.text), Message("with the rest of the address's path")
    if fragment and query and set_aside:
        yield _decode(located, raw + query + fragment), Message("with everything that follows as part of the name")


def add_other_dois(candidates: tuple[Candidate, ...], others: tuple[str, ...]) -> tuple[Candidate, ...]:
    """Add the other DOIs in the text. The candidates of the first leave room for at least three of them."""
    known = {fold(one.doi) for one in candidates}
    missing = [Candidate(name, ANOTHER_DOI) for name in others[:MOST_CANDIDATES] if fold(name) not in known]
    room = MOST_CANDIDATES - min(len(missing), 3)
    return (*candidates[:room], *missing)[:MOST_CANDIDATES]


def _offer_shorter(located: LocatedName) -> Offers:
    """Yield the name without what may be the number or the title of a page at the end of a publisher's path."""
    path = located.raw.text
    end = path.rfind("/")
    for _ in range(3):
        if located.form not in ("publisher-url", "wrapped") or end <= path.find("/"):
            return
        last = path[path.rfind("/", 0, end) + 1 : end]
        if _PAGE.fullmatch(path, end) and len(last) > 4:  # /12/1/013036 ends in no page
            yield _decode(located, path[:end]), Message("without the end of the address's path")
        end = path.rfind("/", 0, end)


def _offer_windows_1252(located: LocatedName) -> Offers:
    """Yield the name with its bytes that are not UTF-8 read as Windows-1252 (E15)."""
    parts, done = [], 0
    raw = located.with_slash(located.raw.text)
    for start, end in decode_once(raw).broken:
        parts.append(decode_once(raw[done:start]).text)
        try:
            parts.append(bytes.fromhex(raw[start:end].replace("%", "")).decode("cp1252"))
        except UnicodeDecodeError:
            return
        done = end
    parts.append(decode_once(raw[done:]).text)
    yield from offer_repaired("".join(parts), Message("with its bytes read as Windows-1252"))


def select_candidates(doi: Doi | None, offers: Offers) -> tuple[Candidate, ...]:
    """Return the first eight offers that are names, each once, without `doi`."""
    seen = {doi} if doi else set()
    kept: list[Candidate] = []
    for name, reason in offers:
        other = parse_if_doi(name)
        if other and other not in seen:
            seen.add(other)
            kept.append(Candidate(name, reason))
            if len(kept) == MOST_CANDIDATES:
                break
    return tuple(kept)

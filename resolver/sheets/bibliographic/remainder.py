"""The remainder of a value: what of it a DOI name in its place would not keep."""

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from html import unescape
from itertools import islice
from urllib.parse import unquote

from doi_reading import Message, Reading, fold
from doi_reading.tables.link_parameters import is_tracking
from resolver.sheets.bibliographic.doi_link import (
    NO_DOI,
    OTHER_PAGE,
    WITHIN,
    explain_other_link,
    is_link,
    match_resolver,
    read_value,
)
from resolver.sheets.bibliographic.notes import BESIDE, FOREIGN, SEVERAL
from resolver.sheets.left_out import NotWritable

_SEVERAL_CODES = {"several-dois", "glued-dois"}
_LABELS = re.compile(
    r"(?:[\s.,;:/()\[\]<>{}\"'“”„‘’«»‹›\u200b\ufeff]|dois?|dx|www|org|ur[li]|https?|number|name|link)*",
    re.IGNORECASE,
)
_INTRODUCES = re.compile(
    r"\W*(?:see|at|available|online|from|via|siehe|unter"
    r"|(?:accessed|retrieved|visited|abgerufen)(?:\s(?:on|am))?\W{0,3}[0-9]{1,4}"
    r"(?:[\s./-]{1,2}(?:[0-9]{1,4}|[a-zä]{3,9})){0,2})\W*",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+")
_SIGNS = re.compile(r"[\W_]+")
_DAMAGED = re.compile(r"\W*(?:doi\W{0,4})?[1Il][0Oo]\W{1,2}[0-9]{4,9}\W\S+", re.IGNORECASE)
_PLACEHOLDERS = frozenset(
    """
    a applicable assigned available doi empty error fehlt found given inconnu kein keine leer missing n na nicht nil no
    non none not null pending ref registered tba tbc tbd todo unbekannt unknown value vorhanden x xx xxx yet
    """.split()
)
_BEHIND = re.compile(r"[?#&].*", re.DOTALL)
_PARAMETERS = re.compile(r"[?#&][^?#&]*")
_SIGNS_AFTER = ".,;:!?)]'>\"”&#"
_BEGIN = re.compile(r"[1Il][0Oo]\W")
_ADDRESS = re.compile(r"https?:|www\.", re.IGNORECASE)
_IDENTIFIER = re.compile(
    r"[^/]*+/[^0-9]*+[0-9].*?(https?:|www\.|pmc?id|pmc[0-9]|is[bs]n|arxiv|orcid|[?&#][\w.-]{1,40}=)", re.DOTALL
)
"""Another identifier, an address or a parameter behind the first digit of a suffix."""
_VIEW = re.compile(
    r"(?:[/.](?:abstract|summary|short|long|full(?:[-_/]?text)?|html?|xml|e?pdf|pdfft|pdfdirect|epub|meta)(?![^\W_])"
    r"|[;?&]jsess[^/]*+|</?[a-z]{1,10}\s?/?>|_x000[ad]_|[$|‡]2doi|\[doi\]|[\W_])*+",
    re.IGNORECASE,
)
"""What leads to the same work: its formats on a publisher's site, and what programs left."""
_SITE = re.compile(r"\W*(?:https?:)?//[^/?#]+(?:[^0-9]*[/=:])")
_PAGE_VIEW = re.compile(r"\?seq=1(?![0-9])|#[a-z_]+\Z")
_FEWEST_COMPARED = 6  # characters of a suffix, to find the name at the start of a damaged one
_BETWEEN_DOIS = re.compile(
    r"(?:\s*[;,|&]\s*|\s+/\s+|\s+)(?:(?:and|und|et|y)\s+)?(?=10\.|https?:|doi:|urn:|info:)", re.IGNORECASE
)
_MOST_DOIS = 20  # of one value, of which a person chose one
_MOST_COMPARED = 300  # of a name
_ALIKE = 0.93


def explain_remainder(text: str, name: str = "", *, in_doi_field: bool = False) -> Message | None:
    """Return why something of this value would be lost, if the name took its place; without a name, if any could.
    Labels, signs around the whole, and what measures visits may go. A field for DOIs alone (`in_doi_field`) doesn't
    keep words before one, a date of access, and a publisher's address that is its page. Of a value with nothing but
    DOIs the others go: only a person accepts one of several."""
    reading = read_value(text)
    codes = {each.code for each in reading.problems}
    if codes & _SEVERAL_CODES or reading.others:
        parts = _BETWEEN_DOIS.split(text)
        only_dois = 1 < len(parts) <= _MOST_DOIS and "||" not in text
        only_dois = only_dois and all(explain_remainder(part, in_doi_field=in_doi_field) is None for part in parts)
        return None if only_dois else SEVERAL
    elsewhere = explain_other_link(text)
    if elsewhere and not (elsewhere is FOREIGN and in_doi_field and _is_page_of(text, reading)):
        return elsewhere
    if "proxy-parameter" in codes:
        return OTHER_PAGE
    names = [name] if name else _list_guesses(reading)
    if reading.form == "none" and not _is_replaceable(text, names):
        return NO_DOI
    if reading.form != "none" and _has_words_beside(reading, names, in_doi_field=in_doi_field):
        return BESIDE
    doi = str(reading.doi or _find_damaged(text))
    lost = _find_attached(doi, name or _ADDRESS.split(doi)[0])
    if name and not lost and not elsewhere and (is_link(text) or reading.form in ("uri", "urn", "info")):
        lost = _find_parameter(text, name)
    return Message("“{text}” after the DOI would be lost. Change it by hand.", text=lost[:80]) if lost else None


def ensure_no_remainder(text: str, name: str, *, in_doi_field: bool = False) -> None:
    """Raise NotWritable if something of this value would be lost."""
    if reason := explain_remainder(text, name, in_doi_field=in_doi_field):
        raise NotWritable(reason)


def squeeze(text: str) -> str:
    """Return letters and digits in lower case, without percent-encoding."""
    return _SIGNS.sub("", unquote(text).casefold())


def _is_page_of(text: str, reading: Reading) -> bool:
    """Return whether a publisher's address has nothing but the DOI that tells one page from another."""
    before, found, after = fold(unquote(unescape(text))).partition(fold(str(reading.doi)))
    return bool(found and _SITE.fullmatch(before)) and not _find_lost(_PAGE_VIEW.sub("", after), "")


def _find_damaged(text: str) -> str:
    """Return the text from where a damaged DOI seems to begin, without white space."""
    plain = "".join(unquote(unescape(text)).split())
    begins = _BEGIN.search(plain)
    return plain[begins.start() :] if begins else ""


def _list_guesses(reading: Reading) -> list[str]:
    """Return the names that the text may mean, but none that takes in a word behind the DOI."""
    doi, divides = str(reading.doi or ""), any(each.code == "inner-space" for each in reading.problems)
    if doi and not divides:
        return [doi]
    names = [each.doi for each in islice(reading.candidates, 5)]
    rests = [squeeze(each).removeprefix(squeeze(doi)) for each in names]
    return [doi, *(each for each, rest in zip(names, rests, strict=True) if len(rest) < 3 or not rest.isalpha())]


def _is_replaceable(text: str, names: Iterable[str]) -> bool:
    """Return whether a text without a DOI says only that there is none, or is one damaged beyond reading."""
    if "||" in text:
        return False
    words = {word.casefold() for word in _WORD.findall(text)}
    is_damaged = _DAMAGED.fullmatch(text.strip()) or squeeze(text).removeprefix("doi") in map(squeeze, names)
    return bool(is_damaged or words <= _PLACEHOLDERS or _LABELS.fullmatch(text))


def _has_words_beside(reading: Reading, names: Sequence[str], *, in_doi_field: bool) -> bool:
    """Return whether there are words that are no part of the DOI: outside of it, or after white space that divides it
    from something else."""
    text = reading.input
    for each in reversed(reading.problems):
        piece = unescape(reading.input[each.start : each.end])
        if each.code != "surrounding-text" or _LABELS.fullmatch(piece):
            continue
        if not in_doi_field or not _INTRODUCES.fullmatch(piece):
            return True
        text = f"{text[: each.start]} {text[each.end :]}"
    words = [word for word in unescape(text).split() if not _LABELS.fullmatch(word)]
    plain = [squeeze(word[found.end() :] if (found := match_resolver(word)) else word) for word in words]
    known = {*map(squeeze, names), squeeze(str(reading.doi or ""))}
    is_whole = len(words) < 2 or known.issuperset(plain) or "".join(plain).removeprefix("doi") in known
    return not is_whole


def _find_attached(doi: str, name: str) -> str:
    """Return what is attached to the DOI as it was read, and no part of this name; "" if nothing of worth is."""
    old, new = fold(doi), fold(name)
    if old.startswith(new):
        return _find_lost(doi[len(name) :], new)
    if (found := _IDENTIFIER.match(old)) and found.group(1) not in new:
        return doi[found.start(1) :]
    if len(new.partition("/")[2]) < _FEWEST_COMPARED or len(new) > _MOST_COMPARED:
        return ""
    ends = range(len(new) - 1, len(new) + 2)
    likeness, end = max((SequenceMatcher(None, old[:end], new, autojunk=False).ratio(), end) for end in ends)
    return _find_lost(doi[end:], new) if likeness > _ALIKE and not doi[end : end + 1].isdigit() else ""


def _find_lost(rest: str, name: str) -> str:
    """Return the rest behind a name unless it may go: signs, the name again, a slip of one character."""
    is_slip = len(rest) == 1
    is_again = bool(name) and _LABELS.fullmatch(fold(rest).replace(name, ""))
    without = _PARAMETERS.sub(lambda part: "" if _is_measure(part.group()) else part.group(), rest)
    return "" if is_slip or is_again or _VIEW.fullmatch(without) else rest


def _find_parameter(text: str, name: str) -> str:
    """Return the query or fragment of a link that the name doesn't have; "" for none, or if it only measures visits."""
    resolvers = list(WITHIN.finditer(text := unquote(unescape(text))))
    behind = _BEHIND.search(text, resolvers[-1].end() if resolvers else 0)
    known = {part[1:].casefold() for part in _PARAMETERS.findall(name)}
    for found in _PARAMETERS.finditer(behind.group().strip().rstrip(_SIGNS_AFTER) if behind else ""):
        key, is_assigned, _ = (part := found.group())[1:].partition("=")
        is_parameter = key and (is_assigned or part[0] != "&")
        if is_parameter and not _is_measure(part) and part[1:].casefold() not in known:
            return part
    return ""


def _is_measure(part: str) -> bool:
    return part[0] != "#" and is_tracking(part[1:].partition("=")[0].casefold())

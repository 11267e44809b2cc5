"""What an agency says about the work behind a DOI, or why it says nothing. All texts are untrusted.

Agencies send CSL JSON, read within bounds: every member may be missing, or of another type than the schema says.

The schema is https://resource.citationstyles.org/schema/v1.0/input/json/csl-data.json. Crossref adds members of its own
(`name` for organisations) and, in some answers, lists in place of texts; others write the year as a text.

Titles have markup: HTML, JATS (`<jats:italic>`), MathML (`<mml:mi>`), and entities, also doubled. Only known tags are
removed, so that `p < 0.05` and `<Homo sapiens>` stay.
"""

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from doi_reading import Message
from resolver.domain.handle.proxy_json import parse_json


class NoMetadataReason(StrEnum):
    """Why there is no metadata for a DOI. `sentence` is for people."""

    NOT_REGISTERED = "not-registered"
    NO_SERVICE = "no-service"  # the DOI proxy redirects to a page for readers, or to a host that isn't in the table
    NOT_AVAILABLE = "not-available"  # HTTP 404 or 406 of the agency's service
    OTHER_FORMAT = "other-format"  # XML, BibTeX, JSON of another kind
    WEB_PAGE = "web-page"  # HTTP 200 with HTML: perhaps a passing page of a firewall
    EMPTY = "empty"  # no title, no author, no year, no container

    @property
    def sentence(self) -> Message:
        return _SENTENCES[self]


_SENTENCES = {
    NoMetadataReason.NOT_REGISTERED: Message("This DOI isn't registered, so it has no title."),
    NoMetadataReason.NO_SERVICE: Message("Its agency offers no metadata that this portal can read."),
    NoMetadataReason.NOT_AVAILABLE: Message("Its agency has no metadata for this DOI."),
    NoMetadataReason.OTHER_FORMAT: Message("Its agency offers metadata only in a format that this portal can't read."),
    NoMetadataReason.WEB_PAGE: Message("Its agency answered with a web page instead of metadata."),
    NoMetadataReason.EMPTY: Message("Its agency gives neither a title nor an author nor a year."),
}


@dataclass(frozen=True, slots=True)
class WorkMetadata:
    """The work behind a DOI, in plain text of bounded length; "" or None for what the agency doesn't give.

    `doi`: the name that the metadata is about. `first_author` is the first editor if `is_editor`; `authors`: how many
    there are. `container`: the journal, book or series. `type`: as the agency writes it (`article-journal`, `dataset`).
    `source`: the host that gave it.
    """

    doi: str = ""
    title: str = ""
    first_author: str = ""
    authors: int = 0
    is_editor: bool = False
    year: int | None = None
    container: str = ""
    publisher: str = ""
    type: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class NoMetadata:
    """Why there is no metadata. `source`: the host that said so, or the host to which the DOI proxy redirects."""

    reason: NoMetadataReason
    source: str = ""


MetadataAnswer = WorkMetadata | NoMetadata


def decode_metadata(stored: dict[str, Any]) -> MetadataAnswer:
    """Return the answer that was stored by `dataclasses.asdict`."""
    if "reason" in stored:
        return NoMetadata(NoMetadataReason(stored["reason"]), stored["source"])
    return WorkMetadata(**stored)


LONGEST_TITLE_CHARACTERS, LONGEST_TEXT_CHARACTERS = 600, 200  # that are kept
_YEAR = re.compile(r"(?<![0-9])[12][0-9]{3}(?![0-9])")
_DATES = ("issued", "published", "published-print", "published-online", "original-date", "submitted")
_TAG_NAMES = (
    "(?:jats|mml|m|ns[0-9]):[a-z][a-z-]{0,30}|"
    "a|abbr|b|bold|br|cite|code|div|em|emph|font|h[1-6]|i|inf|inline-formula|italic|monospace|p|q|roman|s|sc|scp|"
    "small|small-caps|span|strike|strong|styled-content|sub|sup|title|tt|u|underline|"
    "math|mfenced|mfrac|mi|mmultiscripts|mn|mo|mover|mpadded|mphantom|mprescripts|mroot|mrow|mspace|msqrt|mstyle|msub|"
    "msubsup|msup|mtable|mtd|mtext|mtr|munder|munderover|none|semantics"
)
# An attribute has a `=`: "a<b and c>d" holds no tag.
_TAG = re.compile(rf"</?(?:{_TAG_NAMES})(?:\s[^<>=]{{0,60}}=[^<>]{{0,1000}}|\s{{0,10}}/)?>", re.IGNORECASE)
# TeX beside the same formula in MathML.
_ANNOTATION = re.compile(r"<(?:mml:)?annotation(?:\s[^<>]{0,1000})?>[^<]{0,5000}</(?:mml:)?annotation>", re.IGNORECASE)
_SPACES = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def decode_csl_json(body: bytes, source: str) -> WorkMetadata | None:
    """Return the work that the answer of the host `source` describes; None if it is JSON of another kind, or describes
    nothing. Raises WireError if it isn't JSON, or is nested too deeply."""
    item = parse_json(body)
    if isinstance(item, list):
        item = next(iter(item), None)
    if not isinstance(item, Mapping):
        return None
    people, is_editor = item.get("author"), False
    name = next(_read_names(people), "")
    if not name:
        people, is_editor = item.get("editor"), True
        name = next(_read_names(people), "")
    work = WorkMetadata(
        doi=_read_text(item.get("DOI"), 2000),
        title=_read_text(item.get("title"), LONGEST_TITLE_CHARACTERS),
        first_author=name,
        authors=(len(people) if isinstance(people, list) else 1) if name else 0,
        is_editor=bool(name) and is_editor,
        year=next(filter(None, (_read_year(item.get(name)) for name in _DATES)), None),
        container=_read_text(item.get("container-title")),
        publisher=_read_text(item.get("publisher")),
        type=_read_text(item.get("type"), 60),
        source=source,
    )
    return work if work.title or work.first_author or work.container or work.year else None


def _read_entries(value: Any) -> list[Any]:
    return value[:50] if isinstance(value, list) else [value]


def _read_text(value: Any, longest: int = LONGEST_TEXT_CHARACTERS) -> str:
    """Return a text, or the first of a list that isn't empty."""
    texts = (_strip_markup(entry) for entry in _read_entries(value) if isinstance(entry, str))
    return _shorten(next(filter(None, texts), ""), longest)


def _read_names(people: Any) -> Iterator[str]:
    """Yield the names that can be read: "family, given", or the name of an organisation."""
    for person in _read_entries(people):
        name = _read_text(person) if isinstance(person, str) else ""
        if isinstance(person, Mapping):
            particle, family, given = (
                _read_text(person.get(part)) for part in ("non-dropping-particle", "family", "given")
            )
            parts = [" ".join(filter(None, (particle, family))), given]
            name = ", ".join(filter(None, parts)) or _read_text(person.get("literal") or person.get("name"))
        if name:
            yield _shorten(name, LONGEST_TEXT_CHARACTERS)


def _read_year(date: Any) -> int | None:
    """Return the year of a CSL date: of its parts, else of its text."""
    if isinstance(date, Mapping):
        parts = date.get("date-parts")
        for _ in range(2):  # [[2020, 5, 1]], where some write [2020, 5, 1]
            parts = next(iter(parts), None) if isinstance(parts, list) else parts
        return _find_year(parts) or _find_year(date.get("raw")) or _find_year(date.get("literal"))
    return _find_year(date)


def _find_year(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    found = _YEAR.search(str(value)[:LONGEST_TEXT_CHARACTERS])
    return int(found.group()) if found else None


def _strip_markup(text: str) -> str:
    """Return the text on one line, without tags and with entities decoded; only its first 20,000 characters are read: a
    title with MathML may be some thousand characters long. Half surrogates become question marks. The result is text,
    not HTML: it has to be escaped."""
    text = text[:20_000].encode("utf-8", "replace").decode()
    text = _ANNOTATION.sub("", text)
    for _ in range(2):  # &lt;i&gt; and &amp;lt;i&amp;gt; occur
        text = html.unescape(_TAG.sub("", text))
    return _SPACES.sub(" ", _TAG.sub("", text)).strip()


def _shorten(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"

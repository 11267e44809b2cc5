"""What an agency says about the work behind a DOI, or why it says nothing. All texts are untrusted."""

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from doi_reading import Message


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
    NoMetadataReason.NOT_REGISTERED: Message("This DOI isn't registered, so it stands for nothing."),
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


def encode_metadata(answer: MetadataAnswer) -> dict[str, Any]:
    """Return the answer as JSON; `decode_metadata` is the inverse."""
    return asdict(answer)


def decode_metadata(stored: dict[str, Any]) -> MetadataAnswer:
    """Return the answer that `encode_metadata` wrote."""
    if "reason" in stored:
        return NoMetadata(NoMetadataReason(stored["reason"]), stored["source"])
    return WorkMetadata(**stored)

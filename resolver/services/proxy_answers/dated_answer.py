"""An answer of the proxy with the time of its request and its life span (P13, P15)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

from resolver import conf
from resolver.domain.handle import freshness
from resolver.domain.handle.answers import MissingHandle, NoValues, WhichRaAnswer
from resolver.domain.handle.freshness import FreshnessSpan
from resolver.domain.handle.record import Record
from resolver.domain.work.metadata import MetadataAnswer, NoMetadata, NoMetadataReason

Said = TypeVar("Said", covariant=True)
OwnAnswer = Record | NoValues | MissingHandle
WEB_PAGE_COUNTS = timedelta(hours=1)
_OF_PREFIXES = "0.NA/"
"""The beginning of a prefix's handle."""


@dataclass(frozen=True, slots=True)
class DatedAnswer(Generic[Said]):
    """An answer of the proxy, stored or just received. `answered_at`: when it was requested; `span`: how long it counts
    (P13, P15). A failure has neither."""

    answer: Said
    answered_at: datetime | None = None
    span: FreshnessSpan | None = None
    stored: bool = False


NO_ANSWER: DatedAnswer[Any] = DatedAnswer(None)
Found = dict[str, DatedAnswer[Said]]
"""By folded names."""


def build_dated_record(
    name: str, answer: OwnAnswer, answered_at: datetime, *, stored: bool = False
) -> DatedAnswer[OwnAnswer]:
    """Return a handle's own answer with its span: a day at most, and no longer than its values allow (P13, P15). That a
    name doesn't exist counts for an hour; a prefix without a record of its own gets none so soon."""
    absent = isinstance(answer, MissingHandle) and not name.startswith(_OF_PREFIXES)
    lifetime = conf.absence_lifetime() if absent else conf.answer_lifetime()
    return DatedAnswer(answer, answered_at, freshness.compute_freshness(answer, answered_at, lifetime), stored)


def build_dated_agency(
    answer: WhichRaAnswer, answered_at: datetime, *, stored: bool = False
) -> DatedAnswer[WhichRaAnswer]:
    """Return an answer of Which RA with its span of a day (P13), or of an hour if the name doesn't exist."""
    lifetime = conf.absence_lifetime() if answer.exists is False else conf.answer_lifetime()
    return DatedAnswer(answer, answered_at, FreshnessSpan(answered_at, answered_at + lifetime), stored)


def build_dated_metadata(
    answer: MetadataAnswer, answered_at: datetime, *, stored: bool = False
) -> DatedAnswer[MetadataAnswer]:
    """Return what an agency said about a work, with its span. A web page in its place counts for an hour: it may be one
    of a firewall."""
    page = isinstance(answer, NoMetadata) and answer.reason is NoMetadataReason.WEB_PAGE
    lifetime = WEB_PAGE_COUNTS if page else conf.metadata_lifetime()
    return DatedAnswer(answer, answered_at, FreshnessSpan(answered_at, answered_at + lifetime), stored)


def find_earliest_span(answers: Iterable[DatedAnswer[Any]]) -> FreshnessSpan | None:
    """Return the span of the answer that expires first; None if there is a failure, or no answer."""
    spans = [known.span for known in answers]
    known_spans = [span for span in spans if span is not None]
    return min(known_spans, key=lambda span: span.expires_at, default=None) if len(known_spans) == len(spans) else None

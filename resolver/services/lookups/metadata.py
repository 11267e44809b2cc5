"""The metadata of a DOI, for the pages of lookups and rows, for review, and for REST."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings

from doi_reading import fold
from resolver.domain.agencies.metadata_services import AGENCIES_BY_HOST
from resolver.domain.handle.answers import Failure, WhichRaAnswer
from resolver.domain.report.outcome import Outcome
from resolver.domain.work.metadata import MetadataAnswer, NoMetadata, WorkMetadata
from resolver.domain.work.row_work import RowWork, is_reference
from resolver.models import Lookup
from resolver.services.proxy_answers.cache import load_agencies
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.proxy_answers.fetch import fetch_metadata

UNREGISTERED = frozenset({Outcome.NOT_FOUND, Outcome.INVALID})


@dataclass(frozen=True, slots=True)
class DescribedWork:
    """The metadata of a name, or why there are none. `agency`: as Which RA names it, "" if it isn't known.
    `received_at`: when the answer came; None for a failure. `stored`: it had been stored before. `sample`: made up."""

    name: str
    answer: MetadataAnswer | Failure
    agency: str
    received_at: datetime | None
    stored: bool
    sample: bool

    @property
    def source(self) -> str:
        """The host that answered, or to which the DOI proxy redirects; "" for a failure."""
        return "" if isinstance(self.answer, Failure) else self.answer.source

    @property
    def work(self) -> WorkMetadata | None:
        """The metadata, if the agency gives any."""
        return self.answer if isinstance(self.answer, WorkMetadata) else None

    @property
    def nothing(self) -> NoMetadata | None:
        """Why the agency gives none."""
        return self.answer if isinstance(self.answer, NoMetadata) else None

    @property
    def failure(self) -> Failure | None:
        """Why there is no answer; this says nothing about the DOI."""
        return self.answer if isinstance(self.answer, Failure) else None

    @property
    def is_about_another(self) -> bool:
        """Whether the agency gives the metadata of another name, as for an alias."""
        return bool(self.work and self.work.doi) and fold(self.work.doi if self.work else "") != fold(self.name)


def describe_work(name: str, *, proxy: DoiProxy, now: datetime, fresh: bool = False) -> DescribedWork:
    """Return the metadata of the name, stored or requested now; `fresh`: requested now. The
    agency is the one whose service answers, or that of a stored answer of Which RA. Raises Paused."""
    known = fetch_metadata(name, proxy=proxy, now=now, fresh=fresh)
    source = "" if isinstance(known.answer, Failure) else known.answer.source
    agency = AGENCIES_BY_HOST.get(source, "")
    if not agency:
        found = load_agencies([name], proxy=proxy.base_url, now=now).get(fold(name))
        agency = (found.answer.ra or "") if found and isinstance(found.answer, WhichRaAnswer) else ""
    return DescribedWork(name, known.answer, agency, known.answered_at, known.stored, proxy.sample)


def find_described_work(lookup: Lookup) -> RowWork | None:
    """Return the work that the person describes in the lookup: its title and author, or a reference around the DOI.
    None if nothing is described, or if works may not be compared here. A text with several DOIs describes several."""
    if not settings.METADATA:
        return None
    if lookup.title.strip():
        return RowWork(title=lookup.title, authors=(lookup.author,) if lookup.author.strip() else ())
    is_one = lookup.form == "text" and not lookup.others
    return RowWork(text=lookup.input) if is_one and is_reference(lookup.input) else None


def list_names_of(lookup: Lookup) -> Iterator[str]:
    """Yield the lookup's names that are or may be registered: DOI, main DOI, suggestion, candidates, other DOIs."""
    if lookup.doi and lookup.outcome not in UNREGISTERED:
        yield lookup.doi
    if lookup.alias_of:
        yield lookup.alias_of
    if lookup.suggestion:
        yield lookup.suggestion["doi"]
    yield from (candidate["doi"] for candidate in lookup.candidates if candidate.get("exists"))
    yield from (other["doi"] for other in lookup.others if other["outcome"] not in UNREGISTERED)

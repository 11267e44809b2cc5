"""The works that a search found for a row: each judged by the comparison, and at most one of them suggested."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from doi_reading import Message, fold
from resolver.domain.work.comparison import PREPRINT_TYPES, compare_works
from resolver.domain.work.evidence import FieldStatus, WorkComparison, WorkVerdict
from resolver.domain.work.metadata import WorkMetadata
from resolver.domain.work.row_work import RowWork
from resolver.domain.work.search_query import LEAST_WORDS_OF_A_TITLE
from resolver.domain.work.words import split_words

MOST_OFFERED = 3
MOST_HITS = 20  # that are judged
OWN_SERVICE = "own-service"
"""The operator's own service, in place of the name of a public one."""
IDENTIFIER = "identifier"
"""In place of a service: another identifier of the row is a DOI by its registrant's rule."""
SERVICES = ("Crossref", "DataCite", "OpenAlex", OWN_SERVICE)
_ALIKE = (FieldStatus.EQUAL, FieldStatus.VARIANT)


class SearchStatus(StrEnum):
    """What a search came to, where no work was found."""

    NONE = "none"  # no service lists a work with this title and author
    TOO_LITTLE = "too-little"  # the row says too little to search for
    COULD_NOT_ASK = "could-not-ask"


FOUND_BY = (*SERVICES, IDENTIFIER, *map(str, SearchStatus))
"""What the search for a row can come to."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A work that the service `found_by` lists."""

    record: WorkMetadata
    found_by: str


@dataclass(frozen=True, slots=True)
class FoundWork:
    """An offered work: its DOI name, the service that lists it, and how the row compares with it. What an identifier in
    the row gave has IDENTIFIER in place of a service, and its `reason`; `comparison` is None."""

    doi: str
    found_by: str
    comparison: WorkComparison | None
    reason: Message | None = None

    @property
    def is_same(self) -> bool:
        """Whether the row describes this very work."""
        return self.comparison is not None and self.comparison.verdict is WorkVerdict.SAME


@dataclass(frozen=True, slots=True)
class SearchedWork:
    """What a search for one row came to. `works`: those offered, the best first, at most MOST_OFFERED. `suggested`: the
    DOI of the only one that can be suggested, or "". `services`: those that answered. `asked_at`: when the oldest
    answer came; None if nothing was asked. `failure`: why a service couldn't be asked. `unregistered`: works that were
    found, and whose DOIs aren't registered."""

    works: tuple[FoundWork, ...] = ()
    suggested: str = ""
    services: tuple[str, ...] = ()
    asked_at: datetime | None = None
    failure: Message | None = None
    too_little: bool = False
    unregistered: tuple[FoundWork, ...] = ()

    @property
    def found_by(self) -> str:
        """The service that lists the suggested work, else the first offered; or a word of SearchStatus."""
        if self.works:
            return next((work.found_by for work in self.works if work.doi == self.suggested), self.works[0].found_by)
        if self.too_little:
            return str(SearchStatus.TOO_LITTLE)
        return str(SearchStatus.COULD_NOT_ASK if self.failure else SearchStatus.NONE)


def choose_works(row: RowWork, hits: Sequence[Hit], *, without: str = "") -> tuple[tuple[FoundWork, ...], str]:
    """Return the works of the hits that may be offered for the row, the best first, and the DOI to suggest, or "".

    Offered are those of which the comparison says `same`, or `look` where the title is equal. Suggested is the only one
    that is the same by title and author, and by the year, the first page or the journal; none if another is `same` too,
    unless the row names the journal of one alone. A work in another journal than the row's is a review, an abstract or
    another version: it isn't suggested, unless the first page is the row's. `without`: the DOI of the row, which isn't
    offered again.
    """
    seen, found, proven = {fold(without)} if without else set(), [], []
    for hit in hits[:MOST_HITS]:
        key = fold(hit.record.doi)
        if not key or key in seen:
            continue
        seen.add(key)
        comparison = compare_works(row, hit.record)
        if _may_be_offered(comparison):
            found.append(FoundWork(hit.record.doi, hit.found_by, comparison))
            if found[-1].is_same and _is_proven(row, hit.record, comparison):
                proven.append(found[-1])
    same = [work for work in found if work.is_same]
    if len(same) > 1:
        of_journal = [work for work in same if _get_status(work.comparison, "container") in _ALIKE]
        proven = [work for work in of_journal if work in proven] if len(of_journal) == 1 else []
    suggested = proven[0].doi if len(proven) == 1 else ""
    found.sort(key=lambda work: (work.doi != suggested, not work.is_same))
    return tuple(found[:MOST_OFFERED]), suggested


def add_identified(searched: SearchedWork, identified: Sequence[FoundWork]) -> SearchedWork:
    """Return what was found with the works that other identifiers of the row name. The only one of these is suggested
    if the search found nothing else, or found it too, unless a person must look whether it is this work."""
    listed = {fold(work.doi) for work in searched.works}
    alone = identified[0].doi if len(identified) == 1 and _may_be_suggested(identified[0].comparison) else ""
    suggested = searched.suggested or (alone if not listed or fold(alone) in listed else "")
    works = [*searched.works, *(work for work in identified if fold(work.doi) not in listed)]
    works.sort(key=lambda work: fold(work.doi) != fold(suggested))
    return replace(searched, works=tuple(works[:MOST_OFFERED]), suggested=works[0].doi if suggested else "")


def _may_be_suggested(comparison: WorkComparison | None) -> bool:
    return comparison is None or comparison.verdict is not WorkVerdict.LOOK


def _may_be_offered(comparison: WorkComparison) -> bool:
    if comparison.verdict is WorkVerdict.SAME:
        return True
    return comparison.verdict is WorkVerdict.LOOK and _get_status(comparison, "title") is FieldStatus.EQUAL


def _is_proven(row: RowWork, record: WorkMetadata, comparison: WorkComparison) -> bool:
    """Return whether title and author, and one of year, first page and journal, are those of the row. A year within two
    is not enough, nor is the year beside a title of three words."""
    if not {_get_status(comparison, name) for name in ("title", "authors")} <= set(_ALIKE):
        return False
    container, page = (_get_status(comparison, name) for name in ("container", "first_page"))
    if container is FieldStatus.DIFFERS:
        return page in _ALIKE
    if record.type in PREPRINT_TYPES and container not in _ALIKE and (row.text or row.container or row.first_page):
        return False  # the row may mean the article
    if page in _ALIKE or container in _ALIKE:
        return True
    title = next(field.registered for field in comparison.fields if field.name == "title")
    return _get_status(comparison, "year") is FieldStatus.EQUAL and len(split_words(title)) >= LEAST_WORDS_OF_A_TITLE


def _get_status(comparison: WorkComparison | None, name: str) -> FieldStatus | None:
    fields = comparison.fields if comparison else ()
    return next((field.status for field in fields if field.name == name), None)

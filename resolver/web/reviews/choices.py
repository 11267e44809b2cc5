"""The DOIs that a row may get: what is proposed, and what else its cell or its hyperlink has."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from doi_reading import Message, encode, fold
from resolver.domain.handle.record import Record
from resolver.domain.redirect.web_host import find_host
from resolver.domain.report.correction import PERSONAL, Correction, find_row_proposal, is_plain
from resolver.domain.report.outcome import EXISTS, Outcome
from resolver.domain.report.row_task import NO_DOCUMENT
from resolver.domain.report.triage import GOOD
from resolver.domain.work.found_works import IDENTIFIER
from resolver.domain.work.metadata import MetadataAnswer, NoMetadata, WorkMetadata
from resolver.models import Row
from resolver.models.reports.search_evidence import read_found_works
from resolver.services.lookups.stored_results import list_row_choices
from resolver.web.lookups.name_diff import compare_names
from resolver.web.lookups.name_links import get_metadata_page_url
from resolver.web.wording.highlight import DiffPart, to_glyphs
from resolver.web.wording.labels import label_value
from resolver.web.wording.translate_message import translate_message
from resolver.web.wording.works import ShownComparison, show_found

KEEP = "keep"
"""What a form sends for the choice to leave the cell as it is."""
_MOST_USABLE, _MOST_OTHERS = 6, 2  # that are listed: a cell may have a thousand DOIs
_OPENS_ANOTHER_WORK = frozenset({*NO_DOCUMENT, "deleted", "from-link", "link-differs"})


class KnownNames(NamedTuple):
    """Stored answers by the folded name."""

    records: Mapping[str, Any]
    agencies: Mapping[str, Any]
    works: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class DoiChoice:
    """One DOI. `source`: where it comes from, in a word. `outcome`, `agency` and `urls` as far as they are known.
    `parts`: the name with what differs from the text. `is_cell`: whether the cell is this DOI and nothing else.
    `metadata`: what its agency says of the work, if that is stored. `comparison`: of the row with its work, if a search
    found it, and `reason`: what else in the row names it.
    """

    doi: str
    source: str
    outcome: str
    parts: Sequence[DiffPart]
    agency: str = ""
    urls: Sequence[str] = ()
    is_proposal: bool = False
    is_chosen: bool = False
    is_cell: bool = False
    metadata: MetadataAnswer | None = None
    comparison: ShownComparison | None = None
    reason: str = ""

    @property
    def link(self) -> str:
        """Its link."""
        return encode(self.doi)

    @property
    def metadata_page(self) -> str:
        """The page with its title and author."""
        return get_metadata_page_url(self.doi)

    @property
    def host(self) -> str:
        """The host of the first address; "" if none is known."""
        return find_host(self.urls[0]) if self.urls else ""

    @property
    def registered(self) -> bool:
        """Whether it is registered."""
        return self.outcome in EXISTS

    @property
    def state(self) -> Message:
        """What the check says of it."""
        return Outcome(self.outcome).word if self.outcome else Message("not checked")

    @property
    def without_address(self) -> bool:
        """Whether it is registered, and has no web address."""
        return self.outcome in (Outcome.NO_URL, Outcome.NO_VALUES)

    @property
    def may_have_title(self) -> bool:
        """Whether its agency may be requested to say what it stands for."""
        return self.outcome in GOOD

    @property
    def usable(self) -> bool:
        """Whether it can be accepted."""
        return self.is_proposal or self.may_have_title

    @property
    def work(self) -> WorkMetadata | None:
        """Title, author and year, as far as they are stored."""
        return self.metadata if isinstance(self.metadata, WorkMetadata) else None

    @property
    def nothing(self) -> NoMetadata | None:
        """Why its agency says nothing of the work, if that is stored."""
        return self.metadata if isinstance(self.metadata, NoMetadata) else None

    def complete(self, known: KnownNames, chosen: str) -> "DoiChoice":
        """Return it with what is stored of it, and whether it is the `chosen` one."""
        name = fold(self.doi)
        record, agency, work = (answers.get(name) for answers in known)
        urls = record.answer.urls if record and isinstance(record.answer, Record) else ()
        return replace(
            self,
            agency=self.agency or (agency and agency.answer.ra) or "",
            urls=self.urls or urls,
            metadata=work.answer if work else None,
            is_chosen=self.usable and bool(chosen) and fold(chosen.strip()) == name,
        )


def may_keep_cell(row: Row) -> bool:
    """Return whether a person may say that the cell is right as it is: its DOI works, and the cell has more than it."""
    is_reviewed = row.correction == Correction.REVIEW or row.decision in PERSONAL
    works = row.outcome == Outcome.RESOLVED and _OPENS_ANOTHER_WORK.isdisjoint(row.problem_codes)
    return is_reviewed and works and not is_plain(row.input, row.doi)


def list_choices(row: Row, linked: str) -> list[DoiChoice]:
    """Return the DOIs of a row, each once: the proposal, then what else is registered, then what is not. `linked`: the
    DOI that the hyperlink opens."""
    proposal = find_row_proposal(row)
    found: dict[str, DoiChoice] = {}
    for doi in [*([proposal] if proposal else []), *list_row_choices(row)[: _MOST_USABLE - 1]]:
        found[fold(doi)] = _build_choice(row, doi, linked, is_proposal=doi == proposal)
    left = [str(other["doi"]) for other in row.others if other["outcome"] not in GOOD]
    for doi in left[:_MOST_OTHERS]:
        found.setdefault(fold(doi), _build_choice(row, doi, linked, is_proposal=False))
    return list(found.values())


def _build_choice(row: Row, doi: str, linked: str, *, is_proposal: bool) -> DoiChoice:
    name = fold(doi)
    parts = _compare(row, doi) if is_proposal else (DiffPart("", to_glyphs(doi)),)
    of_row = row.outcome in EXISTS and name in (fold(row.doi), fold(row.alias_of))
    other = next((each for each in row.others if fold(each["doi"]) == name), None)
    choice = DoiChoice(doi, _name_source(row, name, linked), Outcome.REGISTERED, parts, is_proposal=is_proposal)
    if work := next((each for each in read_found_works(row.searched) if fold(each["doi"]) == name), None):
        return replace(
            choice,
            source=_name_finder(work["found_by"]),
            parts=(DiffPart("", to_glyphs(doi)),),
            comparison=show_found(work, row.searched["asked_at"], row.input),
            reason=translate_message(work["reason"]) if work["reason"] else "",
        )
    if of_row:
        is_cell = name == fold(row.doi) and is_plain(row.input, row.doi)
        return replace(choice, outcome=row.outcome, agency=row.ra, urls=row.urls, is_cell=is_cell)
    if other:
        return replace(choice, outcome=other["outcome"], agency=other["ra"] or "", urls=other["urls"])
    return choice


def _name_finder(found_by: str) -> str:
    if found_by == IDENTIFIER:
        return _("From another column")
    return _("Found by title at %(service)s") % {"service": label_value("found_by", found_by)}


def _compare(row: Row, doi: str) -> Sequence[DiffPart]:
    """The DOI with what the text or the name in it doesn't have. What only the text has is marked there."""
    difference = compare_names(row.doi or row.input[max(row.input.find("10."), 0) :].strip(), doi)
    parts = difference.parts if difference else (DiffPart("", to_glyphs(doi)),)
    return [part for part in parts if part.kind != "del"]


def _name_source(row: Row, name: str, linked: str) -> str:
    if row.suggestion and name == fold(row.suggestion):
        return _("Guess") if row.doubtful else _("Suggestion")
    if row.outcome in EXISTS and name == fold(row.doi):
        return _("From the hyperlink") if "from-link" in row.problem_codes else _("In the cell")
    if linked and name == fold(linked):
        return _("From the hyperlink")
    if row.alias_of and name == fold(row.alias_of):
        return _("Main DOI")
    if any(name == fold(other["doi"]) for other in row.others):
        return _("Also in the cell")
    return _("Guess") if row.outcome not in EXISTS else _("Another reading")

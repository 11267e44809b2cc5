"""Does a DOI stand for the work that a row describes? The row's words beside the record's, without any I/O.

Three verdicts besides "can't tell": whoever may only say yes or no loses right rows or passes wrong ones. No field
decides alone, and the record can be wrong as well as the row.
"""

from collections.abc import Iterator, Sequence

from doi_reading import Message
from resolver.domain.work.authors import AuthorsMatch, compare_authors
from resolver.domain.work.containers import compare_containers
from resolver.domain.work.evidence import (
    GENERIC_TITLE,
    FieldEvidence,
    FieldStatus,
    WorkComparison,
    WorkReason,
    WorkReasonGiven,
    WorkVerdict,
)
from resolver.domain.work.free_text import compare_free_text
from resolver.domain.work.metadata import YEAR, WorkMetadata
from resolver.domain.work.row_work import RowWork
from resolver.domain.work.titles import TitleMatch, compare_titles, find_other_words
from resolver.domain.work.words import split_words

MOST_SHOWN = 10  # authors of the record
MOST_YEARS_BETWEEN = 2  # of a work and its record: online, in print, as a preprint

_ALIKE = (FieldStatus.EQUAL, FieldStatus.VARIANT)
_WHOLE_TYPES = frozenset("book collection edited-book journal journal-issue journal-volume monograph proceedings "
                         "reference-book report-series book-series proceedings-series".split())  # fmt: skip
_DATA_TYPES = frozenset({"dataset", "software"})
_VERSIONS = frozenset(
    {"has-version", "is-version-of", "is-new-version-of", "is-previous-version-of", "is-identical-to"}
)
_PREPRINTS = frozenset({"is-preprint-of", "has-preprint"})
_TRANSLATIONS = frozenset({"is-translation-of", "has-translation"})
PREPRINT_TYPES = frozenset({"posted-content", "preprint"})
_VERSION_WORDS = frozenset("data dataset v version v1 v2 v3 v4 v5".split())


def compare_works(row: RowWork, record: WorkMetadata | None) -> WorkComparison:
    """Return whether the record describes the row's work, with the evidence. `record`: None where the agency gives
    nothing to compare with."""
    has_title = bool(split_words(row.title))
    if not (has_title or row.text.strip()):
        return WorkComparison(WorkVerdict.CANNOT_TELL, (explain_reason(WorkReason.NO_COLUMNS),))
    if record is None or not (record.titles or record.title):
        return WorkComparison(WorkVerdict.CANNOT_TELL, (explain_reason(WorkReason.NO_METADATA),))
    if not has_title:
        return compare_free_text(row, record)
    title = compare_titles(row.title, record.titles or (record.title,))
    authors = compare_authors(row.authors, record.people)
    fields = tuple(_list_fields(row, record, title, authors))
    status = {field.name: field.status for field in fields}
    verdict, reasons = _judge(row, record, title, authors, status)
    return WorkComparison(verdict, tuple(explain_reason(reason, fields) for reason in reasons), fields)


def _list_fields(
    row: RowWork, record: WorkMetadata, title: TitleMatch, authors: AuthorsMatch
) -> Iterator[FieldEvidence]:
    yield FieldEvidence("title", row.title, title.registered, title.status)
    people = "; ".join([str(person) for person in record.people[:MOST_SHOWN]])
    people += "; …" if len(record.people) > MOST_SHOWN else ""
    yield FieldEvidence("authors", "; ".join(row.authors), people, authors.status)
    years = ", ".join(map(str, record.years))
    yield FieldEvidence("year", row.year, years, _compare_years(row.year, record.years))
    registered = record.containers[0] if record.containers else record.container
    yield FieldEvidence("container", row.container, registered, compare_containers(row.container, record.containers))
    for name, mine, theirs in (
        ("volume", row.volume, record.volume),
        ("first_page", row.first_page, record.first_page),
    ):
        if mine or theirs:
            yield FieldEvidence(name, mine, theirs, _compare_numbers(mine, theirs))


def _judge(
    row: RowWork, record: WorkMetadata, title: TitleMatch, authors: AuthorsMatch, status: dict[str, FieldStatus]
) -> tuple[WorkVerdict, list[WorkReason]]:
    alike = title.status in _ALIKE
    year, container = status["year"], status["container"]
    elsewhere = FieldStatus.DIFFERS in (year, container)
    if alike and authors.half and year is not FieldStatus.DIFFERS:
        if title.is_generic and not _confirms(authors, status):
            return WorkVerdict.CANNOT_TELL, [WorkReason.GENERIC_TITLE]
        return WorkVerdict.SAME, list(_find_relations(record)) if container is FieldStatus.DIFFERS else []
    if alike and authors.half and (relations := list(_find_relations(record))):
        return WorkVerdict.SAME, relations
    if title.is_generic:
        return WorkVerdict.CANNOT_TELL, [WorkReason.GENERIC_TITLE]
    if title.status is FieldStatus.CANNOT_COMPARE:
        return WorkVerdict.CANNOT_TELL, [WorkReason.OTHER_SCRIPT]
    if not alike and _is_of_the_whole(row, record):
        return WorkVerdict.CANNOT_TELL, [WorkReason.CONTAINER_DOI]
    if not alike and record.type in _DATA_TYPES and _differ_by_version(row.title, title.registered):
        return WorkVerdict.CANNOT_TELL, [WorkReason.DATASET_VERSION]
    apart = authors.comparable and not authors.shares_surname
    unlike = title.share * 2 < 1 and not title.nearly
    if not alike and apart and (unlike or elsewhere):
        return WorkVerdict.DIFFERENT, list(_find_reasons(title, authors, status))
    translated = [WorkReason.TRANSLATION] if not alike and _TRANSLATIONS & set(record.relations) else []
    return WorkVerdict.LOOK, translated + list(_find_reasons(title, authors, status))


def _find_reasons(title: TitleMatch, authors: AuthorsMatch, status: dict[str, FieldStatus]) -> Iterator[WorkReason]:
    """Yield what differs, the most telling first."""
    if title.status not in _ALIKE:
        if title.nearly or title.lacks_subtitle:
            yield WorkReason.TITLE_NEARLY if title.nearly else WorkReason.NO_SUBTITLE
        else:
            yield WorkReason.TITLE_DIFFERS if title.share * 2 >= 1 else WorkReason.OTHER_TITLE
    if authors.comparable and not authors.half:
        yield WorkReason.OTHER_AUTHORS
    elif not authors.half:
        yield WorkReason.NO_AUTHORS
    if status["year"] is FieldStatus.DIFFERS:
        yield WorkReason.OTHER_YEAR
    if status["container"] is FieldStatus.DIFFERS:
        yield WorkReason.OTHER_CONTAINER


def _find_relations(record: WorkMetadata) -> Iterator[WorkReason]:
    """Yield why a year or a journal may differ although it is the same work."""
    relations = set(record.relations)
    if relations & _PREPRINTS or record.type in PREPRINT_TYPES:
        yield WorkReason.PREPRINT
    if relations & _VERSIONS:
        yield WorkReason.VERSION


def _confirms(authors: AuthorsMatch, status: dict[str, FieldStatus]) -> bool:
    """Whether a title such as "Editorial" is told apart by an author and a year, a journal or a page."""
    others = (status["year"], status["container"], status.get("first_page"))
    return authors.comparable and authors.half and any(other in _ALIKE for other in others)


def _compare_years(text: str, years: Sequence[int]) -> FieldStatus:
    mine = [int(year) for year in YEAR.findall(text[:100])]
    if not mine or not years:
        return FieldStatus.ABSENT
    between = min(abs(year - other) for year in mine for other in years)
    if between == 0:
        return FieldStatus.EQUAL
    return FieldStatus.VARIANT if between <= MOST_YEARS_BETWEEN else FieldStatus.DIFFERS


def _compare_numbers(mine: str, theirs: str) -> FieldStatus:
    if not mine or not theirs:
        return FieldStatus.ABSENT
    return FieldStatus.EQUAL if split_words(mine) == split_words(theirs) else FieldStatus.DIFFERS


def _is_of_the_whole(row: RowWork, record: WorkMetadata) -> bool:
    """Whether the record is that of the book or journal in which the row's work stands, or of one of its chapters."""
    if row.container and record.type in _WHOLE_TYPES:
        return compare_titles(row.container, record.titles or (record.title,)).status in _ALIKE
    return bool(record.containers) and compare_titles(row.title, record.containers).status in _ALIKE


def _differ_by_version(title: str, registered: str) -> bool:
    mine, theirs = split_words(title), split_words(registered)
    other = {word for word in set(mine) ^ set(theirs) if not word.isdigit()}
    return bool(mine and theirs) and other <= _VERSION_WORDS and len(set(mine) & set(theirs)) >= 2


_SENTENCES = {
    WorkReason.NO_METADATA: Message("The agency gives no title for this DOI."),
    WorkReason.NO_COLUMNS: Message("Your row has no title to compare."),
    WorkReason.GENERIC_TITLE: GENERIC_TITLE.sentence,
    WorkReason.CONTAINER_DOI: Message("One is the whole book or journal, the other a part of it."),
    WorkReason.OTHER_SCRIPT: Message("The record has the title in another script."),
    WorkReason.DATASET_VERSION: Message("The titles name two versions or parts of the same data."),
    WorkReason.OTHER_AUTHORS: Message("The record names other authors."),
    WorkReason.NO_AUTHORS: Message("The record names no authors."),
    WorkReason.OTHER_CONTAINER: Message("The record names another journal or book."),
    WorkReason.PREPRINT: Message("A preprint and the published version count as the same work."),
    WorkReason.VERSION: Message("Versions of a work count as the same work."),
    WorkReason.TRANSLATION: Message("One may be a translation of the other."),
    WorkReason.TITLE_NEARLY: Message("The titles differ only by a small word or a plural."),
    WorkReason.NO_SUBTITLE: Message("Only one of the titles has a subtitle."),
    WorkReason.OTHER_TITLE: Message("The record has another title."),
    WorkReason.TITLE_DIFFERS: Message("The titles differ in a word or more."),
    WorkReason.OTHER_YEAR: Message("The record has another year."),
}


def explain_reason(reason: WorkReason, fields: Sequence[FieldEvidence] = ()) -> WorkReasonGiven:
    """Return the reason with its sentence, which quotes the fields where they say more."""
    both = {field.name: (field.row, field.registered) for field in fields}
    if reason is WorkReason.OTHER_YEAR and "year" in both:
        mine, registered = both["year"]
        years = ", ".join(YEAR.findall(mine[:100]))
        sentence = Message("{year} in your row, {registered} in the record.", year=years, registered=registered)
    elif reason is WorkReason.TITLE_DIFFERS and "title" in both:
        sentence = Message("The titles differ in: {words}.", words=", ".join(find_other_words(*both["title"])))
    else:
        sentence = _SENTENCES[reason]
    return WorkReasonGiven(reason, sentence)

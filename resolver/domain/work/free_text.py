"""A whole reference in one cell: the record's title, first surname and year are looked for in it, then its journal
and first page."""

from collections.abc import Iterator, Sequence

from doi_reading import Message
from resolver.domain.work.authors import Person
from resolver.domain.work.containers import find_container
from resolver.domain.work.evidence import (
    GENERIC_TITLE,
    FieldEvidence,
    FieldStatus,
    WorkComparison,
    WorkReason,
    WorkReasonGiven,
    WorkVerdict,
)
from resolver.domain.work.metadata import YEAR, WorkMetadata
from resolver.domain.work.row_work import RowWork
from resolver.domain.work.titles import is_generic_title
from resolver.domain.work.titles_in_text import find_title, read_reference
from resolver.domain.work.words import split_words

_ORDER = (FieldStatus.EQUAL, FieldStatus.VARIANT, FieldStatus.DIFFERS)


def compare_free_text(row: RowWork, record: WorkMetadata) -> WorkComparison:
    """Return whether the text of the row is a reference to the record's work: all words of a registered title in their
    order, then the first author's surname, then a year. The journal and the first page are looked for behind the title;
    they are evidence, and don't change the verdict."""
    text = read_reference(row.text)
    titles = record.titles or (record.title,)
    names = frozenset(word for person in record.people for word in split_words(f"{person.family} {person.given}"))
    found = [find_title(title, text, names, record.containers) for title in titles]
    best, place = min(zip(titles, found, strict=True), key=lambda pair: _ORDER.index(pair[1].status))
    status = place.status
    author = _find_surname(record.people[:1], text.words)
    others = author if author is not FieldStatus.DIFFERS else _find_surname(record.people[1:], text.words)
    year = FieldStatus.ABSENT
    if record.years:
        near = {year + step for year in record.years for step in (-1, 0, 1)}
        year = FieldStatus.EQUAL if near & set(map(int, YEAR.findall(row.text))) else FieldStatus.DIFFERS
    first = str(record.people[0]) if record.people else ""
    fields = [
        FieldEvidence("title", row.text, best, status),
        FieldEvidence("authors", row.text, first, author),
        FieldEvidence("year", row.text, ", ".join(map(str, record.years)), year),
    ]
    if status is not FieldStatus.DIFFERS:
        fields += _find_place(row.text, place.rest, record)
    generic, words = is_generic_title(best), _share(best, text.words)
    verdict, reasons = _judge(status, author, others, year, generic=generic, words=words)
    return WorkComparison(verdict, tuple(reasons), tuple(fields))


def _find_place(text: str, rest: Sequence[str], record: WorkMetadata) -> Iterator[FieldEvidence]:
    """Yield whether the words behind the title name the registered journal and first page."""
    if record.containers:
        yield FieldEvidence("container", text, record.containers[0], find_container(rest, record.containers))
    if record.first_page:
        there = set(split_words(record.first_page)) <= set(rest)
        yield FieldEvidence("first_page", text, record.first_page, FieldStatus.EQUAL if there else FieldStatus.DIFFERS)


def _judge(
    title: FieldStatus, author: FieldStatus, others: FieldStatus, year: FieldStatus, *, generic: bool, words: float
) -> tuple[WorkVerdict, list[WorkReasonGiven]]:
    absent = FieldStatus.DIFFERS
    if title is absent:
        reasons = [WorkReason.OTHER_TITLE, *([WorkReason.OTHER_AUTHORS] if author is absent else [])]
        gone = others is absent and (words * 2 < 1 or year is absent)
        return (WorkVerdict.DIFFERENT if gone else WorkVerdict.LOOK), list(map(explain_reason_of_text, reasons))
    if generic and (author is not FieldStatus.EQUAL or year is not FieldStatus.EQUAL):
        return WorkVerdict.CANNOT_TELL, [GENERIC_TITLE]
    if author is absent:
        return WorkVerdict.LOOK, [explain_reason_of_text(WorkReason.OTHER_AUTHORS)]
    if year is absent:
        return WorkVerdict.LOOK, [explain_reason_of_text(WorkReason.OTHER_YEAR)]
    return WorkVerdict.SAME, []


_SENTENCES = {
    WorkReason.OTHER_TITLE: Message("The registered title isn't in your text."),
    WorkReason.OTHER_AUTHORS: Message("The first registered author isn't in your text."),
    WorkReason.OTHER_YEAR: Message("The registered year isn't in your text."),
    WorkReason.GENERIC_TITLE: GENERIC_TITLE.sentence,
}


def explain_reason_of_text(reason: WorkReason) -> WorkReasonGiven:
    """Return one of the reasons of `compare_free_text` with its sentence."""
    return WorkReasonGiven(reason, _SENTENCES[reason])


def _find_surname(people: Sequence[Person], text: Sequence[str]) -> FieldStatus:
    if not people:
        return FieldStatus.ABSENT
    named = any(set(split_words(person.family)[-1:]) & set(text) for person in people)
    return FieldStatus.EQUAL if named else FieldStatus.DIFFERS


def _share(title: str, text: Sequence[str]) -> float:
    words = set(split_words(title))
    return len(words & set(text)) / len(words) if words else 0.0

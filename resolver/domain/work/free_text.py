"""A whole reference in one cell: the record's title, first surname and year are looked for in it."""

from collections.abc import Sequence

from doi_reading import Message
from resolver.domain.work.authors import Person
from resolver.domain.work.evidence import (
    GENERIC_TITLE,
    FieldEvidence,
    FieldStatus,
    WorkComparison,
    WorkReason,
    WorkReasonGiven,
    WorkVerdict,
)
from resolver.domain.work.metadata import WorkMetadata
from resolver.domain.work.row_work import RowWork
from resolver.domain.work.spelling import spell_alike
from resolver.domain.work.titles import LEAST_SHARED_LETTERS, LEAST_SHARED_WORDS, find_heads, is_generic_title
from resolver.domain.work.words import split_words


def compare_free_text(row: RowWork, record: WorkMetadata) -> WorkComparison:
    """Return whether the text of the row is a reference to the record's work: all words of a registered title in their
    order, then the first author's surname, then a year."""
    text = split_words(row.text)
    letters, spelt = "".join(text), "".join(map(spell_alike, text))
    titles = record.titles or (record.title,)
    found = [_find_title(title, letters, spelt) for title in titles]
    status = FieldStatus.EQUAL if FieldStatus.EQUAL in found else FieldStatus.VARIANT
    best = next((title for title, each in zip(titles, found, strict=True) if each is status), "")
    if not best:
        best, status = titles[0], FieldStatus.DIFFERS
    author = _find_surname(record.people[:1], text)
    others = author if author is not FieldStatus.DIFFERS else _find_surname(record.people[1:], text)
    year = FieldStatus.ABSENT
    if record.years:
        near = {str(year + step) for year in record.years for step in (-1, 0, 1)}
        year = FieldStatus.EQUAL if near & set(text) else FieldStatus.DIFFERS
    first = str(record.people[0]) if record.people else ""
    fields = (
        FieldEvidence("title", row.text, best, status),
        FieldEvidence("authors", row.text, first, author),
        FieldEvidence("year", row.text, ", ".join(map(str, record.years)), year),
    )
    verdict, reasons = _judge(status, author, others, year, generic=is_generic_title(best), words=_share(best, text))
    return WorkComparison(verdict, tuple(reasons), fields)


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


def _find_title(title: str, letters: str, spelt: str) -> FieldStatus:
    """Return how the text has the title, with or without its subtitle."""
    for part in (title, *(head for head, _ in find_heads(title))):
        words = split_words(part)
        joined = "".join(words)
        if part is not title and len(words) < LEAST_SHARED_WORDS and len(joined) < LEAST_SHARED_LETTERS:
            continue
        if joined and joined in letters:
            return FieldStatus.EQUAL
        if joined and "".join(map(spell_alike, words)) in spelt:
            return FieldStatus.VARIANT
    return FieldStatus.DIFFERS


def _find_surname(people: Sequence[Person], text: Sequence[str]) -> FieldStatus:
    if not people:
        return FieldStatus.ABSENT
    named = any(set(split_words(person.family)[-1:]) & set(text) for person in people)
    return FieldStatus.EQUAL if named else FieldStatus.DIFFERS


def _share(title: str, text: Sequence[str]) -> float:
    words = set(split_words(title))
    return len(words & set(text)) / len(words) if words else 0.0

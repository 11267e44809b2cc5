"""The words of a comparison of works: what its verdict says to a person, and both sides, field by field."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

from django.utils.translation import gettext_lazy

from doi_reading.message import decode_message
from resolver.domain.work.comparison import explain_reason
from resolver.domain.work.evidence import FieldEvidence, FieldStatus, WorkComparison, WorkReason, WorkVerdict
from resolver.domain.work.free_text import explain_reason_of_text
from resolver.domain.work.titles import ComparedPiece, mark_other_words
from resolver.web.wording.tone_signs import Toned
from resolver.web.wording.translate_message import translate_message

# Lazy texts are used like texts here: the tables are made at import.
_ = cast("Callable[[str], str]", gettext_lazy)


@dataclass(frozen=True, slots=True)
class VerdictWords(Toned):
    """The sentence of a verdict."""

    sentence: str
    tone: str


VERDICT_WORDS: Mapping[WorkVerdict, VerdictWords] = {
    WorkVerdict.SAME: VerdictWords(_("It is the right work."), "good"),
    WorkVerdict.DIFFERENT: VerdictWords(_("The record says that this DOI stands for another work."), "bad"),
    WorkVerdict.LOOK: VerdictWords(_("It may be another work. Compare both sides."), "warn"),
    WorkVerdict.CANNOT_TELL: VerdictWords(_("We can’t tell whether it is the right work."), "unknown"),
}
_FOUND = VerdictWords(_("The registered title and author are those of your row."), "good")
FIELD_WORDS: Mapping[str, str] = {
    "title": _("Title"),
    "authors": _("Authors"),
    "year": _("Year"),
    "container": _("Published in"),
    "volume": _("Volume"),
    "first_page": _("First page"),
}
STATUS_WORDS: Mapping[FieldStatus, str] = {
    FieldStatus.EQUAL: _("same"),
    FieldStatus.VARIANT: _("similar"),
    FieldStatus.DIFFERS: _("different"),
    FieldStatus.ABSENT: _("not compared"),
    FieldStatus.CANNOT_COMPARE: _("not compared"),
}
_IN_TEXT: Mapping[FieldStatus, str] = {
    FieldStatus.EQUAL: _("in your text"),
    FieldStatus.VARIANT: _("in your text, spelt differently"),
    FieldStatus.DIFFERS: _("not in your text"),
    FieldStatus.ABSENT: _("not compared"),
}


@dataclass(frozen=True, slots=True)
class Side:
    """One field of both sides: `row` and `registered` in pieces, those that differ marked; none where a side has
    nothing. `says`: how they compare."""

    code: str
    label: str
    row: Sequence[ComparedPiece]
    registered: Sequence[ComparedPiece]
    status: FieldStatus
    says: str


@dataclass(frozen=True, slots=True)
class ShownComparison:
    """A comparison for the template `works/_comparison.html`. `reference`: the whole text, if it was compared in place
    of fields; then the sides have only what is registered. `agency`: who gave the record, `received_on` that day; ""
    where a page says it elsewhere."""

    verdict: WorkVerdict
    words: VerdictWords
    reasons: Sequence[str]
    sides: Sequence[Side]
    reference: str = ""
    agency: str = ""
    received_on: str = ""


def show_comparison(compared: WorkComparison, reference: str = "") -> ShownComparison:
    """Return the comparison in the reader's words. `reference`: the text, if it was compared as a whole."""
    return ShownComparison(
        compared.verdict,
        VERDICT_WORDS[compared.verdict],
        [translate_message(reason.sentence) for reason in compared.reasons],
        draw_sides(compared.fields, is_reference=bool(reference)),
        reference,
    )


def show_stored(verdict: str, evidence: Mapping[str, Any] | None, text: str) -> ShownComparison | None:
    """Return the comparison of a row (`work`, `work_evidence` and its `input`) in the reader's words; None where there
    is none."""
    if verdict not in set(WorkVerdict) or evidence is None:
        return None
    fields = tuple(FieldEvidence(**{**each, "status": FieldStatus(each["status"])}) for each in evidence["fields"])
    codes = [WorkReason(code) for code in evidence["reasons"]]
    is_whole = len(fields) > 1 and {field.row for field in fields} == {text}
    explain = explain_reason_of_text if is_whole else partial(explain_reason, fields=fields)
    compared = WorkComparison(WorkVerdict(verdict), tuple(map(explain, codes)), fields)
    shown = show_comparison(compared, text if is_whole else "")
    return replace(shown, agency=evidence["agency"], received_on=(evidence["received_at"] or "")[:10])


def show_found(work: Mapping[str, Any], asked_at: str | None, text: str) -> ShownComparison | None:
    """Return how a row (its `input` is the text) compares with a work that a search found, an element of
    `searched["works"]`, in the reader's words; None for one that an identifier names."""
    evidence = {**work, "agency": work["found_by"], "received_at": asked_at}
    shown = show_stored(work["verdict"] or "", evidence, text)
    if shown is None or shown.verdict is not WorkVerdict.SAME:
        return shown
    return replace(shown, words=_FOUND)


def describe_stored_search(row: Any) -> str:
    """Return the sentence of a row about a search that found nothing, or not everywhere; "" for none."""
    return translate_message(decode_message((row.searched or {}).get("sentence", "")))


def draw_sides(fields: Sequence[FieldEvidence], *, is_reference: bool = False) -> list[Side]:
    """Return the fields of which a side has something."""
    return [_draw_side(field, is_reference) for field in fields if field.row or field.registered]


def _draw_side(field: FieldEvidence, is_reference: bool) -> Side:
    if is_reference:
        row, registered = [], [ComparedPiece(field.registered)] if field.registered else []
    else:
        row, registered = _mark(field, field.row, field.registered), _mark(field, field.registered, field.row)
    says = (_IN_TEXT if is_reference else STATUS_WORDS)[field.status]
    return Side(field.name, FIELD_WORDS[field.name], row, registered, field.status, says)


def _mark(field: FieldEvidence, text: str, other: str) -> list[ComparedPiece]:
    """Mark what differs. Names aren't marked word by word: *A.* may be *Anna*."""
    if not text or field.status is not FieldStatus.DIFFERS or field.name == "authors":
        return [ComparedPiece(text)] if text else []
    if field.name in ("title", "container"):
        return mark_other_words(text, other)
    return [ComparedPiece(text, differs=True)]

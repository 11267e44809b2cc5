"""What is wrong with a row, in one sentence for whoever supplied the file, and the DOI that we found."""

from collections.abc import Collection, Mapping
from typing import Protocol

from doi_reading import Message
from resolver.domain.redirect.destination import ITSELF, MISSING, PLACEHOLDER, PRIVATE, UNUSABLE
from resolver.domain.report.correction import CorrectableRow, Correction, find_row_proposal
from resolver.domain.report.outcome import EXISTS, Outcome
from resolver.domain.report.row_task import ASK_FOR_WORK
from resolver.domain.report.triage import DELETED, EMPTY


class ReturnedRow(CorrectableRow, Protocol):
    """A row, as far as it tells what its source should do."""

    @property
    def part(self) -> int:
        """Its number among the DOIs of a cell; 0 where each cell is one row."""


_OF_RECORD: Mapping[str, Message] = {
    DELETED: Message("This DOI is deleted: its link opens no document. Please send the right one, or restore it."),
    ITSELF: Message("This DOI leads back to itself. Please correct the web address in its record."),
    "alias-loop": Message(
        "This DOI is part of a loop of aliases, so its link ends in an error. Please correct its record."
    ),
    MISSING: Message(
        "The web address in the record of this DOI is a DOI that isn't registered. Please correct the record."
    ),
    PRIVATE: Message("This DOI leads into a private network. Please correct the web address in its record."),
    UNUSABLE: Message("The web address in the record of this DOI can't be opened. Please correct it."),
    PLACEHOLDER: Message("The web address in the record of this DOI is a placeholder. Please put in the right one."),
    "unsafe-url": Message("The address in the record of this DOI isn't a web address. Please correct it."),
}
_OF_REGISTERED: Mapping[str, Message] = {
    Outcome.NO_URL: Message("This DOI is registered, but its record has no web address. Please add it."),
    Outcome.NO_VALUES: Message("This DOI is registered, but its record is empty. Please complete it."),
}
_OF_TEXT: Mapping[str, Message] = {
    EMPTY: Message("There is no DOI here. Please send it, if the work has one."),
    "no-doi": Message("This isn't a DOI. Please send the DOI, if the work has one."),
    "missing-suffix": Message("This is only the beginning of a DOI. Please send the whole DOI."),
    "short-doi": Message("This is a shortDOI. Please send the DOI that it stands for."),
}
_REFUSED = Message("This DOI is registered, but it doesn't seem to be the DOI of this work. Please check it.")
_ANOTHER_WORK = Message("This DOI stands for another work. Please send the right one.")
_NOT_REGISTERED = Message("This DOI isn't registered. Please send the right one, or register it.")
_INVALID = Message("This isn't a valid DOI. Please send the right one.")
_UNKNOWN = Message("This DOI isn't the right one. Please send the right one.")


def build_source_sentence(row: ReturnedRow) -> Message:
    """Return the sentence about a row of the task `back`. If its cell has several DOIs, it begins with the DOI."""
    sentence = _choose_sentence(row)
    return Message("{doi}: {sentence}", doi=row.doi, sentence=sentence) if row.part and row.doi else sentence


def _choose_sentence(row: ReturnedRow) -> Message:
    codes = row.problem_codes
    if row.decision == Correction.REJECTED and not set(ASK_FOR_WORK).isdisjoint(codes):
        return _ANOTHER_WORK
    if row.outcome in EXISTS:
        fault = _find_first(_OF_RECORD, codes) or _OF_REGISTERED.get(row.outcome)
        return fault or (_REFUSED if row.decision == Correction.REJECTED else _UNKNOWN)
    if row.outcome == Outcome.NOT_FOUND:
        return _NOT_REGISTERED
    if row.outcome == Outcome.INVALID:
        return _find_first(_OF_TEXT, codes) or _INVALID
    return _UNKNOWN


def _find_first(sentences: Mapping[str, Message], codes: Collection[str]) -> Message | None:
    return next((sentence for code, sentence in sentences.items() if code in codes), None)


def find_source_doi(row: CorrectableRow) -> str:
    """Return the registered DOI that was probably meant, or the one whose record is at fault; "" for none, and for one
    that a person refused."""
    return "" if row.decision == Correction.REJECTED else find_row_proposal(row)

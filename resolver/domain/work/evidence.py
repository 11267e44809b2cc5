"""What a comparison says: a verdict, its reasons, and for each field both values and how they compare."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from doi_reading import Message
from resolver.domain.work.events import WorkEvent


class FieldStatus(StrEnum):
    """How a field of the row compares with the record's."""

    EQUAL = "equal"
    VARIANT = "variant"  # in another spelling or form
    DIFFERS = "differs"
    ABSENT = "absent"  # on one side or both
    CANNOT_COMPARE = "cannot-compare"


class WorkVerdict(StrEnum):
    """Whether a DOI stands for the work that a row describes."""

    SAME = "same"
    DIFFERENT = "different"
    LOOK = "look"  # a person has to look
    CANNOT_TELL = "cannot-tell"


COULD_NOT_ASK = "could-not-ask"
"""In place of a verdict: the agency gave no answer."""


VERDICTS = (*map(str, WorkVerdict), COULD_NOT_ASK)


class WorkReason(StrEnum):
    """Why the verdict is as it is. Those of `cannot-tell` come first."""

    NO_METADATA = "no-metadata"
    NO_COLUMNS = "no-columns"
    GENERIC_TITLE = "generic-title"
    CONTAINER_DOI = "container-doi"
    OTHER_SCRIPT = "other-script"
    DATASET_VERSION = "dataset-version"
    OTHER_TITLE = "other-title"
    TITLE_DIFFERS = "title-differs"
    TITLE_NEARLY = "title-nearly"
    NO_SUBTITLE = "no-subtitle"
    OTHER_AUTHORS = "other-authors"
    NO_AUTHORS = "no-authors"
    OTHER_YEAR = "other-year"
    OTHER_CONTAINER = "other-container"
    PREPRINT = "preprint"
    VERSION = "version"
    TRANSLATION = "translation"


class FieldEvidence(NamedTuple):
    """One field: its `name` (title, authors, year, container, volume, first_page), what the row and the record have
    ("" for nothing), and how they compare."""

    name: str
    row: str
    registered: str
    status: FieldStatus


class WorkReasonGiven(NamedTuple):
    """A reason with its sentence for people."""

    code: WorkReason
    sentence: Message


GENERIC_TITLE = WorkReasonGiven(
    WorkReason.GENERIC_TITLE, Message("Many works have this title, and nothing else tells them apart.")
)


class WorkComparison(NamedTuple):
    """The verdict about one row and one record. `reasons`: the most telling first; none where all that the row has is
    as registered."""

    verdict: WorkVerdict
    reasons: tuple[WorkReasonGiven, ...] = ()
    fields: tuple[FieldEvidence, ...] = ()


@dataclass(frozen=True, slots=True)
class ComparedWork:
    """A comparison, the Registration Agency that gave the record, and when. `comparison`: None if the agency couldn't
    be asked. `events`: what the record says of retractions and corrections."""

    comparison: WorkComparison | None
    agency: str = ""
    received_at: datetime | None = None
    events: tuple[WorkEvent, ...] = ()

    @property
    def verdict(self) -> str:
        """The verdict, or that the agency couldn't be asked."""
        return str(self.comparison.verdict) if self.comparison else COULD_NOT_ASK

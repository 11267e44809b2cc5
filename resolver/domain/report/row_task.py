"""The tasks of a list: what a person does next with which rows. A row may belong to several, and leaves those that ask
for something when it is decided."""

from collections.abc import Collection, Mapping, MutableMapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from doi_reading import Message
from resolver.domain.report.correction import (
    COMPARE_WORK,
    FOUND,
    OTHER_WORK,
    Correction,
)
from resolver.domain.report.outcome import COULD_NOT_ASK, EXISTS, NOT_CHECKED, Outcome
from resolver.domain.report.target import Target
from resolver.domain.report.triage import EMPTY, LEADS_NOWHERE
from resolver.domain.work.evidence import COULD_NOT_ASK as WORK_UNASKED
from resolver.domain.work.found_works import SearchStatus


class RowTask(StrEnum):
    """The code of a task."""

    CORRECTED = "corrected"
    DECIDE = "decide"
    ELSEWHERE = "elsewhere"
    OTHER_WORK = "other-work"
    COMPARE = "compare"
    BACK = "back"
    UNCHECKED = "unchecked"
    READY = "ready"


@dataclass(frozen=True, slots=True)
class TaskPart:
    """Checked rows with one of these corrections, and one of the `outcomes` if there are any; with one of the
    `problems`, and with none of `not_problems`; with this class of the `address`, or with any but `not_address`; whose
    work couldn't be asked for (`work_unasked`) or searched for (`search_unasked`), or not these. An empty condition is
    none."""

    corrections: tuple[str, ...]
    outcomes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    not_problems: tuple[str, ...] = ()
    address: str = ""
    not_address: str = ""
    work_unasked: bool | None = None
    search_unasked: bool | None = None

    def fits(
        self,
        outcome: str,
        correction: str,
        problems: Collection[str],
        address: str,
        work: str = "",
        found_by: str = "",
    ) -> bool:
        """Return whether a row with these values is in the part."""
        return (
            (outcome in self.outcomes if self.outcomes else outcome != NOT_CHECKED)
            and (not self.corrections or correction in self.corrections)
            and (not self.problems or not set(self.problems).isdisjoint(problems))
            and set(self.not_problems).isdisjoint(problems)
            and (not self.address or address == self.address)
            and (not self.not_address or address != self.not_address)
            and self.work_unasked in (None, work == WORK_UNASKED)
            and self.search_unasked in (None, found_by == SearchStatus.COULD_NOT_ASK)
        )


@dataclass(frozen=True, slots=True)
class TaskRows:
    """Which rows a task has, as a sentence, and as parts that share no row."""

    sentence: Message
    parts: tuple[TaskPart, ...]


AS_READ = (Correction.UNCHANGED, Correction.CLEANED, Correction.MAIN_DOI)
"""The corrections of a registered DOI by the check alone."""
_UNDECIDED = (*AS_READ, Correction.REVIEW)
_WITHOUT_CORRECTION = ("", Correction.UNCHECKED)
_OF_OTHER_WORK, _TO_COMPARE, _OF_SEARCHES = (OTHER_WORK,), (COMPARE_WORK,), tuple(sorted(FOUND))
ASK_FOR_WORK = (OTHER_WORK, COMPARE_WORK)
"""The problems of rows about which a person says whether the DOI stands for their work."""
NO_DOCUMENT = (*LEADS_NOWHERE, "unsafe-url")
"""The problems of a record whose address opens no document."""

TASKS: Mapping[RowTask, TaskRows] = {
    RowTask.CORRECTED: TaskRows(
        Message("Corrected: the DOI differs from what your file has"),
        (
            *(
                TaskPart((each,))
                for each in (Correction.SUGGESTED, Correction.MAIN_DOI, Correction.CLEANED, Correction.EDITED)
            ),
            TaskPart((Correction.ACCEPTED,), not_problems=ASK_FOR_WORK),
            # A DOI that was taken for that of the work stays as it is, unless it was a suggestion.
            TaskPart((Correction.ACCEPTED,), (Outcome.NOT_FOUND, Outcome.INVALID), ASK_FOR_WORK),
            *(TaskPart((Correction.ACCEPTED,), (each,), _OF_SEARCHES) for each in Outcome if each in EXISTS),
        ),
    ),
    RowTask.DECIDE: TaskRows(
        Message("Need your decision"), (TaskPart((Correction.REVIEW,), not_problems=_OF_OTHER_WORK),)
    ),
    RowTask.ELSEWHERE: TaskRows(
        Message("Undecided, and the DOI leads to another site than you expect"),
        (TaskPart(_UNDECIDED, address=Target.OTHER_HOST),),
    ),
    RowTask.OTHER_WORK: TaskRows(
        Message("The DOI stands for another work than the row describes"),
        (TaskPart((Correction.REVIEW,), problems=_OF_OTHER_WORK),),
    ),
    RowTask.COMPARE: TaskRows(
        Message("Undecided, and the row differs from the record in title, author or year"),
        (TaskPart((*AS_READ, Correction.SUGGESTED), problems=_TO_COMPARE),),
    ),
    RowTask.BACK: TaskRows(
        Message("For the source: not registered, without a DOI, without a usable address, or rejected"),
        (
            TaskPart((Correction.REJECTED,)),
            TaskPart((Correction.NOT_REGISTERED,), search_unasked=False),
            TaskPart((Correction.NO_DOI,), not_problems=(EMPTY,), search_unasked=False),
            TaskPart(_UNDECIDED, (Outcome.NO_URL,)),
            TaskPart(_UNDECIDED, (Outcome.NO_VALUES,)),
            TaskPart((Correction.REVIEW,), (Outcome.RESOLVED,), NO_DOCUMENT),
        ),
    ),
    RowTask.UNCHECKED: TaskRows(
        Message("Not checked"),
        (
            TaskPart((), (NOT_CHECKED,)),
            *(TaskPart(_WITHOUT_CORRECTION, (each,)) for each in Outcome if each in COULD_NOT_ASK),
            TaskPart((*AS_READ, Correction.SUGGESTED), work_unasked=True),
            TaskPart((Correction.NOT_REGISTERED, Correction.NO_DOI), search_unasked=True),
        ),
    ),
    RowTask.READY: TaskRows(
        Message("Ready to import: with a DOI that leads somewhere"),
        (
            *(TaskPart((each,)) for each in (Correction.ACCEPTED, Correction.EDITED)),
            TaskPart((Correction.SUGGESTED,), not_problems=_TO_COMPARE, work_unasked=False),
            *(
                TaskPart(AS_READ, (each,), (), _TO_COMPARE, not_address=Target.OTHER_HOST, work_unasked=False)
                for each in (Outcome.RESOLVED, Outcome.REGISTERED)
            ),
        ),
    ),
}
"""Each task, in the order in which programs and pages show them."""


OF_WORKS = frozenset({RowTask.OTHER_WORK, RowTask.COMPARE})
"""The tasks of a list that compares works."""


def get_task_parts(word: str) -> tuple[TaskPart, ...]:
    """Return the parts of the task with this code; none for an unknown one."""
    return next((rows.parts for task, rows in TASKS.items() if task == word), ())


@lru_cache(4096)  # the rows of a list have few combinations of these values
def list_tasks(
    outcome: str, correction: str, problems: tuple[str, ...], address: str, work: str = "", found_by: str = ""
) -> tuple[RowTask, ...]:
    """Return the tasks of a row with these values; one whose cell is empty may have none."""
    return tuple(
        task
        for task, rows in TASKS.items()
        if any(part.fits(outcome, correction, problems, address, work, found_by) for part in rows.parts)
    )


def add_to_tasks(
    counts: MutableMapping[str, int],
    rows: int,
    *,
    outcome: str,
    correction: str,
    problems: tuple[str, ...],
    address: str,
    work: str = "",
    found_by: str = "",
) -> None:
    """Add checked rows with these values to the counts by task, or subtract them if the number is negative. Rows that
    aren't checked yet count nowhere."""
    for task in list_tasks(outcome, correction, problems, address, work, found_by) if outcome != NOT_CHECKED else ():
        counts[str(task)] = max(0, counts.get(task, 0) + rows)

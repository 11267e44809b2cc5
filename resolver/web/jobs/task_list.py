"""What happens to the rows of a list, as tasks with their numbers: what is done, and what a person does next."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from resolver.domain.report.correction import Correction
from resolver.domain.report.row_task import RowTask
from resolver.domain.report.triage import BELONGS
from resolver.models import Job, State
from resolver.services.results.correction_counts import CorrectionCounts, count_corrections
from resolver.services.results.task_counts import count_tasks
from resolver.web.wording.labels import label_value

MOST_KINDS = 3  # named of the rows left to decide


@dataclass(frozen=True, slots=True)
class Task:
    """One task with rows: its number among those shown, what is in it, and whether nobody needs to do anything."""

    code: str
    rows: int
    title: str
    kinds: str
    is_done: bool
    is_next: bool


class TaskList(NamedTuple):
    """The tasks of a list that have rows, and the rows with a suggestion, with a decision of a person, and with another
    DOI than the file has by either. `overlaps`: some rows are in two of the tasks that ask for something."""

    tasks: list[Task]
    suggested: int = 0
    decided: int = 0
    replaced: int = 0
    overlaps: bool = False


def build_task_list(job: Job, to_ask: int) -> TaskList:
    """Return the tasks that have rows. `to_ask`: the rows to retry, which are a task of their own once the list has
    ended. One query, and one more for a list that ended early; none while it runs."""
    counts = dict(count_tasks(job))
    counts[RowTask.UNCHECKED] = to_ask
    corrections = count_corrections(job) if job.ended else CorrectionCounts({}, {})
    titles, tasks, has_next = name_tasks(job), [], False
    for code, rows in counts.items():
        if rows:
            is_done = code == RowTask.CORRECTED
            is_next = job.ended and not is_done and not has_next
            has_next = has_next or is_next
            kinds = " · ".join(_list_kinds(RowTask(code), rows, corrections))
            tasks.append(Task(str(code), rows, titles[RowTask(code)], kinds, is_done, is_next))
    decided = sum(
        corrections.rows.get(each, 0) for each in (Correction.ACCEPTED, Correction.EDITED, Correction.REJECTED)
    )
    suggested = corrections.rows.get(Correction.SUGGESTED, 0)
    replaced = suggested + _count_chosen(corrections)
    asking = sum(task.rows for task in tasks if task.code not in (RowTask.CORRECTED, RowTask.READY))
    overlaps = asking > job.total - counts.get(RowTask.READY, 0) if job.ended else False
    return TaskList(tasks, suggested, decided, replaced, overlaps)


def name_tasks(job: Job) -> Mapping[RowTask, str]:
    """Return the words for each task of the list."""
    return {
        RowTask.CORRECTED: _("Corrected"),
        RowTask.DECIDE: _("Need your decision"),
        RowTask.ELSEWHERE: _("Don’t lead where you expect"),
        RowTask.OTHER_WORK: _("Seem to be another work"),
        RowTask.COMPARE: _("To compare"),
        RowTask.BACK: _("Go back to the source"),
        RowTask.UNCHECKED: _("Couldn’t be checked") if job.state == State.FINISHED else _("Not checked"),
        RowTask.READY: _("Ready to import"),
    }


def _list_kinds(task: RowTask, rows: int, corrections: CorrectionCounts) -> Iterator[str]:
    by = corrections.rows
    if task is RowTask.CORRECTED:
        yield from _name_kinds(
            {
                _("%(rows)s with the DOI that we found"): by.get(Correction.SUGGESTED, 0),
                _("%(rows)s cleaned up"): by.get(Correction.CLEANED, 0),
                _("%(rows)s with the main DOI of an alias, in the results only"): by.get(Correction.MAIN_DOI, 0),
                _("%(rows)s decided"): _count_chosen(corrections),
            }
        )
    elif task is RowTask.DECIDE:
        asking = (item for item in corrections.to_decide.items() if item[0] not in BELONGS)
        most = sorted(asking, key=lambda item: (-item[1], item[0]))[:MOST_KINDS]
        yield from (f"{label_value('problem', code)} {intcomma(number)}" for code, number in most)
    elif task is RowTask.BACK and by:
        missing, none = by.get(Correction.NOT_REGISTERED, 0), by.get(Correction.NO_DOI, 0)
        rejected = by.get(Correction.REJECTED, 0)
        yield from _name_kinds(
            {
                _("%(rows)s not registered"): missing,
                _("%(rows)s without a DOI"): none,
                _("%(rows)s without a web address"): rows - missing - none - rejected,
                _("%(rows)s rejected"): rejected,
            }
        )


def _count_chosen(corrections: CorrectionCounts) -> int:
    """How many rows have the DOI that a person chose in place of their own."""
    by = corrections.rows
    return by.get(Correction.ACCEPTED, 0) + by.get(Correction.EDITED, 0) - corrections.right_work


def _name_kinds(kinds: Mapping[str, int]) -> Iterator[str]:
    return (words % {"rows": intcomma(rows)} for words, rows in kinds.items() if rows > 0)


def label_decisions(rows: int) -> str:
    """How many rows were decided by a person, as a sentence."""
    words = ngettext("%(rows)s row was decided by a person.", "%(rows)s rows were decided by a person.", rows)
    return words % {"rows": intcomma(rows)}

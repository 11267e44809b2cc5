"""What a list is about in one figure: how many of its rows are ready, and how many aren't."""

from collections.abc import Mapping
from typing import NamedTuple

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from resolver.domain.report.row_task import RowTask
from resolver.domain.report.triage import RowGroup
from resolver.models import Job
from resolver.services.results.facets import count_groups
from resolver.services.results.task_counts import count_tasks


class ListHeadline(NamedTuple):
    """The figure, the sentence that goes on from it, and what is said of the others."""

    figure: int
    text: str
    rest: str


def build_headline(job: Job) -> ListHeadline:
    """Return the headline from the stored counts; while the list runs, it is about how many rows are checked. A row of
    a bibliography is a field with a DOI, as in the tasks and the bar below."""
    groups = count_groups(job)
    failed, left = groups[RowGroup.COULD_NOT_ASK], groups[RowGroup.NOT_CHECKED]
    if not job.ended:
        return ListHeadline(job.done, _say_checked(job), "")
    if failed + left and failed == job.done:
        return ListHeadline(0, _say_none_checked(job), "")
    ready = count_tasks(job).get(RowTask.READY, 0)
    others = max(0, job.total - ready - failed - left)
    if job.quick:
        text, not_ready = _say_registered(job, ready), ngettext("%(rows)s doesn’t.", "%(rows)s don’t.", others)
    else:
        text, not_ready = _say_ready(job, ready), ngettext("%(rows)s isn’t.", "%(rows)s aren’t.", others)
    told = {
        not_ready: others,
        ngettext("%(rows)s couldn’t be checked.", "%(rows)s couldn’t be checked.", failed): failed,
        ngettext("%(rows)s wasn’t checked.", "%(rows)s weren’t checked.", left): left,
    }
    rest = " ".join(sentence % {"rows": intcomma(rows)} for sentence, rows in told.items() if rows)
    return ListHeadline(ready, text, rest if job.total > 1 else "")


def _say_checked(job: Job) -> str:
    if job.references:
        text = ngettext("of %(rows)s DOI field checked.", "of %(rows)s DOI fields checked.", job.total)
    else:
        text = ngettext("of %(rows)s row checked.", "of %(rows)s rows checked.", job.total)
    return text % _show_total(job)


def _say_none_checked(job: Job) -> str:
    if job.references:
        text = ngettext(
            "of %(rows)s DOI field could be checked.", "of %(rows)s DOI fields could be checked.", job.total
        )
    else:
        text = ngettext("of %(rows)s row could be checked.", "of %(rows)s rows could be checked.", job.total)
    return text % _show_total(job)


# "1 of 600 rows is", "0 of 600 rows are", but "0 of 1 row is": the verb goes with the figure, the noun with the total.
def _say_registered(job: Job, figure: int) -> str:
    if job.total == 1:
        return _("of 1 DOI field has a registered DOI.") if job.references else _("of 1 row has a registered DOI.")
    if job.references:
        text = ngettext(
            "of %(rows)s DOI fields has a registered DOI.", "of %(rows)s DOI fields have a registered DOI.", figure
        )
    else:
        text = ngettext("of %(rows)s rows has a registered DOI.", "of %(rows)s rows have a registered DOI.", figure)
    return text % _show_total(job)


def _say_ready(job: Job, figure: int) -> str:
    if job.total == 1:
        return _("of 1 DOI field is ready to import.") if job.references else _("of 1 row is ready to import.")
    if job.references:
        text = ngettext(
            "of %(rows)s DOI fields is ready to import.", "of %(rows)s DOI fields are ready to import.", figure
        )
    else:
        text = ngettext("of %(rows)s rows is ready to import.", "of %(rows)s rows are ready to import.", figure)
    return text % _show_total(job)


def _show_total(job: Job) -> Mapping[str, str]:
    rows = intcomma(job.total)
    return {"rows": _("at least %(rows)s") % {"rows": rows} if job.layout.get("complete") is False else rows}

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
    """The figure, the sentence that goes on from it, and what is said of the others. `others` is the number of rows,
    or references, that the figure leaves out."""

    figure: int
    text: str
    rest: str
    others: int


def build_headline(job: Job) -> ListHeadline:
    """Return the headline from the stored counts; while the list runs, it is about how many rows are checked."""
    groups = count_groups(job)
    failed, left = groups[RowGroup.COULD_NOT_ASK], groups[RowGroup.NOT_CHECKED]
    if not job.ended:
        checked = _("checked")
        return ListHeadline(job.done, f"{_count_of(job)} {checked}.", "", left)
    if failed + left and failed == job.done:
        could_be = _("could be checked")
        return ListHeadline(0, f"{_count_of(job)} {could_be}.", "", job.total)
    unknown = [
        ngettext("%(rows)s couldn’t be checked.", "%(rows)s couldn’t be checked.", failed) % _shown(failed),
        ngettext("%(rows)s wasn’t checked.", "%(rows)s weren’t checked.", left) % _shown(left),
    ]
    told = [sentence for sentence, rows in zip(unknown, (failed, left), strict=True) if rows]
    if job.references and not told:  # else a reference may have a row of which nothing is known
        return _build_of_references(job)
    ready = count_tasks(job).get(RowTask.READY, 0)
    others = max(0, job.total - ready - failed - left)
    if job.quick:
        verb = ngettext("has a registered DOI", "have a registered DOI", ready)
        not_ready = ngettext("%(rows)s doesn’t.", "%(rows)s don’t.", others)
    else:
        verb = ngettext("is ready to import", "are ready to import", ready)
        not_ready = ngettext("%(rows)s isn’t.", "%(rows)s aren’t.", others)
    if others:
        told.insert(0, not_ready % _shown(others))
    return ListHeadline(ready, f"{_count_of(job)} {verb}.", " ".join(told), others)


def _build_of_references(job: Job) -> ListHeadline:
    others = job.references_in_need
    rest = ngettext("%(rows)s needs work.", "%(rows)s need work.", others) % _shown(others) if others else ""
    fine = job.references - others
    total = ngettext("of %(rows)s reference", "of %(rows)s references", job.references) % _shown(job.references)
    verb = ngettext("is fine", "are fine", fine)
    return ListHeadline(fine, f"{total} {verb}.", rest, others)


def _count_of(job: Job) -> str:
    if job.layout.get("complete") is False:
        return ngettext("of at least %(rows)s row", "of at least %(rows)s rows", job.total) % _shown(job.total)
    return ngettext("of %(rows)s row", "of %(rows)s rows", job.total) % _shown(job.total)


def _shown(rows: int) -> Mapping[str, str]:
    return {"rows": intcomma(rows)}

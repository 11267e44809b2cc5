"""The ways from a row's page: back to the rows that its reader came from, and to their rows before and behind."""

from dataclasses import dataclass

from django.contrib.humanize.templatetags.humanize import intcomma
from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from resolver.domain.report.triage import Group
from resolver.models import Job, Row
from resolver.services.jobs.facets import of_job
from resolver.services.jobs.row_queries import ALL, Wanted, neighbours
from resolver.web.jobs.row_filters import as_query, as_question
from resolver.web.site.form_fields import RowFilterForm

LONGEST_QUERY = 300  # characters in the link of each row; a page has 40 of them


@dataclass(frozen=True, slots=True)
class Ways:
    """Addresses; "" where there is no such row. `words` says what `back` leads to."""

    back: str
    words: str
    before: str
    after: str


def ways(row: Row, job: Job, given: QueryDict) -> Ways:
    """From the filters and the order that the address carries; two queries."""
    form = RowFilterForm(given)
    wanted, down = form.rows(), form.down()
    before, after = neighbours(job, wanted, row.line)
    if down:
        before, after = after, before
    question = carried(wanted, down=down)

    def address(line: int | None) -> str:
        return reverse("job-row", args=[job.pk, line]) + question if line else ""

    edge = f"after={row.line + 1 if down else row.line - 1}"  # so that this row is the first of the page
    back = f"{reverse('job-rows', args=[job.pk])}{question or '?'}{'&' if question else ''}{edge}"
    return Ways(back, _words(job, wanted), address(before), address(after))


def carried(wanted: Wanted, *, down: bool) -> str:
    """The filters and the order as the query of a row's address; "" where there are none, or a text too long for it."""
    question = as_question(as_query(wanted) | ({"order": "down"} if down else {}))
    return question if len(question) <= LONGEST_QUERY else ""


def _words(job: Job, wanted: Wanted) -> str:
    if wanted == ALL:
        return _("Back to the results")
    if wanted == Wanted(group=Group.NEEDS_WORK):
        rows = of_job(job)[Group.NEEDS_WORK]
        sentence = ngettext("Back to the row that needs work", "Back to the %(rows)s rows that need work", rows)
        return sentence % {"rows": intcomma(rows)}
    return _("Back to the results, with the same filters")

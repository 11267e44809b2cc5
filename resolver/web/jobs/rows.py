"""The results of a list, row by row on pages."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from resolver.domain.problems.problem import CATALOGUE
from resolver.domain.report.report import Outcome
from resolver.models import Row
from resolver.services.results.facets import count_facets, count_unread_rows
from resolver.web.jobs.actions import is_mine, seen_job
from resolver.web.jobs.row import carried, context_for_row
from resolver.web.jobs.row_filters import narrowing
from resolver.web.site.form_fields import RowFilterForm
from resolver.web.site.highlight import hidden
from resolver.web.site.labels import VERDICTS, Verdict, problem_word
from resolver.web.site.paging import query_without, row_page
from resolver.web.site.template_filters import plain, visible

LONGEST = 80  # characters of one text
LONGEST_STEP = 260  # likewise of a sentence, which may hold a name
MOST_HIDDEN = 8  # of them drawn one by one: each is 60 bytes of the page
MOST_PROBLEMS = 3
_WELL = (Outcome.RESOLVED, Outcome.REGISTERED)
_ABOUT_NOTHING = ("nothing", "full")  # the steps of a row that needs no work


@dataclass(frozen=True, slots=True)
class RowLine:
    """What the table shows of a row. `problems`: code and name, each; `more`: how many are left out; `advice`:
    the first thing to do, where there is no suggestion."""

    row: Row
    verdict: Verdict
    given: SafeString
    suggestion: SafeString
    problems: Sequence[tuple[str, str]]
    more: int
    advice: str


def row_lines(rows: Iterable[Row]) -> list[RowLine]:
    """One for each row; no query."""
    return [_line(row) for row in rows]


def _line(row: Row) -> RowLine:
    verdict = VERDICTS.get(row.outcome, VERDICTS[""])
    codes = [code for code in row.problem_codes if code in CATALOGUE]
    return RowLine(
        row,
        verdict,
        short(row.input),
        short(row.suggestion),
        [(code, problem_word(code)) for code in codes[:MOST_PROBLEMS]],
        len(codes[MOST_PROBLEMS:]),
        _advice(row),
    )


def _advice(row: Row) -> str:
    """The first step of the row's own page, so that the two never say different things; "" where all is well."""
    if row.suggestion or (row.outcome in _WELL and not row.problems and not row.others):
        return ""
    step, _asks = context_for_row(row)["steps"][0]
    return "" if step.code in _ABOUT_NOTHING else plain(step.sentence, LONGEST_STEP)


def short(text: str) -> SafeString:
    """The beginning of a text, escaped, with what cannot be seen as code points."""
    if sum(hidden(character) is not None for character in text[:LONGEST]) > MOST_HIDDEN:
        return format_html("{}", plain(text, LONGEST))
    return visible(text, LONGEST)


ON_PAGE = 40  # so that a page of the longest and oddest texts stays below 100 kB, with its stylesheet


@require_safe
def rows(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The rows in line order, up or down, narrowed by facets and text; also while the job runs."""
    job = seen_job(request, pk)
    form = RowFilterForm(request.GET)
    wanted, down = form.rows(), form.down()
    page = row_page(job, wanted, request, ON_PAGE, down=down)
    context = {
        "job": job,
        "mine": is_mine(request, job),
        "form": form,
        "page": page,
        "lines": row_lines(page.rows),
        "rest": query_without(request, "after", "before"),
        "carried": carried(wanted, down=down),
        "narrow": narrowing(job, wanted, count_facets(job, wanted), down=down),
        "unread": count_unread_rows(job),
        "here": "jobs",
    }
    return render(request, "jobs/rows.html", context, status=422 if form.errors else 200)

"""The review page: ten rows at a time, by reason, and what was decided last."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from resolver.domain.report.correction import Correction
from resolver.models import Job, Row
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.results.row_queries import TO_REVIEW, fetch_rows
from resolver.services.results.shown_columns import get_shown_columns
from resolver.services.reviews.action_log import find_last_action
from resolver.services.reviews.review_counts import ReviewCounts, count_review
from resolver.services.storage.clock import read_clock
from resolver.services.storage.keyset import Page, read_page
from resolver.web.jobs.access import get_visible_job_or_404, is_mine
from resolver.web.jobs.row_filters import FilterChoice
from resolver.web.reviews.address import WORDS, ReviewAddress
from resolver.web.reviews.cards import build_cards
from resolver.web.wording.label_filters import column_label
from resolver.web.wording.labels import CORRECTION_LABELS, label_problem, label_value

REVIEWED_ROWS_ON_PAGE = 10  # that a person looks at before all of a kind can be decided


@dataclass(eq=False)
class Refusal(Exception):
    """Why a decision wasn't stored: `sentences` above the page; `typed`, by line: what was entered, what is wrong."""

    status: int
    sentences: tuple[str, ...] = ()
    typed: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    retry_after: int = 0


@never_cache
@require_safe
def show_review(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The rows that the address names. A visitor with whom the list is shared sees them, and decides nothing."""
    job = get_visible_job_or_404(request, pk)
    return render_review(request, job, ReviewAddress.from_query(request.GET))


def render_review(
    request: HttpRequest, job: Job, address: ReviewAddress, refusal: Refusal | None = None
) -> HttpResponse:
    """The page, after a refusal with its status. Its queries don't grow with the list."""
    page, address = _read_page(job, address)
    counts = count_review(job)
    proxy, now = proxy_from_settings().base_url, read_clock()
    columns = get_shown_columns(job, address.columns)
    typed = refusal.typed if refusal else {}
    last = find_last_action(job) if is_mine(request, job) and job.ended else None
    context = {
        "job": job,
        "mine": is_mine(request, job),
        "cards": build_cards(job, page.items, columns, proxy=proxy, now=now, refused=typed),
        "page": page,
        "here": reverse("job-review", args=[job.pk]),
        "query": address.build_query(),
        "address": address,
        "tabs": _build_tabs(job, address, counts),
        "kinds": _list_kinds(job, address, counts),
        "columns": [(index, column_label(name), index in columns) for index, name in enumerate(job.header or [])],
        "bulk": _build_bulk_action(address, counts, page),
        "suggestions": _build_link_to_suggestions(job, address, counts),
        "last_action": last,
        "last_label": label_value("correction", last.decision) if last else "",
        "to_review": counts.count_rows(WORDS[0]),
        "refusal": refusal,
    }
    response = render(request, "reviews/page.html", context, status=refusal.status if refusal else 200)
    if refusal and refusal.retry_after:
        response["Retry-After"] = str(refusal.retry_after)
    return response


def _read_page(job: Job, address: ReviewAddress) -> tuple[Page[Row], ReviewAddress]:
    """The rows of the address; the first page if no rows follow the place that it names."""
    fetch = partial(fetch_rows, job, address.build_row_filter())
    read = partial(read_page, Row.objects.filter(job=job), ("line",), size=REVIEWED_ROWS_ON_PAGE, fetch=fetch)
    page: Page[Row] = read(edge=address.edge)
    if address.edge is not None and not page.items:
        address = address.go_to_first_page()
        page = read(edge=None)
    return page, address


def _build_tabs(job: Job, address: ReviewAddress, counts: ReviewCounts) -> list[FilterChoice]:
    return [
        FilterChoice(
            str(CORRECTION_LABELS[word].word),
            replace(address, word=word, problem="", edge=None).build_url(job),
            counts.count_rows(word),
            word == address.word,
        )
        for word in WORDS
    ]


def _list_kinds(job: Job, address: ReviewAddress, counts: ReviewCounts) -> list[FilterChoice]:
    """The problems of these rows, the most frequent first."""
    found = sorted(counts.problem.get(address.word, {}).items(), key=lambda item: (-item[1], item[0]))
    kinds = [
        FilterChoice(
            label_problem(code),
            replace(address, problem="" if code == address.problem else code, edge=None).build_url(job),
            rows,
            code == address.problem,
        )
        for code, rows in found
        if code == address.problem or len(found) > 1
    ]
    return kinds[:40]


def _build_bulk_action(address: ReviewAddress, counts: ReviewCounts, page: Page[Row]) -> dict[str, int] | None:
    """One action for all rows of this kind, once the page shows ten of them, or all; None for no kind. Suggestions
    are a kind; rows that need review are one only by their problem."""
    if address.word != Correction.SUGGESTED and not (address.word == Correction.REVIEW and address.problem):
        return None
    rows = _count_shown(address, counts)
    if rows < 2 or len(page.items) < min(rows, REVIEWED_ROWS_ON_PAGE):
        return None
    return {"rows": rows}


def _build_link_to_suggestions(job: Job, address: ReviewAddress, counts: ReviewCounts) -> str:
    """The address at which all suggestions to review can be decided at once; empty for fewer than two."""
    suggested = replace(address, word=Correction.SUGGESTED, edge=None)
    if address.word != TO_REVIEW or _count_shown(suggested, counts) < 2:
        return ""
    return suggested.build_url(job)


def _count_shown(address: ReviewAddress, counts: ReviewCounts) -> int:
    return counts.problem[address.word].get(address.problem, 0) if address.problem else counts.count_rows(address.word)

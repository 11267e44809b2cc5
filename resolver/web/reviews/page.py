"""The review page: ten rows at a time, by reason, and what was decided last."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from resolver.domain.report.correction import FOUND, OTHER_WORK, Correction
from resolver.domain.report.review_rows import NO_ADDRESS, TO_COMPARE, WITHOUT_PROPOSAL
from resolver.models import Job, Row
from resolver.services.jobs.row_readings import compares_works
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.results.row_queries import DECIDED, fetch_rows
from resolver.services.results.shown_columns import get_shown_columns
from resolver.services.reviews.action_log import find_last_action
from resolver.services.reviews.review_counts import ReviewCounts, count_review
from resolver.services.storage.clock import read_clock
from resolver.services.storage.keyset import Page, read_page
from resolver.web.jobs.access import get_visible_job_or_404, is_mine
from resolver.web.jobs.row_filters import FilterChoice
from resolver.web.reviews.address import REASONS, TABS, UNDECIDED, ReviewAddress
from resolver.web.reviews.cards import Refused, build_cards
from resolver.web.wording.label_filters import column_label
from resolver.web.wording.labels import label_problem, label_value

REVIEWED_ROWS_ON_PAGE = 10  # that a person looks at before all of a kind can be decided

_LABELS = {
    Correction.REVIEW: gettext_lazy("Need your decision"),
    OTHER_WORK: gettext_lazy("Seem to be another work"),
    TO_COMPARE: gettext_lazy("To compare"),
    Correction.SUGGESTED: gettext_lazy("Suggestions"),
    WITHOUT_PROPOSAL: gettext_lazy("Without a suggestion"),
    DECIDED: gettext_lazy("Decided"),
    Correction.NOT_REGISTERED: gettext_lazy("Not registered"),
    Correction.NO_DOI: gettext_lazy("No DOI"),
    NO_ADDRESS: gettext_lazy("No web address"),
}


@dataclass(eq=False)
class Refusal(Exception):
    """Why a decision wasn't stored: `sentences` above the page; `typed`, by line: what was chosen or entered."""

    status: int
    sentences: tuple[str, ...] = ()
    typed: Mapping[int, Refused] = field(default_factory=dict)
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
    counts = count_review(job)
    if not address.word:
        address = replace(address, word=_find_next_group(counts) or UNDECIDED[0])
    page, address = _read_page(job, address)
    following = _find_next_group(counts, address.tab)
    done = counts.done.get(address.tab, 0)
    proxy, now = proxy_from_settings().base_url, read_clock()
    columns = get_shown_columns(job, address.columns)
    typed = refusal.typed if refusal else {}
    last = find_last_action(job) if is_mine(request, job) and job.ended else None
    cards = build_cards(job, page.items, columns, proxy=proxy, now=now, refused=typed)
    untitled = any(choice.may_have_title and not choice.metadata for card in cards for choice in card.choices)
    context = {
        "job": job,
        "mine": is_mine(request, job),
        "cards": cards,
        "untitled": untitled,
        "show_titles": replace(address, titles=True).build_url(job) if untitled and not address.titles else "",
        "page": page,
        "rows_on_page": REVIEWED_ROWS_ON_PAGE,
        "here": reverse("job-review", args=[job.pk]),
        "query": address.build_query(),
        "address": address,
        "tabs": _build_tabs(job, address, counts),
        "kinds": _list_kinds(job, address, counts),
        "columns": [(index, column_label(name), index in columns) for index, name in enumerate(job.header or [])],
        "bulk": _build_bulk_action(address, counts, page),
        "last_action": last,
        "last_label": label_value("correction", last.decision) if last else "",
        "left": counts.left,
        "done": done,
        "group_rows": done + counts.rows[address.tab],
        "following": following,
        "next_group": _build_tab(job, address, counts, following) if following else None,
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
    shown = [word for word in TABS if word not in (OTHER_WORK, TO_COMPARE) or compares_works(job)]
    return [_build_tab(job, address, counts, word) for word in shown]


def _build_tab(job: Job, address: ReviewAddress, counts: ReviewCounts, word: str) -> FilterChoice:
    url = replace(address, word=word, problem="", edge=None).build_url(job)
    return FilterChoice(str(_LABELS[word]), url, counts.rows[word], word == address.tab)


def _find_next_group(counts: ReviewCounts, present: str = "") -> str:
    """The group to decide: the present one, else the first that has undecided rows; "" for none."""
    return next((word for word in (present, *UNDECIDED) if word in UNDECIDED and counts.rows[word]), "")


def _list_kinds(job: Job, address: ReviewAddress, counts: ReviewCounts) -> list[FilterChoice]:
    """The kinds of these rows: why nothing is proposed, or their problems, the most frequent first."""
    if address.tab == WITHOUT_PROPOSAL:
        found = [
            (str(_LABELS[word]), counts.rows[word], word == address.word, replace(address, word=word))
            for word in REASONS
            if counts.rows[word]
        ]
    else:
        problems = sorted(counts.problem.get(address.word, {}).items(), key=lambda item: (-item[1], item[0]))
        found = [
            (label_problem(code), rows, code == address.problem, replace(address, problem=code))
            for code, rows in problems
        ]
    whole = replace(address, word=address.tab, problem="")
    return [
        FilterChoice(label, replace(whole if chosen else kind, edge=None).build_url(job), rows, chosen)
        for label, rows, chosen, kind in found
        if chosen or len(found) > 1
    ][:40]


def _build_bulk_action(address: ReviewAddress, counts: ReviewCounts, page: Page[Row]) -> dict[str, str | int] | None:
    """One action for all rows of this kind, once the page shows ten of them, or all; None for no kind. Suggestions
    are a kind; rows that need review are one only by their problem, and not those with a DOI that a search found: each
    is to be compared."""
    if address.problem in FOUND:
        return None
    if address.word != Correction.SUGGESTED and not (address.word == Correction.REVIEW and address.problem):
        return None
    rows = _count_shown(address, counts)
    if rows < 2 or len(page.items) < min(rows, REVIEWED_ROWS_ON_PAGE):
        return None
    return {"rows": rows, "kind": label_problem(address.problem) if address.problem else ""}


def _count_shown(address: ReviewAddress, counts: ReviewCounts) -> int:
    return counts.problem[address.word].get(address.problem, 0) if address.problem else counts.rows[address.word]

"""The rows of a comparison in pages, each with both results side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from resolver.domain.report.change import Aspect, split_common_ends
from resolver.models import Comparison, Job, Row
from resolver.services.comparisons.differing_rows import ORDER, RowPair, find_differences, load_row_pairs
from resolver.services.storage import keyset
from resolver.web.comparisons.change_labels import CHANGES, ChangeLabel
from resolver.web.site.page_edge import get_page_edge
from resolver.web.wording.text_filters import reveal

ON_PAGE = 50
MOST = 3  # addresses, or other DOIs, of one row
PAGE_WEIGHT = 45_000  # bytes of the page for its rows
ROW_MARKUP = 600  # bytes of a row without its texts
SHORT = 200  # characters of any text in a row
LONGEST = 300  # characters of an address in which the difference is marked
Address = tuple[str, str, str]  # the common beginning, the middle that differs, the common end


@dataclass(frozen=True, slots=True)
class ComparedSide:
    """The result of one list for a row, as far as the other list has a different one."""

    row: Row | None
    job: Job
    addresses: Sequence[Address]
    more: int
    others: Sequence[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """A row of the table."""

    pair: RowPair
    label: ChangeLabel
    before: ComparedSide
    after: ComparedSide


def read_compared_rows(comparison: Comparison, kind: str, request: HttpRequest) -> keyset.Page[ComparedRow]:
    """A page of rows by place, in three queries: the last page of a million is as quick as the first."""
    edge = get_page_edge(request)
    places = list(keyset.filter_beyond(find_differences(comparison, kind), ORDER, edge)[: ON_PAGE + 1])
    existing = (
        pair for pair in load_row_pairs(comparison, places[:ON_PAGE]) if pair.before or pair.after
    )  # deleted meanwhile
    rows = _limit_weight([_compare(comparison, pair) for pair in existing])
    return keyset.build_page(rows, edge, more=len(places) > len(rows))


def _limit_weight(rows: list[ComparedRow]) -> list[ComparedRow]:
    """The first rows that fit on the page; at least one."""
    weight = 0
    for number, row in enumerate(rows):
        weight += _compute_weight(row)
        if weight > PAGE_WEIGHT:
            return rows[: max(1, number)]
    return rows


def _compute_weight(row: ComparedRow) -> int:
    """About the bytes that its texts take on the page."""
    texts = [row.pair.either.input]
    for side in (row.before, row.after):
        texts += [part for address in side.addresses for part in address]
        texts += [str(other["doi"]) for other in side.others]
        texts += [side.row.ra[:60], side.row.alias_of, side.row.suggestion] if side.row else []
    return ROW_MARKUP + sum(len(reveal(text[:SHORT]).encode("utf-8", "replace")) for text in texts)


def _compare(comparison: Comparison, pair: RowPair) -> ComparedRow:
    befores, afters = (row.urls if row else [] for row in (pair.before, pair.after))
    marked_before, marked_after = _mark_differences(befores, afters)
    before = _build_side(pair, pair.before, comparison.before, marked_before)
    after = _build_side(pair, pair.after, comparison.after, marked_after)
    return ComparedRow(pair, CHANGES[pair.change], before, after)


def _build_side(pair: RowPair, row: Row | None, job: Job, addresses: Sequence[Address]) -> ComparedSide:
    others = row.others[:MOST] if row and Aspect.OTHERS in pair.aspects else []
    return ComparedSide(row, job, addresses[:MOST], max(0, len(addresses) - MOST), others)


def _mark_differences(befores: list[str], afters: list[str]) -> tuple[list[Address], list[Address]]:
    """The difference is marked only if one address became another."""
    if len(befores) == len(afters) == 1 and max(len(befores[0]), len(afters[0])) <= LONGEST:
        start, was, is_now, end = split_common_ends(befores[0], afters[0])
        return [(start, was, end)], [(start, is_now, end)]
    return [(url, "", "") for url in befores], [(url, "", "") for url in afters]

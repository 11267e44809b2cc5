"""The rows of a comparison in pages, each with both results side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from resolver.domain.report.change import Aspect
from resolver.domain.report.suggestion import split_common_ends
from resolver.models import Comparison, Job, Row
from resolver.services.comparisons.differing_rows import ORDER, RowPair, find_differences, load_row_pairs
from resolver.services.storage import keyset
from resolver.web.site.page_edge import parse_page_edge
from resolver.web.wording.labels import CHANGES, Label
from resolver.web.wording.text_filters import reveal

COMPARED_ROWS_ON_PAGE = 50
MOST_SHOWN_ADDRESSES = 3  # of one row; also its other DOIs
Address = tuple[str, str, str]  # the common beginning, the middle that differs, the common end


@dataclass(frozen=True, slots=True)
class ComparedSide:
    """The result of one list for a row, where it differs from that of the other list."""

    row: Row | None
    job: Job
    addresses: Sequence[Address]
    more: int
    others: Sequence[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """A row of the table."""

    pair: RowPair
    label: Label
    before: ComparedSide
    after: ComparedSide


def read_compared_rows(comparison: Comparison, kind: str, request: HttpRequest) -> keyset.Page[ComparedRow]:
    """A page of rows by place, in three queries: the last page of a million is as quick as the first."""
    edge = parse_page_edge(request.GET)
    places = list(keyset.filter_beyond(find_differences(comparison, kind), ORDER, edge)[: COMPARED_ROWS_ON_PAGE + 1])
    pairs = load_row_pairs(comparison, places[:COMPARED_ROWS_ON_PAGE])  # without rows if deleted meanwhile
    rows = _limit_weight([_compare(comparison, pair) for pair in pairs if pair.before or pair.after])
    return keyset.build_page(rows, edge, more=len(places) > len(rows))


def _limit_weight(rows: list[ComparedRow], most_bytes: int = 45_000) -> list[ComparedRow]:
    """The first rows whose part of the page has at most so many bytes; at least one row."""
    weight = 0
    for number, row in enumerate(rows):
        weight += _compute_weight(row)
        if weight > most_bytes:
            return rows[: max(1, number)]
    return rows


def _compute_weight(row: ComparedRow) -> int:
    """About the bytes that the row takes on the page: its markup, and its texts, which the page shortens."""
    texts = [row.pair.either.input]
    for side in (row.before, row.after):
        texts += [part for address in side.addresses for part in address]
        texts += [str(other["doi"]) for other in side.others]
        texts += [side.row.ra[:60], side.row.alias_of, side.row.suggestion] if side.row else []
    return 600 + sum(len(reveal(text[:200]).encode("utf-8", "replace")) for text in texts)


def _compare(comparison: Comparison, pair: RowPair) -> ComparedRow:
    befores, afters = (row.urls if row else [] for row in (pair.before, pair.after))
    marked_before, marked_after = _mark_differences(befores, afters)
    before = _build_side(pair, pair.before, comparison.before, marked_before)
    after = _build_side(pair, pair.after, comparison.after, marked_after)
    return ComparedRow(pair, CHANGES[pair.change], before, after)


def _build_side(pair: RowPair, row: Row | None, job: Job, addresses: Sequence[Address]) -> ComparedSide:
    others = row.others[:MOST_SHOWN_ADDRESSES] if row and Aspect.OTHERS in pair.aspects else []
    more = max(0, len(addresses) - MOST_SHOWN_ADDRESSES)
    return ComparedSide(row, job, addresses[:MOST_SHOWN_ADDRESSES], more, others)


def _mark_differences(befores: list[str], afters: list[str]) -> tuple[list[Address], list[Address]]:
    """The difference is marked only if one address became another, and neither is long."""
    if len(befores) == len(afters) == 1 and max(len(befores[0]), len(afters[0])) <= 300:
        start, was, is_now, end = split_common_ends(befores[0], afters[0])
        return [(start, was, end)], [(start, is_now, end)]
    return [(url, "", "") for url in befores], [(url, "", "") for url in afters]

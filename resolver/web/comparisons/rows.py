"""The numbers of a comparison, and its rows with what stood there before and after, as a page shows them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from resolver.domain.report.diff import Aspect, Change, split_common_ends
from resolver.domain.report.report import COULD_NOT_ASK, Outcome
from resolver.models import Comparison, Job, Row
from resolver.services import keyset
from resolver.services.comparisons.export import ORDER, Pair, find_differences, pairs
from resolver.web.comparisons.labels import CHANGES, ChangeWords, headline, of_two_proxies
from resolver.web.site.paging import NumberedPage, edge_of
from resolver.web.site.template_filters import visible

ON_PAGE = 50
MOST = 3  # addresses, or other DOIs, of one row that are shown
ROOM = 45_000  # bytes of the page for its rows
MARKUP = 600  # bytes of a row without its texts
SHORT = 200  # characters of any text in a row, an address that is not compared with another included
LONGEST = 300  # characters of an address in which what differs is looked for
_ALWAYS = (Change.BROKEN, Change.WORKING, Change.ADDRESS, Change.AGENCY, Change.OTHERWISE)


@dataclass(frozen=True, slots=True)
class ChangeCount:
    """A line of the table of numbers. `width` of its bar is in percent of all; `code` is its filter, if any."""

    code: str
    words: ChangeWords
    rows: int
    width: str


@dataclass(frozen=True, slots=True)
class Side:
    """What one list says of a row, as far as the other says something else. An address is in three parts: the
    beginning and the end are the same in both, the middle is not."""

    row: Row | None
    job: Job
    addresses: Sequence[tuple[str, str, str]]
    more: int
    others: Sequence[dict[str, Any]]

    @property
    def exists(self) -> bool:
        """Whether there is a record that could have had an agency or an address."""
        return self.row is not None and self.row.outcome not in (Outcome.NOT_FOUND, Outcome.INVALID)


@dataclass(frozen=True, slots=True)
class Changed:
    """A row of the table."""

    pair: Pair
    words: ChangeWords
    sides: tuple[Side, Side]

    @property
    def shows(self) -> frozenset[str]:
        """What is to be shown of either side beside its outcome."""
        return frozenset(map(str, self.pair.aspects))

    @property
    def is_unanswered(self) -> bool:
        """Whether neither run learned anything."""
        return all(side.row is not None and side.row.outcome in COULD_NOT_ASK for side in self.sides)


def context_for_comparison(comparison: Comparison, before: Job, after: Job, kind: str) -> dict[str, Any]:
    """Numbers and words above the table; no query."""
    counts: dict[str, int] = comparison.counts
    differ = {code: rows for code, rows in counts.items() if code != Change.UNCHANGED}
    whole = sum(counts.values())
    kinds = [
        ChangeCount(str(code), words, counts.get(code, 0), _width(differ.get(code, 0), whole))
        for code, words in CHANGES.items()
        if code in _ALWAYS or counts.get(code)
    ]
    matched = sum(counts.values()) - counts.get(Change.ONLY_BEFORE, 0) - counts.get(Change.ONLY_AFTER, 0)
    return {
        "headline": of_two_proxies(headline(counts, by_line=comparison.by_line), before, after),
        "kinds": kinds,
        "kind": kind,
        "chosen": CHANGES[kind] if kind else None,
        "differing": differ.get(kind, 0) if kind else sum(differ.values()),
        "all_unanswered": set(differ) == {Change.UNANSWERED},
        "matched": matched,
        "one_is_quick": before.quick != after.quick,
        "lists": [
            (before, _without_name(before, matched + counts.get(Change.ONLY_BEFORE, 0)), before.total - before.done),
            (after, _without_name(after, matched + counts.get(Change.ONLY_AFTER, 0)), after.total - after.done),
        ],
    }


def page_of(comparison: Comparison, kind: str, request: HttpRequest) -> NumberedPage[Changed]:
    """A page by place: as quick at the end of a million as at the beginning (three queries)."""
    edge = edge_of(request)
    read = list(keyset.beyond(find_differences(comparison, kind), ORDER, edge)[: ON_PAGE + 1])
    there = (pair for pair in pairs(comparison, read[:ON_PAGE]) if pair.before or pair.after)  # deleted meanwhile
    rows = _with_room([_changed(comparison, pair) for pair in there])
    page = keyset.page_of(rows, edge, more=len(read) > len(rows))
    return NumberedPage.of(page, lambda row: row.pair.place)


def _with_room(rows: list[Changed]) -> list[Changed]:
    """The first of them that a page has room for, one in any case."""
    room = ROOM
    for number, row in enumerate(rows):
        room -= _weight(row)
        if room < 0:
            return rows[: max(1, number)]
    return rows


def _weight(row: Changed) -> int:
    """The bytes that its texts take on the page, about."""
    sides = [side for side in row.sides if side.row]
    texts = [row.pair.either.input[:SHORT], *(side.row.ra[:60] for side in sides if side.row)]
    for side in sides:
        texts += [part[:SHORT] for address in side.addresses for part in address]
        texts += [str(other["doi"])[:SHORT] for other in side.others]
        texts += [text[:SHORT] for text in (side.row.alias_of, side.row.suggestion)] if side.row else []
    return MARKUP + sum(len(visible(text).encode("utf-8", "replace")) for text in texts)


def _changed(comparison: Comparison, pair: Pair) -> Changed:
    befores, afters = (row.urls if row else [] for row in (pair.before, pair.after))
    marked_before, marked_after = _mark_differences(befores, afters)
    sides = (
        _side(pair, pair.before, comparison.before, marked_before),
        _side(pair, pair.after, comparison.after, marked_after),
    )
    return Changed(pair, CHANGES[pair.change], sides)


def _side(pair: Pair, row: Row | None, job: Job, addresses: Sequence[tuple[str, str, str]]) -> Side:
    others = row.others[:MOST] if row and Aspect.OTHERS in pair.aspects else []
    return Side(row, job, addresses[:MOST], max(0, len(addresses) - MOST), others)


def _mark_differences(
    befores: list[str], afters: list[str]
) -> tuple[list[tuple[str, str, str]], list[tuple[str, str, str]]]:
    """What differs is only looked for where one address became one other."""
    if len(befores) == len(afters) == 1 and max(len(befores[0]), len(afters[0])) <= LONGEST:
        start, was, is_now, end = split_common_ends(befores[0], afters[0])
        return [(start, was, end)], [(start, is_now, end)]
    return [(url, "", "") for url in befores], [(url, "", "") for url in afters]


def _without_name(job: Job, names: int) -> int:
    """Rows that were asked and hold no DOI name: nothing that they could be matched by."""
    return max(0, job.done - job.duplicates - names)


def _width(rows: int, whole: int) -> str:
    """Not narrower than can be seen."""
    return str(max(1, 100 * rows // whole)) if rows else "0"

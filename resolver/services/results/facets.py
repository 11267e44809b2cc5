"""The numbers of a list's rows by outcome, problem, agency, group, class and host of the address, verdict about the
work, and what a search for it came to."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from django.db.models import Count, QuerySet

from resolver.domain.report.triage import EMPTY, RowGroup
from resolver.models import HostCheck, Job, Row
from resolver.models.fields import encode_storable
from resolver.models.rare_values import Rarely
from resolver.services.jobs.host_counts import MAX_ROWS_TO_COUNT, OTHERS, count_hosts, keep_most
from resolver.services.jobs.row_readings import compares_works, has_expected_addresses, searches_works
from resolver.services.results.row_queries import (
    ADDRESSES,
    ALL,
    CORRECTIONS,
    PARTS,
    OutcomeSubset,
    RowFilter,
    build_task_condition,
    filter_repeated,
    filter_text_and_duplicates,
)
from resolver.services.results.row_search import filter_possible, leads_to, must_read_hosts
from resolver.services.results.task_counts import count_tasks
from resolver.services.storage.keyset import BATCH_ROWS


class Combination(NamedTuple):
    """Values that facets count, and the number of rows with these values."""

    outcome: str
    ra: str
    problem_codes: tuple[str, ...]
    needs_review: bool
    tidier: bool
    address: str
    host: str
    work: str
    found_by: str
    rows: int


@dataclass(frozen=True, slots=True)
class Facets:
    """Rows by outcome, problem, agency (`ra`), group, class (`address`) and host of the address, verdict about the
    `work`, and what a search for it came to (`found_by`), each counted under all filters but its own. `fit`: rows under
    all filters; None if unknown. `exact`: False for a long list, which is counted as a whole. `host` has the hosts with
    the most rows, the chosen one, and "" for the others; without expected addresses it has the chosen one at most.
    """

    outcome: Mapping[str, int]
    problem: Mapping[str, int]
    ra: Mapping[str, int]
    group: Mapping[str, int]
    fit: int | None
    exact: bool
    address: Mapping[str, int] = field(default_factory=dict)
    host: Mapping[str, int] = field(default_factory=dict)
    work: Mapping[str, int] = field(default_factory=dict)
    found_by: Mapping[str, int] = field(default_factory=dict)


def count_facets(job: Job, wanted: RowFilter) -> Facets:
    """Count with one query, by index unless rows are searched; without a filter or in a long list, only for hosts."""
    if wanted == ALL or job.total > MAX_ROWS_TO_COUNT:
        return _count_all(job, wanted)
    found = filter_text_and_duplicates(Row.objects.filter(job=job), wanted).order_by()
    if wanted.correction:
        found = found.filter(correction__in=CORRECTIONS.get(wanted.correction, ()))
    if wanted.task:
        found = found.filter(build_task_condition(wanted.task))
    return _count_facets_of(_count_combinations(job, found, wanted.host), wanted)


def _count_combinations(job: Job, found: QuerySet[Row], host: str) -> list[Combination]:
    """Return the combinations of values that the rows have. Only a list with expected addresses reads `address` and
    `host`, only one that compares works `work`, and one that searches `found_by`: few indexes have them. For other
    lists the rows that lead to a chosen host are counted."""
    columns = ["outcome", "ra", "problem_codes", "needs_review", "tidier"]
    columns += ["address", "host"] * has_expected_addresses(job) + ["work"] * compares_works(job)
    columns += ["found_by"] * searches_works(job)
    others = {"address": "", "host": "", "work": "", "found_by": ""}
    if must_read_hosts(job, host):
        possible = filter_possible(found, host).values_list(*columns, "urls").iterator(BATCH_ROWS)
        on_host = Counter(tuple(values) for *values, urls in possible if leads_to(host, urls))
        counted: Any = ((*values, rows) for values, rows in on_host.items())
        others["host"] = host
    else:
        counted = found.values_list(*columns).annotate(rows=Count("*"))
    return [Combination(**others | dict(zip(columns, values, strict=True)), rows=rows) for *values, rows in counted]


def count_groups(job: Job) -> dict[str, int]:
    """Return the rows of the whole list by group, from its stored counts; no query."""
    outcomes = {**job.counts["outcome"], "": max(0, job.total - job.done)}
    grouped = _count_by_group(
        [Combination(outcome, "", (), False, False, "", "", "", "", rows) for outcome, rows in outcomes.items()]
    )
    for source, group, rows in (
        (RowGroup.NEEDS_WORK, RowGroup.EMPTY, job.counts["problem"].get(EMPTY, 0)),
        (RowGroup.FINE, RowGroup.NEEDS_WORK, job.needs_review),
        (RowGroup.FINE, RowGroup.TIDIER, job.tidier),
    ):
        moved = min(rows, grouped[source])
        grouped[source] -= moved
        grouped[group] += moved
    return grouped


def count_repeated(job: Job) -> int:
    """Return the number of rows with the DOI of an earlier row. Of a bibliographic list, whose fields of one reference
    don't count, by one query in the index of duplicates; 0 until the list has ended."""
    if not job.references:
        return int(job.duplicates)
    return filter_repeated(Row.objects.filter(job=job)).count() if job.ended and job.duplicates else 0


def _count_all(job: Job, wanted: RowFilter) -> Facets:
    counts, grouped = job.counts, count_groups(job)
    addresses, works, searches = (counts.get(kind, {}) for kind in ("address", "work", "found_by"))
    elsewhere = sum(addresses.get(each, 0) for each in ADDRESSES.get(wanted.address, ()))
    hosts = count_hosts(job)
    if must_read_hosts(job, wanted.host):
        hosts = _find_checked_host(job, wanted.host)
    elif wanted.host and wanted.host not in hosts:
        rows = Row.objects.filter(Rarely(host=encode_storable(wanted.host)), job=job, host__gt="").count()
        hosts = _add_host(hosts, wanted.host, rows)
    # Known for a single filter.
    known = {
        RowFilter(outcome=wanted.outcome): counts["outcome"].get(wanted.outcome, 0),
        RowFilter(problem=wanted.problem): counts["problem"].get(wanted.problem, 0),
        RowFilter(ra=wanted.ra): counts["ra"].get(wanted.ra, 0),
        RowFilter(group=wanted.group): grouped.get(wanted.group, 0),
        RowFilter(address=wanted.address): elsewhere,
        RowFilter(host=wanted.host): hosts.get(wanted.host),
        RowFilter(work=wanted.work): works.get(wanted.work, 0),
        RowFilter(found_by=wanted.found_by): searches.get(wanted.found_by, 0),
        RowFilter(duplicates=True): None if job.references else job.duplicates,
        RowFilter(task=wanted.task): count_tasks(job).get(wanted.task, 0) if wanted.task else 0,
        ALL: job.total,
    }
    fit, exact = known.get(wanted), wanted == ALL
    plain = (counts["outcome"], counts["problem"], counts["ra"], grouped, fit, exact)
    return Facets(*plain, addresses, hosts, works, searches)


def _find_checked_host(job: Job, host: str) -> dict[str, int]:
    """Return the rows of the host if a check of hosts has counted them since the list ended, else nothing."""
    if job.finished_at is None:
        return {}
    check = HostCheck.objects.filter(job=job, job_ended=job.finished_at, collected=True).first()
    return dict(check.found.filter(name=encode_storable(host)).values_list("name", "rows")) if check else {}


def _count_facets_of(combinations: list[Combination], wanted: RowFilter) -> Facets:
    outcomes, problems, agencies, addresses, hosts, works, searches = (Counter[str]() for _ in range(7))
    of_any_outcome = _select_fitting(combinations, replace(wanted, outcome="", group=""))
    for each in of_any_outcome:
        outcomes[each.outcome] += each.rows
    for each in _select_fitting(combinations, replace(wanted, problem="")):
        problems.update(dict.fromkeys(each.problem_codes, each.rows))
    for each in _select_fitting(combinations, replace(wanted, ra="")):
        agencies[each.ra] += each.rows
    for each in _select_fitting(combinations, replace(wanted, address="")):
        addresses[each.address] += each.rows
    for each in _select_fitting(combinations, replace(wanted, host="")):
        hosts[each.host] += each.rows
    for each in _select_fitting(combinations, replace(wanted, work="")):
        works[each.work] += each.rows
    for each in _select_fitting(combinations, replace(wanted, found_by="")):
        searches[each.found_by] += each.rows
    del hosts[""], works[""], searches[""]
    groups, fit = _count_by_group(of_any_outcome), sum(each.rows for each in _select_fitting(combinations, wanted))
    shown_hosts = _add_host(keep_most(hosts), wanted.host, hosts[wanted.host])
    return Facets(outcomes, problems, agencies, groups, fit, True, addresses, shown_hosts, works, searches)


def _add_host(most: Mapping[str, int], chosen: str, rows: int) -> dict[str, int]:
    """Return the hosts and the chosen one, whose rows are taken from the others if it isn't among the first."""
    if not chosen or chosen in most or not rows:
        return dict(most)
    others = most.get(OTHERS, 0) - rows
    return {
        **{name: each for name, each in most.items() if name},
        chosen: rows,
        **({OTHERS: others} if others > 0 else {}),
    }


def _count_by_group(combinations: Sequence[Combination]) -> dict[str, int]:
    grouped = dict.fromkeys(map(str, PARTS), 0)
    for each in combinations:
        for group, parts in PARTS.items():
            grouped[str(group)] += each.rows * _is_in(parts, each)
    return grouped


def _is_in(parts: Sequence[OutcomeSubset] | None, one: Combination) -> bool:
    return parts is None or any(
        part.fits(one.outcome, one.needs_review, one.tidier, one.problem_codes) for part in parts
    )


def _select_fitting(combinations: list[Combination], wanted: RowFilter) -> list[Combination]:
    parts, addresses = wanted.list_parts(), ADDRESSES.get(wanted.address, ())
    return [
        each
        for each in combinations
        if _is_in(parts, each)
        and (not wanted.ra or each.ra == wanted.ra)
        and (not wanted.problem or wanted.problem in each.problem_codes)
        and (not wanted.address or each.address in addresses)
        and (not wanted.host or each.host == wanted.host)
        and (not wanted.work or each.work == wanted.work)
        and (not wanted.found_by or each.found_by == wanted.found_by)
    ]

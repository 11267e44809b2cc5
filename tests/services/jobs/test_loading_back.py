"""A catalogue of 2,000 rows with every kind of damage: what is loaded back from it names no other work."""

import csv
import io
from collections import Counter
from dataclasses import replace
from itertools import cycle, islice

import pytest

from doi_reading import fold
from resolver.models import Job
from resolver.services.result_files.columns import list_columns
from resolver.services.results.export import iterate_results
from resolver.sheets.output.csv_and_jsonl import generate_csv
from tests.doi_reading.corpus import Case, as_csv, cases
from tests.services.conftest import make_job, run
from tests.services.jobs.test_corpus import in_both_worlds, neighbours, proxy_where, target
from tests.sheets.result_tables import make_table

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("corpus at a proxy"),
    pytest.mark.slow,
]

ROWS = 2000


def catalogue() -> list[Case]:
    """Rows from all of the corpus, with each kind of damage as often as any other.

    Without made-up names that hold white space: a cell with such a name is read up to it, and the sample proxy has
    every made-up name.
    """
    kinds: dict[tuple[str, str], list[Case]] = {}
    for case in cases():
        if case.expected.startswith("10.5555/") and " " in case.expected:
            continue
        kinds.setdefault((case.group, case.kind), []).append(case)
    turns = cycle([cycle(each) for each in kinds.values()])
    return [next(turn) for turn in islice(turns, ROWS)]


@in_both_worlds
def test_what_is_loaded_back_names_no_other_work(with_neighbours: bool) -> None:
    """By hand: the file with corrected DOIs, and a new catalogue in which each of them stands in its row."""
    rows = catalogue()
    names = {case.expected for case in cases() if case.expected} | (neighbours() if with_neighbours else set())
    with proxy_where(names) as proxy:
        job = run(make_job(as_csv(case.input for case in rows), proxy, column="doi"), proxy)
        corrected = list(csv.DictReader(io.StringIO(corrected_file(job))))
        assert len(corrected) == ROWS
        assert wrong_in(rows, corrected) == []
        loaded = [
            replace(case, input=row["corrected_doi"] or case.input) for case, row in zip(rows, corrected, strict=True)
        ]
        again = run(make_job(as_csv(case.input for case in loaded), proxy, column="doi"), proxy)
        checked = list(csv.DictReader(io.StringIO(corrected_file(again))))
    assert wrong_in(rows, checked) == []
    for before, after in zip(corrected, checked, strict=True):
        if before["corrected_doi"]:
            assert after["outcome"] == "resolved", before
    twice = Counter(row["correction"] for row in checked)
    assert twice["unchanged"] > 0.99 * sum(bool(row["corrected_doi"]) for row in corrected)
    counted = Counter(row["correction"] for row in corrected)
    assert counted["suggested"] > ROWS / 3
    assert counted["review"] > 0
    assert sum(counted.values()) == ROWS


def corrected_file(job: Job) -> str:
    """The file that a librarian downloads."""
    rows = iterate_results(job)
    lines = generate_csv(make_table(job.header or [], rows, list_columns(corrected=True)))
    return b"".join(lines).decode("utf-8-sig")


def wrong_in(rows: list[Case], corrected: list[dict[str, str]]) -> list[str]:
    """The rows whose corrected DOI is another than the one that the text means."""
    return [
        f"{case.kind}: {case.input!r} -> {row['corrected_doi']!r} ({row['correction']}) not {target(case)!r}"
        for case, row in zip(rows, corrected, strict=True)
        if row["corrected_doi"] and fold(row["corrected_doi"]) != fold(target(case))
    ]

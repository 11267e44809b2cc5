"""A list with all kinds of names, and what must be true of it after whatever happened."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from resolver.services.jobs.import_rows import ROWS_IN_CHUNK
from tests.faults.portal import Json, Visitor

PROCESSES = 2
NUMBER = re.compile(r"-(\d+)$")  # of the row, at the end of each name, from 0
ROUND = 20  # after so many rows the kinds begin again


def lines(label: str, rows: int) -> list[str]:
    """Names that stand nowhere else when the label does not: most resolve, some do not, some are no names, some are
    there twice."""
    made = []
    for n in range(rows):
        match n % ROUND:
            case 3:
                made.append(f"10.5555/{label}-missing-{n}")
            case 5:
                made.append(f"https://doi.org/10.5555/{label}-alias-{n}")
            case 7:
                made.append(f"doi:10.5555/{label}-novalues-{n}.")
            case 9:
                made.append(f"{label}: no name in line {n}")
            case 11:
                made.append(f"10.5555/{label}-{n - 11}")
            case _:
                made.append(f"10.5555/{label}-{n}")
    return made


@dataclass(frozen=True)
class ListVerdict:
    """What was found of a job that has ended; `faults` is empty when all is as it must be. `incomplete` counts the rows
    with the right outcome that tell less than they might (no agency, no suggestion)."""

    rows: int
    with_outcome: int
    repeated: int
    incomplete: int
    faults: tuple[str, ...]


JUDGED: list[ListVerdict] = []  # in the test that runs


def judge(visitor: Visitor, job_id: str, label: str, expected: list[Json], *, lost: int = PROCESSES) -> ListVerdict:
    """Compare the job with what an undisturbed run gave for the same list under another label (`results`).

    `lost`: so many processes may have lost what they had asked for: as many names each as a chunk has, which lie in one
    chunk or in two that follow each other.
    A row of a job that was stopped may be without an outcome; one that has an outcome has the right one.
    """
    job, found = visitor.job(job_id), visitor.rows(job_id)
    with_outcome = [row for row in found if row["outcome"]]
    faults = []
    if [row["line"] for row in found] != list(range(1, len(expected) + 1)):
        faults.append(f"{len(found)} rows instead of {len(expected)}, or in another order")
    if job["state"] == "finished" and len(with_outcome) != len(found):
        faults.append(f"{len(found) - len(with_outcome)} rows have no outcome")
    if job["done"] != len(with_outcome):
        faults.append(f"done is {job['done']}, but {len(with_outcome)} rows have an outcome")
    if job["counts"] != (counted := counts(with_outcome)):
        faults.append(f"the counts are {job['counts']}, but those of the rows are {counted}")
    right = {row["line"]: row for row in expected}
    other = [row for row in with_outcome if plain(row, label) != right.get(row["line"])]
    wrong = [row for row in other if row["outcome"] != right[row["line"]]["outcome"]]
    if wrong:
        faults.append(f"{len(wrong)} rows have another outcome, the first: {wrong[0]}")
    repeated = {question.partition(" ")[2] for question in visitor.portal.proxy.count(f"/{label}-")["repeated"]}
    if len(in_chunks := chunks(repeated)) > 2 * lost or len(repeated) > lost * ROWS_IN_CHUNK:
        faults.append(f"{len(repeated)} names of the chunks {sorted(in_chunks)} were answered more than once")
    JUDGED.append(ListVerdict(len(found), len(with_outcome), len(repeated), len(other) - len(wrong), tuple(faults)))
    return JUDGED[-1]


def chunks(names: Iterable[str]) -> set[int]:
    """The numbers of those in which the names of `lines` stand."""
    return {int(number[1]) // ROWS_IN_CHUNK for name in names if (number := NUMBER.search(name))}


def results(visitor: Visitor, job_id: str, label: str) -> list[Json]:
    """The rows without what differs from run to run."""
    return [plain(row, label) for row in visitor.rows(job_id)]


def plain(row: Json, label: str) -> Json:
    return {name: _without(label, value) for name, value in row.items() if name not in ("checked_at", "answered_at")}


def _without(label: str, value: Any) -> Any:
    if isinstance(value, str):
        return value.replace(label, "LABEL")
    if isinstance(value, list):
        return [_without(label, item) for item in value]
    if isinstance(value, dict):
        return {name: _without(label, item) for name, item in value.items()}
    return value


def counts(rows: list[Json]) -> Json:
    """As the job counts them."""
    return {
        "outcome": dict(Counter(row["outcome"] for row in rows)),
        "problem": dict(Counter(code for row in rows for code in row["problems"])),
        "ra": dict(Counter(row["ra"] for row in rows if row["ra"])),
    }

"""A finished job of any size, written straight into the database: what a librarian's list comes to when it is checked.

Written in the two steps of the real thing (rows as they are read, then what was found), since an updated table is
larger than a new one. Two thirds of the rows are in order; the last row alone has LAST, so that looking for it has to
go past all the others.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import transaction

from resolver.domain.name.doi import fold
from resolver.domain.report.triage import needs_review
from resolver.models import Chunk, Job, Row, State, raw_sql
from resolver.services.jobs.duplicates import fingerprint
from resolver.services.report_columns import pad_codes
from resolver.sheets.input.layout import Layout

OWNER = "session:benchmark"
OTHERS = ("session:somebody", OWNER)  # whose jobs stand before and after it
HEADER = ["number", "title", "authors", "journal", "year", "DOI"]
LAST = {"outcome": "no-values", "problem": "alias-loop", "ra": "KISTI", "q": "the-only-one-of-its-kind"}
NOW = datetime(2026, 3, 1, tzinfo=UTC)
IN_CHUNK = 500
AT_ONCE = 10_000

RESULT = (
    "doi", "key", "fingerprint", "same_as", "url", "outcome", "ra", "ra_status", "prefix_ra", "urls", "problems",
    "needs_review", "messages", "suggestion", "checked_at", "proxy",
)  # fmt: skip
AGENCIES = ("Crossref",) * 14 + ("DataCite",) * 4 + ("mEDRA", "JaLC")
ODD_NAMES = (
    "unescaped-hash",
    "old-resolver",
    "trailing-punctuation",
    "html-entity",
    "look-alike",
    "tracking-parameter",
)
PREFIXES = ("10.1016", "10.1371", "10.5281", "10.1002", "10.1007", "10.1038", "10.14454", "10.3390")


def text_of(line: int) -> str:
    """What stands in the column with the DOIs."""
    name = name_of(line)
    if line % 23 == 7:
        return f"Müller, A. (2004). On names, part {line}. Journal of Applied Names, 10(1), 12-19."
    return f"https://doi.org/{name}" if line % 3 else name


def name_of(line: int) -> str:
    """The DOI name; a few of them stand on two lines."""
    distinct = line // 2 if line % 50 == 0 else line
    return f"{PREFIXES[distinct % 8]}/J.made-up.{2000 + distinct % 25}.{distinct:07d}"


def found(line: int, last: bool) -> tuple[Any, ...]:
    """The values of RESULT."""
    kind, name = line % 23, name_of(line)
    ra, problems, outcome, prefix_ra, messages, suggestion = AGENCIES[line % 20], "", "resolved", "", "", ""
    if last:
        outcome, problems, ra = LAST["outcome"], f" {LAST['problem']} ", LAST["ra"]
    elif kind == 7:
        name, ra, outcome, problems = "", "", "invalid", " no-doi "
        messages = "Nothing here reads as a DOI; a DOI begins with 10., a number and a slash."
    elif kind in (3, 11):
        outcome, prefix_ra, ra = "not-found", ra, ""
        problems = pad_codes((ODD_NAMES[line % 6], ODD_NAMES[line // 7 % 6])) if kind == 3 else ""
        suggestion = f"{name}x" if kind == 3 else ""
        messages = "The prefix is known: Crossref answers for it, but not for this name."
    elif kind in (5, 13, 17):
        problems = f" {ODD_NAMES[line % 6]} "
        messages = "There is a character here that has to be written in another way."
    elif line % 211 == 0:
        outcome, messages, ra = "unreachable", "The DOI proxy did not answer.", ""
    elif kind == 19:
        outcome = "no-url"
    first = line // 2 if line % 50 == 0 and name and name_of(line // 2) == name and line // 2 % 23 != 7 else None
    key = fold(name or text_of(line))
    return (
        name, key, fingerprint(key) if name else None, first, f"https://doi.org/{name}" if name else "", outcome, ra,
        "" if ra else "DOI does not exist", prefix_ra, [f"https://example.org/articles/{line}"] if ra else [], problems,
        needs_review(outcome, problems.split()), messages, suggestion, NOW, "https://doi.org",
    )  # fmt: skip


def made_up_job(rows: int) -> Job:
    """The job of so many rows, between others of the same owner and of somebody else; it is built only once."""
    name = f"made-up-{rows}.csv"
    job = Job.objects.filter(owner=OWNER, filename=name, state=State.FINISHED).first()
    if job is None:
        Job.objects.filter(filename=name).delete()  # half of one
        build("before.csv", rows // 50, OTHERS[0])
        job = build(name, rows, OWNER)
        build("after.csv", rows // 50, OTHERS[1])
    return job


def build(filename: str, rows: int, owner: str) -> Job:
    """A job of so many rows, with its chunks and counts."""
    layout = Layout("csv", "utf-8", ",", True, True, tuple(HEADER), HEADER.index("DOI"), rows)
    job = Job.objects.create(
        owner=owner, filename=filename, column="DOI", header=HEADER, layout=layout.to_json(), state=State.READING,
        total=rows, created_at=NOW, started_at=NOW, upload="none", proxy="https://doi.org",
    )  # fmt: skip
    for start in range(1, rows + 1, AT_ONCE):
        with transaction.atomic():
            store(job, range(start, min(start + AT_ONCE, rows + 1)), rows)
    job.state, job.done, job.finished_at = State.FINISHED, rows, NOW + timedelta(hours=1)
    job.save()
    return job


def store(job: Job, lines: range, rows: int) -> None:
    """Some rows, first as they are read and then as they are found to be."""
    last = lines[-1]
    chunks = ((start, min(start + IN_CHUNK - 1, last)) for start in range(lines[0], last + 1, IN_CHUNK))
    Chunk.objects.bulk_create(
        Chunk(job=job, number=start // IN_CHUNK, first_line=start, last_line=end, done=True) for start, end in chunks
    )
    read = [(job.pk, line, *_read(line, line == rows)) for line in lines]
    raw_sql.insert(Row, ("job", "line", "cells", "input"), read)
    stored = dict(Row.objects.filter(job=job, line__range=(lines[0], last)).values_list("line", "pk"))
    checked = [Row(pk=stored[line], **dict(zip(RESULT, found(line, line == rows), strict=True))) for line in lines]
    raw_sql.update(checked, RESULT)
    _count(job, checked)


def _read(line: int, last: bool) -> Iterator[Any]:
    title = LAST["q"] if last else f"On the {line}. name: what it means, and to whom it was given"
    text = f"{text_of(line)}?{LAST['q']}" if last else text_of(line)
    yield [str(line), title, "Müller, A.; Ångström, B.", "Journal of Applied Names", str(1950 + line % 70), text]
    yield text


def _count(job: Job, rows: Sequence[Row]) -> None:
    for row in rows:
        job.duplicates += row.same_as is not None
        job.needs_review += row.needs_review
        for kind, values in (("outcome", [row.outcome]), ("problem", row.problem_codes), ("ra", [row.ra])):
            for value in filter(None, values):
                job.counts[kind][value] = job.counts[kind].get(value, 0) + 1

"""Many rows written at once."""

from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import DataError, IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from resolver.models import Chunk, Job, StoredAnswer, raw_sql

pytestmark = pytest.mark.django_db

COLUMNS = ("name", "record", "record_at", "ra")
NOW = datetime(2026, 11, 23, 12, 0, 0, 123_456, tzinfo=UTC)


def insert(*rows: tuple[Any, ...], proxy: str = "https://doi.org") -> None:
    given = [(proxy, *row) for row in rows]
    raw_sql.insert_rows(StoredAnswer, ("proxy", "digest", *COLUMNS), given, unique=("proxy", "digest"), update=COLUMNS)


def stored() -> list[tuple[Any, ...]]:
    return list(StoredAnswer.objects.order_by("digest").values_list("digest", *COLUMNS))


@pytest.mark.parametrize(
    "text", ["", "10.1000/\x00\x1a\ud800 'q' \"d\" \\ {1,NULL}, \u2028", "NULL", "ä" * 5000], ids=ascii
)
def test_values_come_back_exactly(text: str) -> None:
    rows = [("a", text, {"raw": {"handle": text, "n": [1.5, None]}}, NOW, text), ("b", "b", None, None, "")]
    insert(*rows)
    assert stored() == rows


def test_a_second_row_with_the_same_key_replaces_the_first_also_within_one_call() -> None:
    insert(("a", "old", None, None, ""), ("b", "b", None, None, ""))
    insert(("b", "1", None, NOW, ""), ("a", "new", None, None, "Crossref"), ("b", "2", None, NOW, ""))
    assert stored() == [("a", "new", None, None, "Crossref"), ("b", "2", None, NOW, "")]


def test_rows_of_many_megabytes_are_all_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raw_sql, "MAX_JSON_BYTES", 1000)
    rows = [(f"{n:03}", "x" * 200, None, None, "") for n in range(20)]
    insert(*rows)
    assert stored() == rows
    answers = list(StoredAnswer.objects.order_by("digest"))
    for answer in answers:
        answer.ra = f"of {answer.digest}"
    raw_sql.update_rows(answers, ["ra"])
    assert [row[-1] for row in stored()] == [f"of {n:03}" for n in range(20)]


def test_rows_of_more_values_than_one_statement_takes_are_all_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raw_sql, "MAX_VALUES", 30)
    insert(*((f"{n:03}", "x", None, NOW, "") for n in range(20)))
    answers = list(StoredAnswer.objects.order_by("digest"))
    for answer in answers:
        answer.ra = f"of {answer.digest}"
    raw_sql.update_rows(answers, ["ra", "name", "record", "record_at"])
    assert stored() == [(f"{n:03}", "x", None, NOW, f"of {n:03}") for n in range(20)]


def test_only_the_named_columns_of_the_given_rows_are_updated() -> None:
    insert(("a", "a", None, NOW, "x"), ("b", "b", None, NOW, "x"))
    first = StoredAnswer.objects.get(digest="a")
    first.ra, first.name = "y", "not stored"
    raw_sql.update_rows([first], ["ra"])
    assert stored() == [("a", "a", None, NOW, "y"), ("b", "b", None, NOW, "x")]


@pytest.mark.django_db(transaction=True)
def test_no_rows_take_no_transaction() -> None:
    with CaptureQueriesContext(connection) as queries:
        insert()
        raw_sql.update_rows([], ["ra"])
    assert not queries.captured_queries
    assert stored() == []


def test_a_refused_row_refuses_the_whole_call() -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        insert(("a", "a", None, None, ""), ("b", None, None, None, ""))
    assert stored() == []


@pytest.mark.django_db(transaction=True)
def test_a_refused_row_refuses_the_statements_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raw_sql, "MAX_VALUES", 30)
    rows: list[tuple[Any, ...]] = [(f"{n:03}", "x", None, None, "") for n in range(20)]
    with pytest.raises(IntegrityError):
        insert(*rows, ("last", None, None, None, ""))
    assert stored() == []


def test_a_value_longer_than_its_column_is_refused_or_stored_whole_and_never_cut() -> None:
    """SQLite has no lengths of text."""
    long = "b" * 65
    with suppress(DataError), transaction.atomic():
        insert((long, "b", None, None, ""))
    assert stored() in ([], [(long, "b", None, None, "")])


@pytest.mark.parametrize("number", [0, 1, 3, 1000])
def test_rows_are_found_by_any_number_of_texts(number: int) -> None:
    texts = [f"{n:04} 'q' \"d\" \\ %s {{}}" for n in range(number)]
    insert(*((text, "n", None, NOW, "x") for text in texts), ("other", "n", None, None, ""))
    insert(*((text, "n", None, None, "y") for text in texts), proxy="https://elsewhere.example")
    found = raw_sql.select_rows(
        StoredAnswer, ("digest", "record_at", "ra"), ("proxy", "https://doi.org"), ("digest", [*texts, "not stored"])
    )
    assert sorted(found) == [(text, NOW, "x") for text in texts]


def test_rows_are_found_by_numbers_and_only_where_another_column_is_empty() -> None:
    """Values that Django stores in a form of its own (an id of a list) may be the value that all have in common."""
    job, other = (Job.objects.create(owner=owner, created_at=NOW, proxy="-") for owner in "ab")
    for number in range(4):
        claimed = NOW if number == 2 else None
        Chunk.objects.create(job=job, number=number, first_line=number, last_line=10 + number, claimed_until=claimed)
        Chunk.objects.create(job=other, number=number, first_line=number, last_line=20 + number)
    found = raw_sql.select_rows(
        Chunk, ("number", "last_line"), ("job", job.pk), ("number", [1, 2, 3, 2**31 - 1]), null="claimed_until"
    )
    assert sorted(found) == [(1, 11), (3, 13)]


@pytest.mark.parametrize(
    "text", ["", "10.1000/\x00\x1a\ud800 'q' \"d\" \\ {1,NULL}, \u2028\x7f", "null", "ä" * 5000], ids=ascii
)
def test_the_rows_of_a_query_come_back_exactly_and_in_its_order(text: str) -> None:
    rows: list[tuple[Any, ...]] = [("b", text, {"raw": {"handle": text, "n": [1.5, None]}}, NOW, text)]
    rows += [("a", "a", None, None, ""), ("c", "not wanted", None, None, "")]
    insert(*rows)
    wanted = StoredAnswer.objects.exclude(name="not wanted").order_by("-digest")
    assert list(raw_sql.load_rows(wanted, ("digest", *COLUMNS))) == rows[:2]
    assert list(raw_sql.load_rows(wanted.filter(ra="?"), ("digest",))) == []


def test_objects_of_a_query_have_the_named_columns_with_their_types() -> None:
    job = Job.objects.create(owner="a", created_at=NOW, proxy="-")
    Chunk.objects.create(job=job, number=2**31 - 1, first_line=1, last_line=5, claimed_until=NOW, prechecked=True)
    columns = ("prechecked", "number", "id", "claimed_until", "job_id")
    (chunk,) = raw_sql.load_objects(Chunk.objects.all(), columns)
    assert chunk.get_deferred_fields() == {field.attname for field in Chunk._meta.concrete_fields} - set(columns)
    assert (chunk.job_id, chunk.number, chunk.claimed_until, chunk.prechecked) == (job.pk, 2**31 - 1, NOW, True)

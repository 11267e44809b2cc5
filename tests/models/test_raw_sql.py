"""Many rows written at once."""

from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import DataError, IntegrityError, transaction

from resolver.models import StoredAnswer, raw_sql

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
    monkeypatch.setattr(raw_sql, "LONGEST_JSON", 1000)
    rows = [(f"{n:03}", "x" * 200, None, None, "") for n in range(20)]
    insert(*rows)
    assert stored() == rows
    answers = list(StoredAnswer.objects.order_by("digest"))
    for answer in answers:
        answer.ra = f"of {answer.digest}"
    raw_sql.update_rows(answers, ["ra"])
    assert [row[-1] for row in stored()] == [f"of {n:03}" for n in range(20)]


def test_only_the_named_columns_of_the_given_rows_are_updated() -> None:
    insert(("a", "a", None, NOW, "x"), ("b", "b", None, NOW, "x"))
    first = StoredAnswer.objects.get(digest="a")
    first.ra, first.name = "y", "not stored"
    raw_sql.update_rows([first], ["ra"])
    assert stored() == [("a", "a", None, NOW, "y"), ("b", "b", None, NOW, "x")]


def test_nothing_is_written_of_no_rows() -> None:
    insert()
    raw_sql.update_rows([], ["ra"])
    assert stored() == []


def test_a_refused_row_refuses_the_whole_call() -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        insert(("a", "a", None, None, ""), ("b", None, None, None, ""))
    assert stored() == []


def test_a_value_longer_than_its_column_is_refused_or_stored_whole_and_never_cut() -> None:
    """SQLite has no lengths of text."""
    long = "b" * 65
    with suppress(DataError), transaction.atomic():
        insert((long, "b", None, None, ""))
    assert stored() in ([], [(long, "b", None, None, "")])

"""What migrations do to large tables on PostgreSQL, by the statements of `manage.py sqlmigrate`.

A statement that writes a large table anew, or reads all of it under a lock, stops the portal for as long as that takes.
A migration that does so fails here, unless it is in LISTED, and docs/for-operators.md has its figures.
Ways around: `AddIndexWithoutLock` (resolver/models/migration_operations.py), `db_default`, and RunPython in batches in
a migration with `atomic = False`, as 0039 has it.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import pytest
import sqlparse
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import IntegrityError, OperationalError, connection, transaction
from django.db.migrations.loader import MigrationLoader

from resolver.models import Job, Row, migration_operations
from resolver.models.migration_operations import AddIndexWithoutLock
from tests.meanwhile import WAITING, AnotherConnection, another_connection
from tests.services.conftest import NOW

LARGE = {"Row", "Chunk", "Lookup", "StoredAnswer", "Difference", "EarlierDecision", "Delivery"}
TABLES = {apps.get_model("resolver", name)._meta.db_table for name in LARGE}
MIGRATIONS = sorted(path.stem for path in (Path(__file__).parents[2] / "resolver" / "migrations").glob("0*.py"))

# What each migration may do. A new one belongs here only if there is no other way, and it was measured
# (benchmarks/results.md, upgrade).
LISTED = {
    "0001_squashed_0038_part_of_watch_change": {"RunPython"},  # looks for older tables
    "0039_elsewhere_needs_review": {"RunPython"},  # in batches
}

WAITED_FOR = TABLES | {"resolver_job"}

_CREATED = re.compile(r'CREATE TABLE "(\w+)"', re.IGNORECASE)
_CHANGED = re.compile(r'(?:ALTER TABLE(?: ONLY)?|UPDATE|DELETE FROM|INSERT INTO|ON) "(\w+)"', re.IGNORECASE)
_CONSTANT = r"(?:'(?:[^']|'')*'|-?[\d.]+|true|false|null)(?:::\w+)?(?=\s|$)"
_KINDS = {  # a finding, and what it looks like
    "ALTER TYPE": r'ALTER COLUMN "\w+" (?:SET DATA )?TYPE\b',
    "CREATE INDEX": r"^CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)",
    "ADD CONSTRAINT": r"ADD (?:CONSTRAINT|UNIQUE|PRIMARY KEY|FOREIGN KEY|CHECK)\b(?!.*(?:NOT VALID|USING INDEX))",
    "CHECK": r"ADD COLUMN .*\bCHECK\b",
    "UNIQUE": r"ADD COLUMN .*\b(?:UNIQUE|PRIMARY KEY)\b",
    "REFERENCES": r"ADD COLUMN .*\bREFERENCES\b",
    "NOT NULL": r'ALTER COLUMN "\w+" SET NOT NULL',
    "DEFAULT": rf"ADD COLUMN .*(?:\bDEFAULT (?!{_CONSTANT})|\bGENERATED\b|\b\w*SERIAL\b)",
    "UPDATE": r"^(?:UPDATE|DELETE FROM|INSERT INTO)\b",
}


def find_locks(sql: str) -> Iterator[str]:
    """Yield each finding in the statements of a migration: the table and what is done to it, or RunPython."""
    if "cannot be written as sql" in sql.lower():
        yield "RunPython"
    created = set(_CREATED.findall(sql))
    for statement in map(str.strip, sqlparse.split(sqlparse.format(sql, strip_comments=True))):
        line = " ".join(statement.split())
        for table in TABLES.intersection(_CHANGED.findall(line)) - created:
            for kind, looks in _KINDS.items():
                if re.search(looks, line, re.IGNORECASE):
                    yield f"{table}: {kind}"


def find_sudden_locks(sql: str) -> Iterator[str]:
    """Yield each table that a migration changes without `LockTables`, or refers to: its writers wait for that."""
    free = WAITED_FOR - set(_CREATED.findall(sql))
    for statement in map(str.strip, sqlparse.split(sqlparse.format(sql, strip_comments=True))):
        if statement.startswith("LOCK TABLE"):
            free -= set(re.findall(r'"(\w+)"', statement))
        elif statement.startswith(("ALTER TABLE", "CREATE TABLE")) and "VALIDATE CONSTRAINT" not in statement:
            yield from free.intersection(re.findall(r'(?:^ALTER TABLE|\bREFERENCES) "(\w+)"', statement))


def read_sql(migration: str) -> str:
    assert connection.vendor == "postgresql", "these tests are about PostgreSQL: run them without TEST_DATABASE"
    printed = StringIO()
    call_command("sqlmigrate", "resolver", migration, stdout=printed, no_color=True)
    return printed.getvalue()


@pytest.mark.django_db
@pytest.mark.parametrize("migration", MIGRATIONS)
def test_no_migration_locks_a_large_table_unless_it_is_listed(migration: str) -> None:
    assert set(find_locks(read_sql(migration))) == LISTED.get(migration, set())


@pytest.mark.django_db
@pytest.mark.parametrize("migration", MIGRATIONS)
def test_a_migration_waits_in_short_tries_for_the_tables_that_it_changes(migration: str) -> None:
    assert set(find_sudden_locks(read_sql(migration))) == set()


@pytest.mark.parametrize(
    "change",
    [
        'ALTER TABLE "resolver_job" ADD COLUMN "a" text NULL;',
        'ALTER TABLE "b" ADD CONSTRAINT "c" FOREIGN KEY ("job_id") REFERENCES "resolver_job" ("id");',
        'CREATE TABLE "b" ("job_id" uuid NOT NULL CONSTRAINT "c" REFERENCES "resolver_job" ("id"));',
    ],
)
def test_a_table_that_is_changed_without_waiting_in_short_tries_is_found(change: str) -> None:
    assert list(find_sudden_locks(change)) == ["resolver_job"]
    assert list(find_sudden_locks(f'LOCK TABLE "resolver_row", "resolver_job" IN ACCESS EXCLUSIVE MODE;{change}')) == []


@pytest.mark.parametrize(
    ("sql", "finding"),
    [
        ('ALTER TABLE "resolver_row" ALTER COLUMN "line" TYPE bigint USING "line"::bigint;', "ALTER TYPE"),
        ('CREATE INDEX "a" ON "resolver_row" ("job_id", "line");', "CREATE INDEX"),
        ('CREATE UNIQUE INDEX "a" ON "resolver_row" ("job_id") WHERE "line" > 1;', "CREATE INDEX"),
        ('ALTER TABLE "resolver_row" ADD CONSTRAINT "a" CHECK ("line" > 0);', "ADD CONSTRAINT"),
        ('ALTER TABLE "resolver_row" ADD CONSTRAINT "a" UNIQUE ("line");', "ADD CONSTRAINT"),
        ('ALTER TABLE "resolver_row" ADD COLUMN "a" integer NULL CHECK ("a" >= 0);', "CHECK"),
        ('ALTER TABLE "resolver_row" ADD COLUMN "a" integer NULL UNIQUE;', "UNIQUE"),
        ('ALTER TABLE "resolver_row" ADD COLUMN "a" integer NULL CONSTRAINT "b" REFERENCES "c"("id");', "REFERENCES"),
        ('ALTER TABLE "resolver_row" ALTER COLUMN "a" SET NOT NULL;', "NOT NULL"),
        ('ALTER TABLE "resolver_row" ADD COLUMN "a" uuid DEFAULT gen_random_uuid() NOT NULL;', "DEFAULT"),
        ('ALTER TABLE "resolver_row" ADD COLUMN "a" timestamptz DEFAULT CURRENT_TIMESTAMP NOT NULL;', "DEFAULT"),
        ('ALTER TABLE "resolver_row" ADD COLUMN "a" text GENERATED ALWAYS AS (upper("b")) STORED;', "DEFAULT"),
        ('UPDATE "resolver_row" SET "a" = 1;', "UPDATE"),
        ("ALTER TABLE \"resolver_row\" ADD COLUMN \"a\" text DEFAULT 'it''s (1)' NOT NULL;", ""),
        ('ALTER TABLE "resolver_row" ADD COLUMN "a" boolean DEFAULT false NOT NULL;', ""),
        ('ALTER TABLE "resolver_row" ADD COLUMN "a" timestamp with time zone NULL;', ""),
        ('ALTER TABLE "resolver_row" ALTER COLUMN "a" DROP DEFAULT;', ""),
        ('CREATE INDEX CONCURRENTLY "a" ON "resolver_row" ("job_id", "line");', ""),
        ('ALTER TABLE "resolver_row" ADD CONSTRAINT "a" CHECK ("line" > 0) NOT VALID;', ""),
        ('CREATE INDEX "a" ON "resolver_draft" ("created_at");', ""),
        ('CREATE TABLE "resolver_row" ("id" bigint);\nCREATE INDEX "a" ON "resolver_row" ("id");', ""),
    ],
)
def test_statements_that_lock_a_large_table_are_found(sql: str, finding: str) -> None:
    assert list(find_locks(f"BEGIN;\n--\n-- A comment\n--\n{sql}\nCOMMIT;")) == (
        [f"resolver_row: {finding}"] if finding else []
    )


@pytest.mark.django_db(transaction=True)
def test_an_index_whose_building_was_interrupted_is_built_again() -> None:
    job = Job.objects.create(owner="user:1", created_at=NOW, filename="x", proxy="p")
    Row.objects.bulk_create(Row(job=job, line=line) for line in (1, 2))
    index = next(index for index in Row._meta.indexes if index.name == "row_host")
    state = MigrationLoader(connection).project_state()
    with connection.cursor() as cursor:
        cursor.execute("DROP INDEX row_host")
        with pytest.raises(IntegrityError):
            cursor.execute("CREATE UNIQUE INDEX CONCURRENTLY row_host ON resolver_row (outcome)")
        with connection.schema_editor(atomic=False) as editor:
            AddIndexWithoutLock("row", index).database_forwards("resolver", editor, state, state)
        cursor.execute("SELECT indisvalid, indisunique FROM pg_index WHERE indexrelid = 'row_host'::regclass")
        assert cursor.fetchall() == [(True, False)]


MIGRATION = import_module("resolver.migrations.0039_elsewhere_needs_review")
FIRST_BATCH = "SELECT {} FROM resolver_row WHERE line <= {} ORDER BY line"


def fill_rows() -> None:
    MIGRATION.fill_rows(apps, SimpleNamespace(connection=connection))


@contextmanager
def stopped_in_the_last_batch() -> Iterator[AnotherConnection[None]]:
    """Hold the row in the second batch of a list, so that what fills in the list waits for it."""
    job = Job.objects.create(owner="user:1", created_at=NOW, filename="x", proxy="p", layout={"expected": 1})
    lines = range(1, MIGRATION.BATCH + 2)
    Row.objects.bulk_create(Row(job=job, line=line, outcome="resolved", address="other-host") for line in lines)
    with another_connection(fill_rows) as filling, transaction.atomic():
        Row.objects.select_for_update().get(line=lines[-1])
        filling.begin()
        yield filling


@pytest.mark.django_db(transaction=True)
def test_others_read_and_write_rows_while_a_migration_fills_them_in() -> None:
    with stopped_in_the_last_batch() as filling:
        other = connection.copy()
        try:
            with other.cursor() as cursor:
                cursor.execute("BEGIN")
                cursor.execute("LOCK TABLE resolver_row, resolver_job IN ROW EXCLUSIVE MODE NOWAIT")
                cursor.execute(FIRST_BATCH.format("needs_review", MIGRATION.BATCH) + " FOR UPDATE NOWAIT")
                assert cursor.fetchall() == [(True,)] * MIGRATION.BATCH
        finally:
            other.close()
    filling.get_result()
    assert Job.objects.get().needs_review == Row.objects.filter(needs_review=True).count() == MIGRATION.BATCH + 1


@pytest.mark.django_db(transaction=True)
def test_a_filling_that_was_killed_continues_and_writes_no_row_twice() -> None:
    places = FIRST_BATCH.format("ctid", MIGRATION.BATCH)
    with connection.cursor() as cursor:
        with stopped_in_the_last_batch() as filling:
            cursor.execute(f"SELECT pg_terminate_backend(pid) {WAITING}")
            with pytest.raises(OperationalError):
                filling.get_result()
            cursor.execute(places)
            before = cursor.fetchall()
        fill_rows()
        cursor.execute(places)
        assert cursor.fetchall() == before
    assert Job.objects.get().needs_review == Row.objects.filter(needs_review=True).count() == MIGRATION.BATCH + 1


def lock_rows() -> None:
    state = MigrationLoader(connection).project_state()
    with connection.schema_editor() as editor:
        migration_operations.LockTables("row").database_forwards("resolver", editor, state, state)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("mode", "tries"),  # a backup; the autovacuum, which gives way only to one who waits for a second
    [("ACCESS SHARE", migration_operations.TRIES), ("SHARE UPDATE EXCLUSIVE", 1)],
)
def test_others_go_on_while_a_migration_waits_for_a_table(
    mode: str, tries: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migration_operations, "TRIES", tries)
    other = connection.copy()
    with another_connection(lock_rows) as migration:
        try:
            with transaction.atomic(), connection.cursor() as cursor, other.cursor() as another:
                cursor.execute(f"LOCK TABLE resolver_row IN {mode} MODE")
                migration.begin()
                another.execute("SET lock_timeout = '20s'")  # it would wait as long as the migration does
                another.execute("UPDATE resolver_row SET line = line")
                assert not migration.has_ended()
        finally:
            other.close()
        migration.get_result()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("mode", "bound"), [("ACCESS SHARE", {"TRIES": 2}), ("SHARE UPDATE EXCLUSIVE", {"VACUUM_MILLISECONDS": 100})]
)
def test_a_migration_that_gets_no_lock_ends_with_an_error(
    mode: str, bound: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in bound.items():
        monkeypatch.setattr(migration_operations, name, value)
    with another_connection(lock_rows) as migration, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"LOCK TABLE resolver_row IN {mode} MODE")
        migration.begin()
        with pytest.raises(CommandError, match='resolver_row": in use by another transaction for five minutes'):
            migration.get_result()


@pytest.mark.django_db(transaction=True)
def test_a_migration_says_once_for_which_tables_it_waits(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(migration_operations, "TRIES", 2)
    with another_connection(lock_rows) as migration, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("LOCK TABLE resolver_row IN ACCESS SHARE MODE")
        migration.begin()
        with pytest.raises(CommandError):
            migration.get_result()
    assert [record.getMessage() for record in caplog.records] == [
        'Waiting for "resolver_row": in use by another transaction, such as a backup. This fails after five minutes.'
    ]

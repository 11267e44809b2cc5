"""An upgrade on PostgreSQL with a list of a million rows while others work: the time of each migration, the longest
pause that a reader and a writer felt, tables that were written anew, and what an older process can no longer insert.

The database starts with the tables of an earlier version (`START`), filled by SQL: the long list, a running list,
stored answers and lookups. Then `manage.py migrate` makes one migration after another, while two processes look at rows
and answers, and write rows, counts, lookups and the name of the long list, as a worker and visitors do. Their
statements fit both versions.
`BENCH_ROWS=100000 python -m benchmarks upgrade` measures a shorter list.
"""

import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event
from pathlib import Path

import psycopg

from tests import services_plugin

ROOT = Path(__file__).parents[1]
ROWS = int(os.environ.get("BENCH_ROWS") or 1_000_000)
START = "0001_squashed_0038_part_of_watch_change"  # the tables of version 0.2.0
RUNNING = 10_000  # rows of the list that is being checked
STORED = 100_000  # answers, and lookups
CHUNK = 500  # rows that the writer gives results at once
BETWEEN = 0.02  # seconds between two actions of a process
SPAWN = multiprocessing.get_context("spawn")

_LONG, _SHORT = "00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"
_PROXY = "https://doi.org"

# The old rows: one in fifty isn't registered, one in ten has a problem, as in lists of the corpus. One in ten of the
# others leads to another site than expected, which an upgrade gives another group.
_JOB = f"""
INSERT INTO resolver_job (id, owner, idempotency_key, request_id, created_at, finished_at, reader, filename, name, note,
    upload, digest, requested_column, "column", header, layout, shown_columns, quick, state, total, counted_rows, done,
    incomplete, needs_review, tidier, counts, prechecking, review_version, precheck, duplicates, error, proxy, sample,
    share_token, background)
VALUES (%(job)s, 'session:a', '', '', now(), now(), '', 'list.csv', '', '', 'a', '', '', 'doi', '["doi", "title"]',
    '{{"expected": 1}}', 'null', false, %(state)s, %(rows)s, %(rows)s, %(rows)s, 0, 0, 0,
    '{{"outcome": {{}}, "problem": {{}}, "ra": {{}}}}', false, 0, 'null', 0, '', '{_PROXY}', false, '', false)
"""
_ROWS = f"""
INSERT INTO resolver_row (job_id, line, part, cells, input, doi, key, fingerprint, url, outcome, ra, ra_status,
    prefix_ra, prefix_status, urls, address, host, problems, messages, suggestion, doubtful, also_registered, others,
    alias_of, incomplete, needs_review, tidier, checked_at, answered_at, cached, proxy, correction, decision,
    decided_doi, decided_proposal, decided_by)
SELECT %(job)s, n, 0, format('["10.1000/upgrade.%%s", "A title of about the usual length, number %%s"]', n, n),
    format('10.1000/upgrade.%%s', n), format('10.1000/upgrade.%%s', n), format('10.1000/upgrade.%%s', n), n,
    format('https://doi.org/10.1000/upgrade.%%s', n), CASE WHEN n %% 50 = 0 THEN 'not-found' ELSE 'resolved' END,
    CASE WHEN n %% 50 = 0 THEN '' ELSE (ARRAY['Crossref', 'DataCite', 'mEDRA'])[n %% 3 + 1] END, '', '', '',
    format('["https://publisher.example/articles/%%s"]', n), CASE WHEN n %% 10 = 3 THEN 'other-host' ELSE 'same' END,
    'publisher.example',
    CASE WHEN n %% 10 = 0 THEN ' unescaped-hash ' WHEN n %% 10 = 1 THEN ' old-resolver ' ELSE '' END, '', '',
    false, '[]', '[]', '', false, n %% 10 = 0, n %% 10 = 1, now(), now(), false, '{_PROXY}', 'unchanged', '', '', '', ''
FROM generate_series(%(first)s::int, %(last)s::int) AS n
"""
_ANSWERS = f"""
INSERT INTO resolver_storedanswer (proxy, digest, name, record, record_at, ra, ra_status, agency_at, metadata)
SELECT '{_PROXY}', encode(sha256(n::text::bytea), 'hex'), format('10.1000/upgrade.%%s', n), repeat('x', 600), now(),
    'Crossref', '', now(), 'null'
FROM generate_series(%(first)s::int, %(last)s::int) AS n
"""
_LOOKUPS = f"""
INSERT INTO resolver_lookup (id, owner, created_at, input, form, doi, search, outcome, ra, ra_status, prefix_ra,
    prefix_status, urls, record, alias_of, suggestion, problems, problem_codes, candidates, others, proxy, cached,
    sample)
SELECT gen_random_uuid(), 'session:a', now(), '10.1000/a', 'name', '10.1000/a', '10.1000/a', 'resolved', 'Crossref', '',
    '', '', '[]', repeat('x', 600), '', 'null', '[]', '', '[]', '[]', '{_PROXY}', false, false
FROM generate_series(%(first)s::int, %(last)s::int) AS n
"""
# What is read and written meanwhile.
_READ = (
    f"SELECT * FROM resolver_row WHERE job_id = '{_LONG}' AND line > {ROWS // 2} ORDER BY line LIMIT 50",
    f"SELECT outcome, count(*) FROM resolver_row WHERE job_id = '{_SHORT}' GROUP BY outcome",
    f"SELECT * FROM resolver_job WHERE id = '{_SHORT}'",
    f"SELECT * FROM resolver_storedanswer WHERE proxy = '{_PROXY}' AND digest = encode(sha256('77'), 'hex')",
    "SELECT * FROM resolver_lookup WHERE owner = 'session:a' ORDER BY owner, created_at DESC, id DESC LIMIT 20",
)
_LOCK = f"SELECT id FROM resolver_job WHERE id = '{_SHORT}' FOR UPDATE"  # the job first: every writer does so
_WRITE_RESULTS = f"""
UPDATE resolver_row SET outcome = 'resolved', checked_at = now()
WHERE job_id = '{_SHORT}' AND line BETWEEN %(first)s AND %(last)s
"""
_COUNT_RESULTS = f"UPDATE resolver_job SET done = done, heartbeat_at = now() WHERE id = '{_SHORT}'"
_RENAME = f"UPDATE resolver_job SET name = 'Another name' WHERE id = '{_LONG}'"

# Inserts of a process of the earlier version.
_INSERTS = {
    "list": (_JOB, {"job": "00000000-0000-4000-8000-000000000003", "state": "queued", "rows": 0}),
    "row": (_ROWS, {"job": _SHORT, "first": RUNNING + 1, "last": RUNNING + 1}),
    "stored answer": (_ANSWERS, {"first": STORED + 1, "last": STORED + 1}),
    "lookup": (_LOOKUPS, {"first": 1, "last": 1}),
}


def connect(address: str) -> psycopg.Connection:
    """Connect as Django does, which prepares no statements."""
    return psycopg.connect(address, autocommit=True, prepare_threshold=None)


@dataclass(frozen=True)
class Felt:
    """One action of a process: when it began (monotonic), how many seconds it took, and the error that ended it."""

    who: str
    began: float
    seconds: float
    error: str = ""


def read(database: psycopg.Connection) -> None:
    """Look at pages of rows, a stored answer and the history."""
    for statement in _READ:
        database.execute(statement)


def write(database: psycopg.Connection) -> None:
    """Write the results of a chunk with the job's counts in one transaction, then a lookup and the long list's name."""
    first = int(time.monotonic() * 1000) % (RUNNING - CHUNK)
    with database.transaction():
        database.execute(_LOCK)
        database.execute(_WRITE_RESULTS, {"first": first, "last": first + CHUNK})
        database.execute(_COUNT_RESULTS)
    database.execute(_LOOKUPS, {"first": 1, "last": 1})
    database.execute(_RENAME)


ACTIONS: dict[str, Callable[[psycopg.Connection], None]] = {"reader": read, "writer": write}


def work(who: str, address: str, stop: Event, felt: "Queue[Felt]") -> None:
    """Do the action of a process again and again; run in a process of its own."""
    with connect(address) as database:
        while not stop.is_set():
            began, error = time.monotonic(), ""
            try:
                ACTIONS[who](database)
            except psycopg.Error as failure:
                error = type(failure).__name__
            felt.put(Felt(who, began, time.monotonic() - began, error))
            time.sleep(BETWEEN)


class Meanwhile:
    """The processes that work while the tables change, and what they felt."""

    def __init__(self, address: str) -> None:
        self._stop, self._queue = SPAWN.Event(), SPAWN.Queue()
        self._processes = [SPAWN.Process(target=work, args=(who, address, self._stop, self._queue)) for who in ACTIONS]
        self._felt: list[Felt] = []

    @contextmanager
    def at_work(self) -> Iterator[None]:
        for process in self._processes:
            process.start()
        try:
            self.wait_for_each()
            yield
        finally:
            self._stop.set()
            self._read_on(1)  # or a process would wait for room in the queue
            for process in self._processes:
                process.join(60)

    def wait_for_each(self) -> None:
        """Wait until each process has ended an action that began after now."""
        since, waited_for = time.monotonic(), set(ACTIONS)
        while waited_for:
            one = self._queue.get(timeout=600)
            self._felt.append(one)
            if one.began >= since:
                waited_for.discard(one.who)

    def between(self, began: float, ended: float) -> list[Felt]:
        """Return the actions that were under way in that time."""
        return [one for one in self._felt if one.began < ended and one.began + one.seconds > began]

    def _read_on(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end or not self._queue.empty():
            if not self._queue.empty():
                self._felt.append(self._queue.get())
            else:
                time.sleep(0.01)


@dataclass(frozen=True)
class Migrating:
    """The commands that change the tables of one database."""

    address: str
    folder: Path

    def to(self, migration: str) -> tuple[float, float]:
        """Bring the tables to this migration, and return when its work began and ended (monotonic)."""
        command = [sys.executable, "-u", "manage.py", "migrate", "--no-color", "resolver", migration]
        told = {**os.environ, "DATABASE_URL": self.address, "DOIPORTAL_DATA_DIR": str(self.folder / "var")}
        began = ended = 0.0
        printed = b""
        with subprocess.Popen(command, cwd=ROOT, env=told, stdout=subprocess.PIPE, bufsize=0) as process:
            assert process.stdout
            while some := process.stdout.read(4096):
                printed += some
                if not began and b"Applying resolver." in printed:
                    began = time.monotonic()
                if b" OK" in some:
                    ended = time.monotonic()
        if process.returncode:
            raise RuntimeError(printed.decode())
        return began, ended

    def left(self) -> list[str]:
        """Return the names of all migrations, the first first."""
        found = (ROOT / "resolver" / "migrations").glob("0*.py")
        return sorted(path.stem for path in found if path.stem > START)


def fill(address: str, rows: int) -> None:
    """Insert what an earlier version has stored."""
    with connect(address) as database:
        for job, state, count in ((_LONG, "finished", rows), (_SHORT, "checking", RUNNING)):
            database.execute(_JOB, {"job": job, "state": state, "rows": count})
            database.execute(_ROWS, {"job": job, "first": 1, "last": count})
        database.execute(_ANSWERS, {"first": 1, "last": STORED})
        database.execute(_LOOKUPS, {"first": 1, "last": STORED})
        database.execute("VACUUM ANALYZE")
        database.execute("CHECKPOINT")


def files_of_tables(database: psycopg.Connection) -> dict[str, int]:
    """Return each table with its file: a table that was written anew has another one."""
    found = database.execute(
        "SELECT relname, relfilenode FROM pg_class WHERE relname LIKE 'resolver%' AND relkind = 'r'"
    )
    return dict(found.fetchall())


def refused_inserts(database: psycopg.Connection) -> list[str]:
    """Return what a process of the earlier version can't insert now."""
    refused = []
    for what, (statement, values) in _INSERTS.items():
        try:
            with database.transaction(force_rollback=True):
                database.execute(statement, values)
        except (psycopg.errors.IntegrityError, psycopg.errors.UndefinedColumn):
            refused.append(what)
    return refused


def gibibytes(database: psycopg.Connection) -> float:
    found = database.execute("SELECT pg_database_size(current_database())").fetchone()
    return found[0] / 2**30 if found else 0.0


def case(rows: int) -> Iterator[tuple[str, str]]:
    """Every migration after START."""
    with (
        tempfile.TemporaryDirectory(prefix="doiportal-bench-") as name,
        services_plugin.postgres(Path(name, "postgres"), durable=True) as address,
    ):
        migrating = Migrating(address, Path(name))
        migrating.to(START)
        fill(address, rows)
        meanwhile = Meanwhile(address)
        steps: list[tuple[str, float, float, list[str]]] = []
        refused: list[str] = []
        with connect(address) as database:
            before = gibibytes(database)
            with meanwhile.at_work():
                quiet = time.monotonic()
                time.sleep(5)
                steps.append(("no migration", quiet, time.monotonic(), []))
                for migration in migrating.left():
                    old = files_of_tables(database)
                    began, ended = migrating.to(migration)
                    meanwhile.wait_for_each()
                    new = files_of_tables(database)
                    told = [f"{table} written anew" for table in old if new.get(table, old[table]) != old[table]]
                    others = [what for what in refused_inserts(database) if what not in refused]
                    told += [f"an older process can't insert a {what}" for what in others]
                    refused += others
                    steps.append((migration, began, ended, told))
            after = gibibytes(database)
    for migration, began, ended, changes in steps:
        felt = meanwhile.between(began, ended)
        pauses = [max((one.seconds for one in felt if one.who == who), default=0.0) for who in ACTIONS]
        told = [f"{ended - began:.1f} s", *(f"{who} {pause:.1f} s" for who, pause in zip(ACTIONS, pauses, strict=True))]
        told += changes
        errors = [one.error for one in felt if one.error]
        told += [f"{errors.count(error)} x {error}" for error in sorted(set(errors))]
        yield f"{rows:,} rows, {migration}", "; ".join(told)
    seconds = sum(ended - began for migration, began, ended, _ in steps[1:])
    yield f"{rows:,} rows, all migrations", f"{seconds:.0f} s"
    yield f"{rows:,} rows, the database before and after", f"{before:.1f} and {after:.1f} GiB"


def measure() -> Iterator[tuple[str, str]]:
    """At full size."""
    yield from case(ROWS)

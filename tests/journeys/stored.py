"""What no upload brings about on purpose, written into the portal's database; each is one change."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from doi_reading import Message
from resolver.models import Lookup
from resolver.models.fields import MessageField

PATIENCE = 60  # seconds for which the portal may hold the database


class StoredRows:
    """The tables of a portal on SQLite whose data are in `folder`; `pk` is the id of a list as its address has it."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "doiportal.sqlite3"

    def fail(self, pk: str) -> None:
        """Files are looked through before they are taken, so none fails on purpose."""
        self._change("UPDATE resolver_job SET state = 'failed', error = ? WHERE id = ?", "Line 4: odd.", _key(pk))

    def answer(self, pk: str, line: int, column: str, value: str) -> None:
        """Another answer in one row."""
        one = "WHERE job_id = ? AND line = ?"
        self._change(f"UPDATE resolver_row SET {column} = ? {one}", value, _key(pk), line)

    def leave_uncompared(self, pk: str, line: int) -> None:
        """A row whose agency gave no answer about its work, the only one of its list."""
        self._change(
            "UPDATE resolver_row SET work = 'could-not-ask', work_evidence = 'null', incomplete = 1"
            " WHERE job_id = ? AND line = ?",
            _key(pk),
            line,
        )
        counted = "json_set(counts, '$.work.same', 1, '$.work.could-not-ask', 1)"
        self._change(f"UPDATE resolver_job SET incomplete = 1, counts = {counted} WHERE id = ?", _key(pk))

    def count(self, pk: str, rows: int, counts: str) -> None:
        """Other numbers of a list that has ended; `counts` is JSON."""
        self._change(
            "UPDATE resolver_job SET total = ?, done = ?, counts = ? WHERE id = ?", rows, rows, counts, _key(pk)
        )

    def compare(self, before: str, after: str) -> None:
        """A comparison that somebody is at, and has done half of."""
        self._change(
            "INSERT INTO resolver_comparison (before_id, after_id, before_ended, after_ended, by_line, created_at,"
            " compared_up_to, done, counts, claim, claimed_until) SELECT one.id, two.id, one.finished_at,"
            " two.finished_at, 1, two.finished_at, 4, 0, '{\"unchanged\":4}', 'somebody', '2999-01-01 00:00:00'"
            " FROM resolver_job one, resolver_job two WHERE one.id = ? AND two.id = ?",
            _key(before),
            _key(after),
        )

    def check_hosts(self, pk: str, verdicts: Sequence[tuple[str, str, Message]], *, done: bool = True) -> None:
        """The check of a list's hosts, each host with its name, verdict ("": not yet) and detail; or one that somebody
        is at."""
        self._change(
            "INSERT INTO resolver_hostcheck (job_id, job_ended, started_at, finished_at, collected, done, hosts, rows,"
            " left_out, claim, claimed_until) SELECT id, finished_at, finished_at, finished_at, 1, ?, ?, 9999, 12, ?,"
            " '2999-01-01 00:00:00' FROM resolver_job WHERE id = ?",
            done,
            len(verdicts),
            "" if done else "somebody",
            _key(pk),
        )
        for place, (name, verdict, detail) in enumerate(verdicts, start=1):
            self._change(
                "INSERT INTO resolver_checkedhost (host_check_id, name, port, tls, addresses, rows, place, verdict,"
                " detail, checked_at) SELECT id, ?, 443, 1, '{}', ?, ?, ?, ?,"
                " CASE ? WHEN '' THEN NULL ELSE started_at END FROM resolver_hostcheck"
                " WHERE job_id = ?",
                name,
                2000 - place,
                place,
                verdict,
                MessageField().get_prep_value(detail),
                verdict,
                _key(pk),
            )

    def share(self, pk: str, token: str, owner: str = "") -> None:
        """Share the list; with an `owner`, it is that one's from now on."""
        given = "UPDATE resolver_job SET share_token = ?, owner = coalesce(nullif(?, ''), owner) WHERE id = ?"
        self._change(given, token, owner, _key(pk))

    def watch(self, pk: str) -> None:
        """Runs, changes and rows in every state, of a watch of a list with at least five rows."""
        watch = _key(pk)
        runs = "INSERT INTO resolver_watchrun (watch_id, state, started_at, checked_at, settled_at, total, unchecked,"
        runs += " broken, newly_broken, newly_working, error, mail_due, mail_batch)"
        runs += " VALUES (?, ?, ?, ?, ?, 5, ?, ?, ?, ?, '', 0, '')"
        for day in range(1, 29):
            at = f"2026-10-{day:02} 06:30:00"
            state, unchecked = ("incomplete", 4) if day in (9, 28) else ("failed", 0) if day == 15 else ("settled", 0)
            broken, new = (2, int(day == 10)) if 10 <= day < 20 else (1, 0)
            self._change(runs, watch, state, at, at, at, unchecked, broken, new, int(day == 20))
        row = "REPLACE INTO resolver_watchedrow (watch_id, line, state, outcome, since, note) VALUES (?, ?, ?, ?, ?, ?)"
        since = "2026-10-10 06:30:00"
        for line, state, outcome, note in (
            (1, "unknown", "", ""),
            (2, "broken", "not-found", ""),
            (3, "suspected", "no-url", ""),
            (4, "accepted", "deleted", "note" * 100),
            (5, "broken", "no-values", ""),
        ):
            self._change(row, watch, line, state, outcome, since, note)
        change = (
            "INSERT INTO resolver_watchchange (run_id, watch_id, line, row, part, works, input, doi, outcome, ra,"
            " suggestion, at) SELECT max(id), watch_id, ?, ?, 0, ?, doi, doi, ?, 'Crossref', ?, ? FROM (SELECT run.id,"
            " run.watch_id, row.doi FROM resolver_watchrun run, resolver_watch watch, resolver_row row WHERE"
            " run.watch_id = ? AND watch.id = run.watch_id AND row.job_id = watch.job_id AND row.line = ?)"
        )
        for line, works, outcome, suggestion in (
            (2, 0, "not-found", ""),
            (3, 0, "not-found", "10.5555/suggested"),
            (5, 0, "no-values", ""),
            (4, 0, "deleted", ""),
            (1, 1, "resolved", ""),
        ):
            self._change(change, line, line + 1, works, outcome, suggestion, since, watch, line)

    def remember(self, times: int) -> None:
        """Have each lookup so often more in the history."""
        fields = (field.column for field in Lookup._meta.concrete_fields)
        columns = ", ".join(name for name in fields if name not in ("id", "created_at"))
        for _ in range(times):
            self._change(
                f"INSERT INTO resolver_lookup (id, created_at, {columns})"
                f" SELECT lower(hex(randomblob(16))), datetime(created_at, '-1 day'), {columns} FROM resolver_lookup"
            )

    def _change(self, statement: str, *values: Any) -> None:
        with closing(sqlite3.connect(self._file, timeout=PATIENCE)) as database, database:
            database.execute(statement, values)


def _key(pk: str) -> str:
    return pk.replace("-", "")

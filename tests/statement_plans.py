"""How PostgreSQL executes each statement that our code sends: recorded while the code runs, by EXPLAIN ANALYZE."""

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

EXPLAIN = "EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) "
_EXPLAINED = re.compile(r"\s*\(*\s*(SELECT|INSERT|UPDATE|DELETE)\b")
_REPEATED = re.compile(r"(%s(?:::[a-z ]+)?)(?:, %s(?:::[a-z ]+)?)+")
_REPEATED_CASE = re.compile(r"(WHEN .{1,80}? THEN %s )(?:WHEN .{1,80}? THEN %s )+")
_NOT_CALLERS = (
    "models/raw_sql.py",
    "services/storage/keyset.py",
    "services/storage/batched_removal.py",
    "services/storage/leases.py",
)


@dataclass
class StatementPlan:
    """One statement, sent from one place of the code. Buffers are pages of 8 kB. Rows are those that it finds, changes
    or is given; not those that it reads to leave them out."""

    sent_by: str  # file:function
    sql: str
    calls: int = 0
    buffers: int = 0  # of all calls
    rows: int = 0
    most_buffers: int = 0  # of one call, with its rows and scans
    its_rows: int = 0
    scans: tuple[str, ...] = ()
    milliseconds: float = 0  # of the slowest call

    @property
    def writes(self) -> bool:
        """Whether it changes rows."""
        return not self.sql.lstrip("( ").startswith("SELECT")

    def note(self, told: dict[str, Any]) -> None:
        """Take in what PostgreSQL says of one execution."""
        top = told["Plan"]
        buffers, rows = top["Shared Hit Blocks"] + top["Shared Read Blocks"], _find_most_rows(top)
        self.calls, self.buffers, self.rows = self.calls + 1, self.buffers + buffers, self.rows + rows
        if buffers >= self.most_buffers:
            self.most_buffers, self.its_rows, self.scans = buffers, rows, tuple(dict.fromkeys(_find_scans(top)))
        self.milliseconds = max(self.milliseconds, told["Execution Time"])


@dataclass
class RecordedPlans:
    """The plans of all statements sent while it records, from every thread."""

    plans: dict[tuple[str, str], StatementPlan] = field(default_factory=dict)

    def explain(self, execute: Any, sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        """Execute the statement twice: first in a transaction that is rolled back, which reports its plan."""
        sent_by = _find_sender()
        if sent_by and _EXPLAINED.match(sql) and "resolver_" in sql:
            raw = context["connection"].connection
            with raw.transaction(force_rollback=True), raw.cursor() as cursor:
                cursor.execute(EXPLAIN + sql, params)
                told = cursor.fetchone()[0]
            shape = _REPEATED_CASE.sub(r"\1… ", _REPEATED.sub(r"\1, …", sql))
            plan = self.plans.setdefault((sent_by, shape), StatementPlan(sent_by, shape))
            plan.note((json.loads(told) if isinstance(told, str) else told)[0])
        return execute(sql, params, many, context)


def _find_most_rows(node: dict[str, Any]) -> int:
    here = round(node["Actual Rows"] * node["Actual Loops"])
    return max([here, *map(_find_most_rows, node.get("Plans", ()))])


def _find_scans(node: dict[str, Any]) -> Iterator[str]:
    if "Index Name" in node:
        yield node["Index Name"]
    elif node["Node Type"] == "Seq Scan":
        yield f"all of {node['Relation Name']}"
    for each in node.get("Plans", ()):
        yield from _find_scans(each)


def _find_sender() -> str | None:
    """Return the innermost function of the portal that sends the statement, past those that all others use; None if a
    test sends it."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        _, found, path = frame.f_code.co_filename.rpartition("/resolver/")
        if found and path not in _NOT_CALLERS:
            return f"{path}:{frame.f_code.co_qualname}"
        frame = frame.f_back
    return None


@contextmanager
def record_plans() -> Iterator[RecordedPlans]:
    """Record the statements of this thread's connection, and of each connection that is opened meanwhile."""
    recorded = RecordedPlans()

    def listen(connection: BaseDatabaseWrapper, **_: Any) -> None:
        connection.execute_wrappers.append(recorded.explain)

    connection_created.connect(listen)
    try:
        with connection.execute_wrapper(recorded.explain):
            yield recorded
    finally:
        connection_created.disconnect(listen)

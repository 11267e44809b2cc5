"""Steps that do not need each other."""

import pytest
from django.db import OperationalError, ProgrammingError

from resolver.services.maintenance.independent_steps import run_each


def fail_with(error: Exception) -> None:
    raise error


def test_the_fault_of_one_step_is_logged_and_the_others_are_done(caplog: pytest.LogCaptureFixture) -> None:
    done: list[str] = []
    steps = [
        ("one", lambda: fail_with(PermissionError("not yours"))),
        ("two", lambda: done.append("two")),
        ("three", lambda: fail_with(ProgrammingError("no such table"))),
        ("four", lambda: done.append("four")),
    ]
    run_each(steps)
    assert done == ["two", "four"]
    assert [record.getMessage() for record in caplog.records] == [
        "Failed: one. The other steps go on.",
        "Failed: three. The other steps go on.",
    ]


def test_where_the_database_is_away_the_other_steps_are_not_tried() -> None:
    done: list[str] = []
    with pytest.raises(OperationalError):
        run_each([("one", lambda: fail_with(OperationalError("no server"))), ("two", lambda: done.append("two"))])
    assert done == []

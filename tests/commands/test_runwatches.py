"""`manage.py runwatches --at`: which times it takes."""

import pytest
from django.core.management import CommandError, call_command


@pytest.mark.django_db
@pytest.mark.parametrize("time", ["0001-01-01T00:00Z", "1999-12-31T23:59Z", "9999-12-31T23:59Z", "2026-13-01", "soon"])
def test_a_time_that_no_schedule_has_is_refused_with_exit_status_2(time: str) -> None:
    with pytest.raises(CommandError, match="--at: ") as refused:
        call_command("runwatches", at=time)
    assert refused.value.returncode == 2

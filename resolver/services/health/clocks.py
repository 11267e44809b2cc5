"""Whether the clocks of the machines agree with the database's."""

from collections.abc import Iterator
from datetime import datetime

from django.db import connection

from resolver.models import WorkerHeartbeat
from resolver.services.health.findings import DoctorFinding, Level
from resolver.services.health.heartbeats import LOST
from resolver.services.storage.clock import measure_offset

TOLERATED = 3.0  # seconds
_SET_IT = "Have it set by NTP (chrony, systemd-timesyncd). Lists don't suffer: they go by the database's clock."


def look_at_clocks(now: datetime) -> Iterator[DoctorFinding]:
    """Yield a finding for each clock that differs by more than TOLERATED: this machine's, and those of the workers that
    were alive in the last minute. Nothing on SQLite, which has one machine. Raises django.db.Error."""
    if connection.vendor == "sqlite":
        return
    low, high = measure_offset()
    clocks = {"this machine": -(low + high) / 2}
    if WorkerHeartbeat._meta.db_table in connection.introspection.table_names():
        alive = WorkerHeartbeat.objects.filter(at__gt=now - LOST).order_by("name")
        clocks |= {f"the machine of worker {name}": lead for name, lead in alive.values_list("name", "clock_ahead")}
    wrong = {whose: lead for whose, lead in clocks.items() if abs(lead) > TOLERATED}
    for whose, lead in wrong.items():
        side = "ahead of" if lead > 0 else "behind"
        yield DoctorFinding(
            "clocks", Level.ADVICE, f"The clock of {whose} is {abs(lead):.0f} s {side} the database's.", _SET_IT
        )
    if not wrong:
        yield DoctorFinding("clocks", Level.OK, f"They agree with the database's, within {TOLERATED:g} s.")

"""What is read of a portal under measurement."""

from pathlib import Path

import psycopg

from benchmarks.portals import MeasuredPortal
from tests import services_plugin


def test_the_time_of_a_connection_that_has_ended_counts_for_postgresql(tmp_path: Path):
    with services_plugin.postgres(tmp_path / "postgres") as database, services_plugin.redis(tmp_path) as broker:
        told = {"DOIPORTAL_DATA_DIR": str(tmp_path), "DATABASE_URL": database, "REDIS_URL": broker}
        running = MeasuredPortal("", told)
        before = running.read_processor_time()
        with psycopg.connect(database) as connection:
            connection.execute("SELECT count(*) FROM generate_series(1, 3000000)")
        after = running.read_processor_time()
    assert after.keys() == before.keys() == {"PostgreSQL", "Redis"}
    assert after["PostgreSQL"] - before["PostgreSQL"] > 0.1

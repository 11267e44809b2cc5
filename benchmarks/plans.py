"""How PostgreSQL executes every statement of a list that it has no statistics of, beside lists that it has analysed.

`python -m benchmarks.plans --rows 200000` writes the table: of each statement the function that sends it, its calls,
and of the call that read most its pages of 8 kB, its rows, its indexes; and the time of the slowest. Each statement is
executed twice, so that the whole takes twice as long as it would.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests import services_plugin

CHECKED = 3000  # rows
_WORDS = re.compile(r"\b(SELECT|INSERT|UPDATE|DELETE)\b|resolver_(\w+)")


@contextmanager
def portal_of_this_process() -> Iterator[None]:
    """Let this process be a portal on a PostgreSQL of its own, with the sample proxy."""
    with (
        tempfile.TemporaryDirectory(prefix="doiportal-plans-") as folder,
        services_plugin.postgres(Path(folder, "postgres"), durable=True) as database,
    ):
        os.environ |= {
            "DATABASE_URL": database,
            "DOIPORTAL_DATA_DIR": str(Path(folder, "var")),
            "DJANGO_SETTINGS_MODULE": "doiportal.settings",
            "PROXY_CONCURRENCY": "32",
            "PROXY_RATE": "0",
        }
        subprocess.run([sys.executable, "manage.py", "prepare"], check=True, stdout=subprocess.DEVNULL)
        import django
        from django.conf import settings
        from django.test.utils import setup_test_environment

        django.setup()
        setup_test_environment()
        from resolver.standin.server import SampleProxyServer

        with SampleProxyServer() as proxy:
            settings.DOI_PROXY_URL = proxy.url
            yield


def name_statement(sql: str) -> str:
    """Return the verb and the tables."""
    words = [verb or table for verb, table in _WORDS.findall(sql)]
    return " ".join(dict.fromkeys(words))


def write_table(rows: int, old: int) -> None:
    """Check the last rows of a list of so many, and two lists of CHECKED, beside old ones with `old` rows together. Use
    and remove all three; print the table."""
    from django.db import connection

    from tests.list_path import ListPath, store_old_lists, store_stopped_list
    from tests.statement_plans import record_plans

    path = ListPath()
    first = path.upload(500, "first")
    path.work_off()
    first.refresh_from_db()
    store_old_lists(first, [size for share in (2, 4, 8, 20, 50) if (size := old // share)])
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE resolver_row SET (autovacuum_enabled = off); ANALYZE")
    long = store_stopped_list(first, rows)
    with record_plans() as recorded:
        path.client.post(f"/api/v1/jobs/{long.pk}/retry")
        path.work_off()
        lists = path.be_worked_on(CHECKED, "new")
        path.be_used(*lists)
        long.refresh_from_db()
        assert long.done == long.total, long
        path.read(long)
        path.decide(long)
        path.compare(long, lists[0].pk)
        path.be_removed(long, *lists)
    print("| sent by | statement | calls | pages | rows | indexes | ms |\n|---|---|---|---|---|---|---|")
    for plan in sorted(recorded.plans.values(), key=lambda plan: -plan.most_buffers):
        place, what = plan.sent_by.removeprefix("services/"), name_statement(plan.sql)
        most = f"{plan.calls:,} | {plan.most_buffers:,} | {plan.its_rows:,} | {', '.join(plan.scans)}"
        print(f"| {place} | {what} | {most} | {plan.milliseconds:.1f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--old", type=int, default=60_000)
    options = parser.parse_args()
    with portal_of_this_process():
        write_table(options.rows, options.old)


if __name__ == "__main__":
    main()

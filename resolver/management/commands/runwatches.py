"""`manage.py runwatches`: do what is due for watches, in this process."""

import time
from argparse import ArgumentParser
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.dateparse import parse_datetime

from resolver.management.check_chunks import check_free_chunks
from resolver.management.database_tables import require_tables
from resolver.models import WatchRun
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.storage.clock import read_clock
from resolver.services.storage.leases import LEASE
from resolver.services.watches import mails, runs
from resolver.services.webhooks import deliveries

YEARS = range(2000, 9001)  # what is calculated from the time, such as the next run, must be a date too


class Command(BaseCommand):
    """Start the runs that are due, check their lists, confirm what is newly broken, and report what changed."""

    help = "Does what is due for watches: runs, confirmations, messages."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the option."""
        parser.add_argument(
            "--at",
            metavar="ISO-TIME",
            help="the moment for which to do it, such as 2026-12-01T06:00Z, for tests and for catching up; UTC without "
            "a time zone (default: now)",
        )

    def handle(self, *args: object, **options: Any) -> None:
        """Do it all, and print how much it was. Exit status 2 for a time that can't be read, and if
        the tables aren't up to date."""
        now = _read_time(options["at"])
        require_tables()
        proxy = proxy_from_settings()
        before = WatchRun.objects.count()
        for _ in range(100):  # each round checks a list or settles a run; a watch takes three
            jobs = list(runs.advance_watches(now, proxy=proxy))
            for job in jobs:
                check_free_chunks(job.pk, proxy, reads=True)
            if not jobs and not _wait_while(lambda: runs.is_advancing(now)):
                break
        for webhook_id in deliveries.reserve_due(read_clock()):
            deliveries.deliver_next(webhook_id)
        sent = mails.send_due_mails(now)
        if _wait_while(mails.is_sending):
            sent += mails.send_due_mails(now)
        if options["verbosity"]:
            self.stdout.write(f"Runs started: {WatchRun.objects.count() - before}. Mails sent: {sent}.")


def _wait_while(busy: Callable[[], bool]) -> bool:
    """Wait while another process holds the lease. A killed one holds it for a moment longer. Return whether any did."""
    end, waited = time.monotonic() + 2 * LEASE.total_seconds(), False
    while busy() and time.monotonic() < end:
        waited = True
        time.sleep(0.2)
    return waited


def _read_time(text: str | None) -> datetime:
    if text is None:
        return read_clock()
    try:
        found = parse_datetime(text)
    except ValueError:
        found = None
    if found is None:
        raise CommandError(f"--at: {text!r} isn't a time such as 2026-12-01T06:00Z.", returncode=2)
    if found.year not in YEARS:
        wrong = f"--at: the year must be from {YEARS[0]} to {YEARS[-1]}, not {found.year}."
        raise CommandError(wrong, returncode=2)
    return found if found.tzinfo else found.replace(tzinfo=UTC)

"""Whether the list of retractions is as new as it should be."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection

from resolver.models import RetractionLoad
from resolver.services.health.findings import DoctorFinding, advice, fault, ok
from resolver.services.retractions.load import find_current_load, find_refused_load

OLD = timedelta(days=60)


def look_at_retractions(now: datetime) -> Iterator[DoctorFinding]:
    """Yield the findings. A portal without a list and without its setting has none."""
    if not (settings.RETRACTIONS_URL or "https://").startswith("https://") and not settings.WEBHOOK_ALLOW_PRIVATE:
        yield fault("RETRACTIONS_URL must begin with https://, so the list isn't loaded.", "Correct it.")
        return
    if RetractionLoad._meta.db_table not in connection.introspection.table_names():
        return  # a new database, as said above
    current, refused = find_current_load(), find_refused_load()
    if refused:
        yield advice(
            f"The list of retractions wasn't loaded on {refused.at:%Y-%m-%d}: {refused.trouble}",
            f"Load it by hand: {settings.MANAGE_COMMAND} loadretractions FILE",
        )
    if current is None:
        return
    says = f"The list of retractions is of {current.listed_on} and names {current.events:,} events."
    if now.date() - current.listed_on > OLD:
        yield advice(
            f"{says} That is more than {OLD.days} days ago.",
            f"Run: {settings.MANAGE_COMMAND} loadretractions URL, or set RETRACTIONS_URL.",
        )
    else:
        yield ok(says)

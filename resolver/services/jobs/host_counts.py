"""The hosts with the most rows, in a list with expected addresses. A long list is counted once, when it ends."""

from django.db import transaction
from django.db.models import Count

from resolver.models import Job, Row
from resolver.services.jobs.row_readings import has_expected_addresses

MOST_COUNTED_HOSTS = 20
OTHERS = ""  # the name of all other hosts together
MAX_ROWS_TO_COUNT = 25_000  # of a list that is counted anew for each page: a million rows take half a second


def count_hosts(job: Job) -> dict[str, int]:
    """Return the rows of the MOST_COUNTED_HOSTS with the most rows, the most first, and those of OTHERS, if any. Return
    nothing for a long list that still runs, and for a list without expected addresses."""
    if not has_expected_addresses(job):
        return {}
    if "host" in job.counts:
        return dict(job.counts["host"])
    if job.ended:
        return keep_host_counts(job)
    return _count(job) if job.total <= MAX_ROWS_TO_COUNT else {}


def keep_host_counts(job: Job) -> dict[str, int]:
    """Count the hosts of an ended job, and store the counts with it unless it runs again."""
    hosts = _count(job)
    with transaction.atomic():
        held = Job.objects.select_for_update().filter(pk=job.pk, state=job.state, finished_at=job.finished_at).first()
        if held is not None:
            held.counts["host"] = job.counts["host"] = hosts
            held.save(update_fields=["counts"])
    return hosts


def _count(job: Job) -> dict[str, int]:
    found = Row.objects.filter(job=job, host__gt="").order_by().values_list("host")
    return keep_most(dict(found.annotate(rows=Count("*"))))


def keep_most(hosts: dict[str, int]) -> dict[str, int]:
    """Return the MOST_COUNTED_HOSTS with the most rows, and the sum of the others."""
    found = sorted(hosts.items(), key=lambda each: (-each[1], each[0]))
    others = sum(rows for _, rows in found[MOST_COUNTED_HOSTS:])
    return {**dict(found[:MOST_COUNTED_HOSTS]), **({OTHERS: others} if others else {})}

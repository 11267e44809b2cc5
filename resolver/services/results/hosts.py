"""The file of the hosts to which a list's DOIs lead, with their rows."""

from collections import Counter
from collections.abc import Iterator

from django.db.models import Count, Q
from django.http import StreamingHttpResponse

from resolver.domain.redirect.web_host import find_host
from resolver.domain.report.target import Target
from resolver.models import Job, Row
from resolver.services.http.downloads import build_csv_download
from resolver.services.jobs.lifecycle import ensure_ended
from resolver.services.jobs.row_readings import has_expected_addresses
from resolver.services.results.export import build_file_name, ensure_unchanged
from resolver.services.storage.keyset import iterate_batches

MOST_HOSTS_IN_FILE = 200_000
OTHER_HOSTS = "(other hosts)"  # the last line of a file with too many hosts
CLASSES = (Target.SAME, Target.SAME_PAGE, Target.SAME_HOST, Target.OTHER_HOST)


def build_hosts_download(job: Job, delimiter: str = ",") -> StreamingHttpResponse:
    """Return the hosts as CSV, with their rows, and rows by class if the list has expected addresses. The host with the
    most rows is first. A row counts for the host of its first URL value. Raise JobStillRunning, at once."""
    ensure_ended(job)
    name = build_file_name(job.filename, "hosts")
    return build_csv_download(name, ("host", "rows", *map(str, CLASSES)), _iterate_lines(job), delimiter=delimiter)


def _iterate_lines(job: Job) -> Iterator[tuple[str, ...]]:
    found, others = _count_stored_hosts(job) if has_expected_addresses(job) else _count_hosts_of_urls(job)
    ensure_unchanged(job)
    for host, (rows, *classes) in sorted(found.items(), key=lambda each: (-each[1][0], each[0])):
        yield host, str(rows), *(map(str, classes) if classes else [""] * len(CLASSES))
    if others:
        yield OTHER_HOSTS, str(others), *([""] * len(CLASSES))


def _count_stored_hosts(job: Job) -> tuple[dict[str, tuple[int, ...]], int]:
    """Return the rows of each stored host, in all and by class, and the rows of hosts beyond MOST_HOSTS_IN_FILE."""
    classes = {each.name: Count("line", filter=Q(address=str(each))) for each in CLASSES}
    with_host = Row.objects.filter(job=job, host__gt="").order_by()
    counted = with_host.values_list("host").annotate(rows=Count("*"), **classes).order_by("-rows")
    found = {host: tuple(rows) for host, *rows in counted[:MOST_HOSTS_IN_FILE]}
    if len(found) < MOST_HOSTS_IN_FILE:
        return found, 0
    return found, with_host.count() - sum(rows for rows, *_ in found.values())


def _count_hosts_of_urls(job: Job) -> tuple[dict[str, tuple[int, ...]], int]:
    """Return the rows of each host of a URL, and the rows of hosts beyond MOST_HOSTS_IN_FILE. Reads all rows once."""
    hosts, others = Counter[str](), 0
    rows = Row.objects.filter(job=job).values_list("line", "urls", named=True)
    for page in iterate_batches(rows, ("line",)):
        for row in page:
            host = find_host(row.urls[0]) if row.urls else ""
            if host and (host in hosts or len(hosts) < MOST_HOSTS_IN_FILE):
                hosts[host] += 1
            elif host:
                others += 1
    return {host: (rows,) for host, rows in hosts.items()}, others

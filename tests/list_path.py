"""Everything that happens to a list, from its upload to its removal, by the real pages, API, workers and sweep."""

from collections.abc import Callable
from datetime import timedelta
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.utils import timezone

from benchmarks.lists import lines
from resolver.models import Chunk, Job, Row, State, WaitingMessage
from resolver.services.accounts.owners import get_user_owner
from resolver.services.comparisons.compare import advance_comparison, reserve_abandoned
from resolver.services.hosts import check as host_check
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.turns import scheduler, turn_order
from resolver.services.watches.runs import advance_watches
from tests.stored_list import remove_deleted_lists

FILTERS = (
    "", "after={middle}", "before={last}", "outcome=resolved&after={middle}", "outcome=not-found",
    "outcome=proxy-error", "problem=dot-segment", "problem=copied-hyphen", "ra=Crossref", "ra=none",
    "group=needs-work", "group=tidier", "group=fine", "group=not-asked", "duplicates=1&after={middle}",
    "correction=to-review", "correction=corrected", "correction=unchanged", "q=-{middle}", "q=nowhere",
    "outcome=resolved&ra=Crossref&group=fine", "sort=outcome", "order=down",
)  # fmt: skip
PAGES = (
    "", "/progress", "/rows/{middle}", "/review", "/review?correction=without-proposal", "/hosts", "/addresses",
    "/address-updates.csv", "/report", "/results.csv", "/results.csv?group=needs-work", "/results.csv?corrected=1",
    "/results.jsonl", "/results.xlsx", "/results.original", "/by-hand.csv", "/hosts.csv",
)  # fmt: skip
MOST_RETRIED = 20_000  # rows


def store_stopped_list(like: Job, size: int) -> Job:
    """Store a list as `store_old_lists` does, which was stopped before its last chunk."""
    [job] = store_old_lists(like, [size])
    job.state, job.done = State.CANCELLED, size - 1000
    job.save()
    Row.objects.filter(job=job, line__gt=job.done).update(outcome="", fingerprint=None)
    return job


def store_old_lists(like: Job, sizes: list[int]) -> list[Job]:
    """Store lists of so many rows each, which repeat those of `like` with names of their own, and their chunks."""
    names = [field.column for field in Row._meta.concrete_fields if field.name not in ("id", "job", "line")]
    stored = []
    own = {"key": "key || '-' || copy || %s", "fingerprint": "hashtextextended(key || copy || %s, 0)"}
    values = ", ".join(own.get(name, f'"{name}"') for name in names)
    columns = ", ".join(f'"{name}"' for name in names)
    for size in sizes:
        job = Job.objects.get(pk=like.pk)
        job.id, job.total, job.done, job.upload = uuid4(), size, size, str(uuid4())
        job.digest = ""
        job.save(force_insert=True)
        with connection.cursor() as cursor:
            cursor.execute(
                f"INSERT INTO resolver_row (job_id, line, {columns}) SELECT %s, line + copy * %s, {values}"
                " FROM resolver_row, generate_series(0, %s) AS copy WHERE job_id = %s AND line + copy * %s <= %s",
                [job.pk, like.total, *[str(job.pk)] * 2, size // like.total, like.pk, like.total, size],
            )
        Chunk.objects.bulk_create(
            Chunk(job=job, number=start // 1000, first_line=start + 1, last_line=min(start + 1000, size), done=True)
            for start in range(0, size, 1000)
        )
        stored.append(job)
    return stored


class ListPath:
    """The account that has lists, and what it and the workers do with one."""

    def __init__(self) -> None:
        self.account, _ = User.objects.get_or_create(username="walker")
        self.owner = get_user_owner(self.account)
        self.client = Client()
        self.client.force_login(self.account)
        self.proxy = proxy_from_settings()

    def upload(self, rows: int, series: str) -> Job:
        """Upload a list of so many rows with other names than other series."""
        file = SimpleUploadedFile("list.csv", "".join(lines(rows, series)).encode())
        answer = self.client.post("/api/v1/jobs", {"file": file, "column": "doi"})
        assert answer.status_code == 202, answer.content
        return Job.objects.get(pk=answer.json()["id"])

    def work_off(self, *, until: Callable[[], bool] = lambda: False, turn: float = 1.0, piece: float = 2.0) -> None:
        """Do what a worker does, turn by turn, until nothing is left to do. `turn`, `piece`: seconds of `run_turn`."""
        messages: list[turn_order.TurnMessage] = []
        WaitingMessage.objects.all().delete()  # those in the broker
        scheduler.recover_abandoned(timezone.now(), messages.append)
        while messages and not until():
            messages.pop(0)
            owner = turn_order.take_wakeup()
            if owner is not None:
                scheduler.run_turn(owner, self.proxy, send=messages.append, turn=turn, piece=piece)

    def read(self, job: Job) -> None:
        """Open every page of the list, and download every file."""
        places = {"middle": job.total // 2, "last": job.total + 1}
        addresses = [f"/jobs/{job.pk}{page}" for page in PAGES]
        for query in FILTERS:
            addresses += [f"{api}/jobs/{job.pk}/rows?{query}" for api in ("", "/api/v1")]
        addresses += [f"/api/v1/jobs/{job.pk}", "/jobs", "/api/v1/jobs", f"/api/v1/jobs/{job.pk}/host-checks"]
        for address in addresses:
            answer = self.client.get(address.format(**places))
            assert answer.status_code < 500, (address, answer.status_code)
            if answer.streaming:
                b"".join(answer)

    def decide(self, job: Job) -> None:
        """Decide one row and many, and undo that."""
        place = f"/jobs/{job.pk}/review"
        line = Row.objects.filter(job=job, outcome="not-found").values_list("line", flat=True)[0]
        self.client.post(f"{place}/{line}", {"decision": "kept"})
        body = {"decision": "accepted", "filter": {"correction": "to-review"}}
        self.client.post(f"/api/v1/jobs/{job.pk}/decisions", body, "application/json")
        self.client.post(f"{place}/all", {"decision": "kept", "correction": "to-review"})
        self.client.post(f"{place}/undo")

    def stop_and_retry(self, job: Job) -> None:
        """Stop the list in the middle, and retry what is left."""
        self.work_off(until=lambda: Job.objects.get(pk=job.pk).done > job.total // 3, turn=0.01, piece=0.01)
        self.client.post(f"/jobs/{job.pk}/cancel")
        assert self.client.post(f"/api/v1/jobs/{job.pk}/retry").status_code == 202
        self.work_off()

    def compare(self, job: Job, other: UUID) -> None:
        """Compare the list with another, as a worker does."""
        address = f"/jobs/{job.pk}/compare/{other}"
        self.client.get(address)
        for pk in reserve_abandoned(timezone.now() + timedelta(minutes=2)):
            advance_comparison(pk)
        assert self.client.get(address).status_code == 200
        assert b"".join(self.client.get(f"{address}/changes.csv"))

    def watch(self, job: Job) -> None:
        """Watch the list, and do a run."""
        self.client.post("/api/v1/watches", {"job": str(job.pk)}, "application/json")
        for _ in range(3):
            for _ in advance_watches(timezone.now() + timedelta(days=8), proxy=self.proxy):
                self.work_off()

    def check_hosts(self, job: Job) -> None:
        """Collect the first hosts of the list; none is contacted."""
        self.client.post(f"/jobs/{job.pk}/hosts/check")
        for pk in host_check.reserve_abandoned(timezone.now() + timedelta(minutes=2)):
            host_check.continue_host_check(pk, until=0)

    def be_worked_on(self, rows: int, series: str) -> tuple[Job, Job]:
        """Do what workers do for a list of so many rows, and for another that is stopped and retried."""
        job = self.upload(rows, series)
        self.work_off()
        second = self.upload(min(rows, MOST_RETRIED), f"{series}-b")
        self.stop_and_retry(second)
        for each in (job, second):
            each.refresh_from_db()
            assert (each.state, each.done) == ("finished", each.total), (each.state, each.done)
        return job, second

    def be_used(self, job: Job, other: Job) -> None:
        """Do what people do with a list, and another like it."""
        self.read(job)
        self.decide(job)
        self.check_hosts(job)
        self.watch(job)
        self.compare(job, other.pk)

    def be_removed(self, *jobs: Job) -> None:
        """Delete the lists, and have them removed."""
        for each in jobs:
            assert self.client.delete(f"/api/v1/jobs/{each.pk}").status_code == 204
        remove_deleted_lists()
        assert not Row.objects.filter(job__in=jobs).exists()

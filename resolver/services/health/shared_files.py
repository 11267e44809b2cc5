"""Whether web servers and workers reach the same uploaded files, by what each says of itself in its heartbeat."""

from datetime import datetime

from django.db.models import QuerySet

from resolver.models import Process, WorkerHeartbeat
from resolver.services.health.heartbeats import LOST, find_live, find_workers

APART = "Web servers and workers keep the uploaded files at different places. Set FILES_URL on all machines."


def find_trouble(now: datetime) -> str:
    """Return why some of the running processes don't reach the files of the others, or ""."""
    live = find_live(now)
    if len(_find_marks(live)) > 1:
        return APART
    away, all_of_them = live.exclude(files_trouble="").count(), live.count()
    return f"{away} of {all_of_them} processes can't reach the uploaded files." if away else ""


def are_apart(now: datetime) -> bool:
    """Return whether running processes reach different files: one that is missing here may be elsewhere."""
    return len(_find_marks(find_live(now))) > 1


def do_workers_reach_files(now: datetime) -> bool:
    """Return whether a running worker reaches the files of the web servers, as far as is known; also if none runs."""
    live = find_live(now)
    of_web = _find_marks(live.filter(kind=Process.WEB))
    workers = list(find_workers().filter(at__gt=now - LOST).values_list("files_trouble", "files"))
    return not workers or any(not trouble and (not mark or not of_web or mark in of_web) for trouble, mark in workers)


def _find_marks(live: QuerySet[WorkerHeartbeat]) -> set[str]:
    return set(live.exclude(files="").values_list("files", flat=True))

"""What nobody can use any more: files of uploads that were broken off, and what belonged to a deleted account."""

import shutil
from datetime import datetime, timedelta
from pathlib import Path

from resolver import conf
from resolver.models import Job
from resolver.services import history, jobs

UPLOAD_LASTS = timedelta(days=1)  # at most: whatever is older, its web process was killed


def forget_broken_uploads(now: datetime) -> int:
    """Remove what a killed web process left: half a file, or a whole one that no job was made of. How many."""
    before = (now - UPLOAD_LASTS).timestamp()
    old = [path for path in conf.incoming_dir().iterdir() if _changed(path) < before]
    folders = [path for path in conf.uploads_dir().iterdir() if _changed(path) < before]
    known = set(Job.objects.filter(upload__in=[path.name for path in folders]).values_list("upload", flat=True))
    old += [path for path in folders if path.name not in known]
    for path in old:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    return len(old)


def forget_owner(owner: str) -> None:
    """Remove an owner's jobs and lookups, since nobody else may see them. A job that runs stops: whoever works on it
    finds it gone."""
    for job in history.jobs(owner):
        jobs.delete(job)
    history.delete_lookups(owner)


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:  # it was taken away meanwhile
        return float("inf")

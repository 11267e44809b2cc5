"""Objects of REST in the events of webhooks, outside any request."""

from collections.abc import Mapping
from typing import Any

from resolver.api.serializers.jobs import JobSerializer
from resolver.api.serializers.kept_serializers import represent
from resolver.api.serializers.watches import WatchRunSerializer, WatchSerializer
from resolver.models import Job, WatchRun


class _Portal:
    """Makes addresses of this portal, as a request does."""

    def __init__(self, address: str) -> None:
        self.address = address

    def build_absolute_uri(self, path: str) -> str:
        return self.address + path


def write_job(job: Job, portal: str) -> Mapping[str, Any]:
    """Return the job as REST shows it. `portal`: the address of this portal without a final slash."""
    return represent(JobSerializer, job, request=_Portal(portal))


def write_watch_change(run: WatchRun, portal: str) -> Mapping[str, Any]:
    """Return the watch as REST shows it once this run is settled."""
    shown = represent(WatchSerializer, run.watch, request=_Portal(portal))
    return {**shown, "last_run": represent(WatchRunSerializer, run)}

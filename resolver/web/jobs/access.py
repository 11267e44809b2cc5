"""Who may see and change a list. A list that a requester may not see answers 404."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from resolver.models import Comparison, Job
from resolver.services.accounts.owners import get_owner_for_reading
from resolver.services.jobs import sharing


def get_own_job_or_404(request: HttpRequest, pk: UUID) -> Job:
    """Return the job if it belongs to the requester. Raises Http404."""
    return get_object_or_404(Job, pk=pk, owner=get_owner_for_reading(request))


def get_visible_job_or_404(request: HttpRequest, pk: UUID) -> Job:
    """Return a job of the requester, or one shared with them, without its owner's note. Raises Http404."""
    job = get_object_or_404(Job, pk=pk)
    if is_mine(request, job):
        return job
    if not sharing.is_shared_with(request.session, job):
        raise Http404
    job.note = ""
    return job


def is_mine(request: HttpRequest, job: Job) -> bool:
    """Whether the requester owns the job and may change it."""
    return job.owner == get_owner_for_reading(request)


@contextmanager
def raise_404_if_gone() -> Iterator[None]:
    """Raise Http404 if the job, or a comparison of it, was deleted meanwhile."""
    try:
        yield
    except (Job.DoesNotExist, Comparison.DoesNotExist):
        raise Http404 from None

"""Shared lists, which everyone with the address may read until the owner stops sharing."""

from collections.abc import Mapping
from typing import Any

from django.utils.crypto import constant_time_compare

from resolver.models import Job
from resolver.services.accounts.secret_addresses import make_secret, may_be_secret

SESSION_KEY = "shared"  # in a visitor's session: the tokens by lists
MAX_LISTS_IN_SESSION = 100  # the oldest grant is dropped first


def share_job(job: Job) -> None:
    """Make the token, unless there is one: a shared address stays valid. Raise Job.DoesNotExist if it was deleted."""
    Job.objects.filter(pk=job.pk, share_token="").update(share_token=make_secret())
    job.refresh_from_db(fields=["share_token"])


def stop_sharing(job: Job) -> None:
    """Let only its owner read the list from now on. If it is shared again, the address differs."""
    Job.objects.filter(pk=job.pk).update(share_token="")
    job.share_token = ""


def find_shared_job(token: str) -> Job | None:
    """Return the list that is shared with this token."""
    return Job.objects.filter(share_token=token).first() if may_be_secret(token) else None


def grant_access(session: Any, job: Job) -> None:
    """Let this session read the list. The session gets the token, which is compared at each request."""
    granted = {key: token for key, token in session.get(SESSION_KEY, {}).items() if key != str(job.pk)}
    granted[str(job.pk)] = job.share_token
    session[SESSION_KEY] = dict(list(granted.items())[-MAX_LISTS_IN_SESSION:])


def is_shared_with(session: Mapping[str, Any], job: Job) -> bool:
    """Return whether the list is shared with this session."""
    token = session.get(SESSION_KEY, {}).get(str(job.pk), "")
    return bool(token and job.share_token) and constant_time_compare(token, job.share_token)

"""A list shared on purpose: whoever has the address may read it, until its owner takes that back."""

import secrets
from collections.abc import Mapping
from typing import Any

from django.utils.crypto import constant_time_compare

from resolver.models import Job

SESSION_KEY = "shared"  # in a visitor's session: the tokens by the lists that they open
MOST = 100  # lists that one visitor is granted; the oldest grant goes first
_BYTES = 24  # of chance: nobody guesses them


def share(job: Job) -> None:
    """Make the token, unless there is one: an address that was given away goes on to hold. Raises Job.DoesNotExist
    where the list was deleted meanwhile."""
    Job.objects.filter(pk=job.pk, share_token="").update(share_token=secrets.token_urlsafe(_BYTES))
    job.refresh_from_db(fields=["share_token"])


def stop(job: Job) -> None:
    """Nobody but its owner reads it from now on, whoever had the address; another address is made another time."""
    Job.objects.filter(pk=job.pk).update(share_token="")
    job.share_token = ""


def shared_as(token: str) -> Job | None:
    """The list that is shared under that token."""
    return Job.objects.filter(share_token=token).first() if token else None


def grant(session: Any, job: Job) -> None:
    """Let whoever has this session read the list. The grant holds the token, which is compared at each look."""
    granted = {key: token for key, token in session.get(SESSION_KEY, {}).items() if key != str(job.pk)}
    granted[str(job.pk)] = job.share_token
    session[SESSION_KEY] = dict(list(granted.items())[-MOST:])


def may_read(session: Mapping[str, Any], job: Job) -> bool:
    """Whether the list is shared, and with this session."""
    token = session.get(SESSION_KEY, {}).get(str(job.pk), "")
    return bool(token and job.share_token) and constant_time_compare(token, job.share_token)

"""Requests with an Idempotency-Key: the first answer is stored for a day, and a retry gets it without a new effect."""

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from django.db.models import Q

from resolver.models import KeptAnswer
from resolver.services.storage.leases import LeaseColumns

KEPT = timedelta(days=1)
LEASE_COLUMNS = LeaseColumns("token", "until", lasting=timedelta(minutes=2))  # longer than a request takes


class KeyWasReused(Exception):
    """The owner sent the key with another request."""


@dataclass
class RequestUnderWay(Exception):
    """The first request with the key has no answer yet. `seconds`: when to retry, at the latest."""

    seconds: int


def begin_request(owner: str, key: str, fingerprint: str, *, now: datetime) -> KeptAnswer:
    """Return the stored answer to the owner's first request with this key. Without a `status`, the caller is the first,
    or takes over from one that was killed: it must call `keep_answer`, `free_request` or `forget_request`.

    `fingerprint`: SHA-256 of the request, in hexadecimal. Raises KeyWasReused and RequestUnderWay.
    """
    which = {"owner": owner, "key": sha256(key.encode("utf-8", "surrogatepass")).hexdigest()}
    KeptAnswer.objects.filter(**which, created_at__lte=now - KEPT).delete()
    found, _ = KeptAnswer.objects.get_or_create(**which, defaults={"fingerprint": fingerprint, "created_at": now})
    if found.fingerprint != fingerprint:
        raise KeyWasReused
    if found.status is not None:
        return found
    lease = LEASE_COLUMNS.take(KeptAnswer.objects.filter(pk=found.pk, status=None), now)
    if lease is not None:
        return lease.row
    found = KeptAnswer.objects.filter(pk=found.pk).first() or found  # answered or given up at this moment
    if found.status is not None:
        return found
    left = (found.until - now).total_seconds() if found.until else 1
    raise RequestUnderWay(max(math.ceil(left), 1))


def keep_answer(mine: KeptAnswer, *, status: int, location: str, body: bytes) -> None:
    """Store the answer for the retries. `body` takes no more room than what the request has stored."""
    KeptAnswer.objects.filter(_build_held_condition(mine)).update(status=status, location=location, body=body, token="")


def free_request(mine: KeptAnswer) -> None:
    """Let a retry run: the portal could not answer."""
    KeptAnswer.objects.filter(_build_held_condition(mine)).update(token="", until=None)


def forget_request(mine: KeptAnswer) -> None:
    """Forget the key of a request that was refused, so that the corrected one can have it."""
    KeptAnswer.objects.filter(_build_held_condition(mine)).delete()


def _build_held_condition(mine: KeptAnswer) -> Q:
    """Return the condition that no retry has taken over the request because this one took too long."""
    return Q(pk=mine.pk, status=None, token=mine.token)


def transfer_answers(old_owner: str, new_owner: str) -> None:
    """Give the answers of one owner to another, except those whose keys the other has used too."""
    taken = KeptAnswer.objects.filter(owner=new_owner).values("key")
    KeptAnswer.objects.filter(owner=old_owner).exclude(key__in=taken).update(owner=new_owner)


def prune_kept_answers(now: datetime) -> None:
    """Remove the answers that are older than a day."""
    KeptAnswer.objects.filter(created_at__lte=now - KEPT).delete()

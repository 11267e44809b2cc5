"""The order of turns of accounts and of addresses.

For each owner with work that no worker holds, one message waits in the queue, and one row (`WaitingMessage`) has its
rank and age. A worker that gets any message serves the first of these rows. Short lists come first, then accounts, then
everyone else. One turn in four is for the owner that has waited longest, so that none waits for ever
(docs/decisions/0025-a-turn-belongs-to-an-address.md).

Lists of people without an account share the turns of their network address: sessions are free.
"""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from itertools import cycle

from django.db import IntegrityError, transaction
from django.db.models import Case, F, IntegerField, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce

from resolver.models import ENDED, Job, WaitingMessage
from resolver.services.accounts.owners import find_account_id

BACKGROUND = "watches"  # the owner of turns of all lists that no person waits for
ADDRESS = "address:"  # how the sharer of a list without an account begins
SHORT_LIST_ROWS = 50  # at most, in a list that comes first
SHORT_OF_ACCOUNT, SHORT_OF_STRANGER, OF_ACCOUNT, OF_STRANGER = range(4)  # the lower is served first

_is_for_longest_waiting = cycle((False, False, False, True))
_NEW_AND_SHORT = Q(served_at=None, total__lte=SHORT_LIST_ROWS)
short_first = Case(When(_NEW_AND_SHORT, then=0), default=1, output_field=IntegerField())  # of the lists in a turn
turn_owner = Case(When(background=True, then=Value(BACKGROUND)), When(sharer="", then=F("owner")), default=F("sharer"))


@dataclass(frozen=True, slots=True)
class TurnMessage:
    """The arguments of a turn's task: the owner, and a token that distinguishes it from the owner's other messages."""

    owner: str
    token: str


Send = Callable[[TurnMessage], object]


def get_turn_owner(job: Job) -> str:
    """Return the owner of the turns in which the list is served: an account, an address, or all watches together."""
    return BACKGROUND if job.background else job.sharer or job.owner


def filter_for_turn(jobs: QuerySet[Job], owner: str) -> QuerySet[Job]:
    """Return the jobs that are served in the owner's turns."""
    if owner == BACKGROUND:
        return jobs.filter(background=True)
    if owner.startswith(ADDRESS):
        return jobs.filter(sharer=owner, background=False)
    return jobs.filter(owner=owner, sharer="", background=False)


def request_turn(owner: str, now: datetime, send: Send) -> None:
    """Send a message for the owner, unless one waits already. Raise the rank of one that is less urgent."""
    waits = WaitingMessage.objects.filter(owner=owner)
    waiting_rank = waits.values_list("rank", flat=True).first()
    if waiting_rank is not None and waiting_rank <= SHORT_OF_STRANGER:
        return
    rank = _find_rank(owner)
    if waiting_rank is not None:
        if rank < waiting_rank:
            waits.update(rank=rank)
        return
    message = TurnMessage(owner, str(uuid.uuid4()))
    try:
        with transaction.atomic():
            WaitingMessage.objects.create(owner=owner, token=message.token, sent_at=now, waits_since=now, rank=rank)
    except IntegrityError:  # another process was first, and sends its own
        return
    send(message)


def take_wakeup() -> str | None:
    """Return the owner whose turn it is, and delete its row; None if none waits: the message was a duplicate."""
    since = Coalesce("waits_since", "sent_at")
    first = [since] if next(_is_for_longest_waiting) else [F("rank"), since]
    while waiting := WaitingMessage.objects.order_by(*first, "owner").first():
        if WaitingMessage.objects.filter(owner=waiting.owner, token=waiting.token).delete()[0]:
            return waiting.owner
    return None


def _find_rank(owner: str) -> int:
    if owner == BACKGROUND:
        return OF_STRANGER
    unended = Job.objects.exclude(state__in=ENDED)
    short = filter_for_turn(unended, owner).filter(_NEW_AND_SHORT).exists()
    if find_account_id(owner) is None:
        return SHORT_OF_STRANGER if short else OF_STRANGER
    return SHORT_OF_ACCOUNT if short else OF_ACCOUNT

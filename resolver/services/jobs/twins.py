"""The same list uploaded twice at once: side by side, both would ask for each name at the same moment, each before the
other has stored the answer. So the later one waits for the earlier, whoever owns it, and is answered by what is stored.
"""

from datetime import datetime

from django.db.models import Exists, OuterRef, Q

from resolver.models import ENDED, Job, State
from resolver.services.leases import LEASE

WORKED_ON = 6 * LEASE  # since a sign of life: whoever waits longer for a list at which nobody works waits in vain
_OPEN = [state for state in State if state not in ENDED]


def waits(now: datetime) -> Q:
    """Of jobs: there is an older one with the same file, to be checked in the same way, that is being worked on.

    The older one never waits for the younger, so that nobody waits in a circle. The sub-query looks at jobs with that
    file alone.
    """
    same = {column: OuterRef(column) for column in ("digest", "column", "quick", "proxy")}
    older = Q(created_at__lt=OuterRef("created_at")) | Q(created_at=OuterRef("created_at"), pk__lt=OuterRef("pk"))
    alive = Job.objects.filter(older, state__in=_OPEN, heartbeat_at__gte=now - WORKED_ON, **same)
    return ~Q(digest="") & Q(Exists(alive))


def is_waiting(job: Job, now: datetime) -> bool:
    """Whether that is why nothing happens in the job."""
    return not job.ended and Job.objects.filter(waits(now), pk=job.pk).exists()

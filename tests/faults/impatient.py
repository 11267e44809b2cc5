"""The portal's Celery app, but what a killed worker held is given to others after seconds instead of half a minute.

`celery -A tests.faults.impatient` runs it. How long these waits are says nothing about what happens after them;
`make faults` makes the same faults with the waits as they are.
"""

import sys
from datetime import timedelta
from typing import Any

import django
from celery.signals import worker_init

from doiportal.celery import app

__all__ = ["app"]

LEASE = LOST_AFTER = timedelta(seconds=5)
SWEEP_EVERY = 2.0

app.conf.beat_schedule["sweep"]["schedule"] = SWEEP_EVERY


@worker_init.connect
def wait_less(**_: Any) -> None:
    """In the process of which all that work are forked."""
    django.setup()
    from resolver.services.storage.leases import LeaseColumns
    from resolver.services.turns import scheduler

    services = [vars(module) for name, module in sys.modules.items() if name.startswith("resolver.services.")]
    columns = [value for names in services for value in names.values() if isinstance(value, LeaseColumns)]
    assert len(columns) >= 3  # of files, chunks and comparisons
    for one in columns:
        object.__setattr__(one, "lasting", LEASE)
    assert scheduler.LOST_AFTER > LOST_AFTER
    scheduler.LEASE, scheduler.LOST_AFTER = LEASE, LOST_AFTER

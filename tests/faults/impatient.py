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

RENEW_EVERY = 1.0
LEASE = LOST_AFTER = timedelta(seconds=5)
SWEEP_EVERY = 2.0

app.conf.beat_schedule["sweep"]["schedule"] = SWEEP_EVERY


@worker_init.connect
def wait_less(**_: Any) -> None:
    """In the process of which all that work are forked."""
    django.setup()
    from resolver.services import leases
    from resolver.services.jobs import scheduler

    kept = leases.keep_renewing.__wrapped__
    assert kept.__kwdefaults__ == {"every": leases.RENEW_EVERY}
    kept.__kwdefaults__["every"] = RENEW_EVERY
    services = [module for name, module in sys.modules.items() if name.startswith("resolver.services.")]
    holding = [module for module in services if "LEASE" in vars(module)]
    assert {leases, scheduler} < set(holding)
    for module in holding:
        module.LEASE = LEASE
    assert scheduler.LOST_AFTER > LOST_AFTER
    scheduler.LOST_AFTER = LOST_AFTER

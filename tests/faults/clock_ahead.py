"""The portal's Celery app on a machine whose clock is ahead by CLOCK_AHEAD seconds.

`celery -A tests.faults.clock_ahead` runs it. All that Python programs read of the machine's clock is shifted, before
any module of the portal is imported: what libfaketime does, which is not on every machine.
"""

import os
import time
from datetime import datetime, timedelta

from django.utils import timezone

AHEAD = float(os.environ["CLOCK_AHEAD"])
_read_machine, _read_django = time.time, timezone.now


def _read_shifted() -> float:
    return _read_machine() + AHEAD


def _read_django_shifted() -> datetime:
    return _read_django() + timedelta(seconds=AHEAD)


time.time, timezone.now = _read_shifted, _read_django_shifted

from doiportal.celery import app  # noqa: E402

__all__ = ["app"]

"""The Celery app: settings from Django's, names beginning with CELERY_."""

import gc
import os
from typing import Any

from celery import Celery
from celery.signals import worker_process_init

from doiportal import celery_brokers  # noqa: F401 - makes them known

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "doiportal.settings")

app = Celery("doiportal")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# A broker that comes back after an hour finds its workers there.
app.conf.broker_connection_max_retries = None
# A turn that goes on without the broker does no harm: should its message come again, its token is known to be used,
# and it is left. To end the turn would have its names asked twice.
app.conf.worker_cancel_long_running_tasks_on_connection_loss = False


@worker_process_init.connect
def collect_garbage_less_often(**_: Any) -> None:
    """A list makes many objects that live for a second: what Django and the libraries made at the start need not be
    gone through for them. Saves a twelfth of a worker's processor time."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)

"""The Celery app: settings from Django's, names beginning with CELERY_."""

import gc
import logging
import os
from typing import Any

from celery import Celery
from celery.signals import celeryd_init, setup_logging, worker_process_init

from doiportal.broker import (
    kombu_transports,  # noqa: F401 - the import makes the transports known
    scheduler_thread,
)
from doiportal.logs import ids  # noqa: F401 - connects them to messages

# A worker would run Django's system checks and ignore what they find. They import all pages, a fourth of its start.
# `migrate` runs them before.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

app = Celery("doiportal")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.user_options["worker"].add(scheduler_thread.OPTION)
app.steps["worker"].add(scheduler_thread.SchedulerStep)
# Workers wait for a missing broker without end.
app.conf.broker_connection_max_retries = None
# A turn may continue without the broker: if its message comes again, its token is used already. If it ended, its names
# would be requested twice.
app.conf.worker_cancel_long_running_tasks_on_connection_loss = False


@celeryd_init.connect
def log_warnings(**_: Any) -> None:
    """Write warnings of Python as lines of the log from the start. Celery does it after its own about the account."""
    logging.captureWarnings(True)


@setup_logging.connect
def set_log_level(loglevel: int, **_: Any) -> None:
    """The settings say how lines are written, also those of Celery. Only `--loglevel` goes before LOG_LEVEL."""
    import click  # only Celery's commands need it
    from click.core import ParameterSource

    command = click.get_current_context(silent=True)
    if command and command.get_parameter_source("loglevel") is ParameterSource.COMMANDLINE:
        logging.getLogger().setLevel(loglevel)


@worker_process_init.connect
def collect_garbage_less_often(**_: Any) -> None:
    """A list makes many short-lived objects. Fewer collections save a twelfth of the processor time."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)

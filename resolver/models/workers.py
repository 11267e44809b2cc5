"""The messages that wait for workers, and the heartbeats of all processes."""

from django.db import models


class WaitingMessage(models.Model):
    """A message that waits in the queue: one for each owner of turns, with its age and its urgency.

    A worker that gets any message serves the first of them (services/turns/turn_order.py) and deletes the row. `rank`:
    the lowest is served first. A message that may be lost is sent again: `sent_at` moves, `waits_since` doesn't.
    """

    owner = models.CharField(max_length=80, primary_key=True)
    token = models.CharField(max_length=36)
    sent_at = models.DateTimeField()
    waits_since = models.DateTimeField(null=True, blank=True)  # None: from the version before
    rank = models.PositiveSmallIntegerField(default=3, db_default=3)

    class Meta:
        db_table = "resolver_wakeup"

    def __str__(self) -> str:
        return f"for {self.owner}, sent at {self.sent_at}"


class Process(models.TextChoices):
    """A kind of process that reports that it is alive: one of Celery, or a web server."""

    WORKER = "worker"
    WEB = "web"


class WorkerHeartbeat(models.Model):
    """One row for each worker and for the scheduler, named as Celery names it (`celery@host`, `celerybeat@host`), and
    for each web server, with the time at which it last said that it is alive.

    `clock_ahead`: by how many seconds its machine's clock was ahead of the database's then. `settings`: a digest of
    each setting that must be equal on all machines. `files`: the mark in the storage of files, by which those are equal
    that reach the same files. `files_trouble`: why it can't reach them, or "".
    """

    name = models.CharField(max_length=255, primary_key=True)
    at = models.DateTimeField()
    clock_ahead = models.FloatField(default=0.0, db_default=0.0)
    kind = models.CharField(
        max_length=10, choices=Process.choices, default=Process.WORKER, db_default=Process.WORKER.value
    )
    version = models.CharField(max_length=40, default="", db_default="")
    settings = models.JSONField(default=dict, db_default={})
    files = models.CharField(max_length=64, default="", db_default="")
    files_trouble = models.CharField(max_length=200, default="", db_default="")

    def __str__(self) -> str:
        return f"{self.name}, {self.at}"

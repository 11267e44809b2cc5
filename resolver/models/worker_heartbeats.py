"""When each process was last alive, and how it was set up."""

from django.db import models


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

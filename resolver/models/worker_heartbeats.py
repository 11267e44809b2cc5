"""When each worker and the scheduler were last alive."""

from django.db import models


class WorkerHeartbeat(models.Model):
    """One row for each worker and for the scheduler, named as Celery names it (`celery@host`, `celerybeat@host`), with
    the time at which it last said that it is alive.

    `clock_ahead`: by how many seconds its machine's clock was ahead of the database's then.
    """

    name = models.CharField(max_length=255, primary_key=True)
    at = models.DateTimeField()
    clock_ahead = models.FloatField(default=0.0, db_default=0.0)

    def __str__(self) -> str:
        return f"{self.name}, {self.at}"

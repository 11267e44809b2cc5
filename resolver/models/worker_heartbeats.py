"""When each worker was last alive."""

from django.db import models


class WorkerHeartbeat(models.Model):
    """One row for each worker, named as Celery names it, with the time at which it last said that it is alive."""

    name = models.CharField(max_length=255, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name}, {self.at}"

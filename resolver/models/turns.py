"""The one message that waits in the queue for a free worker."""

from django.db import models


class Turn(models.Model):
    """The waiting message, and since when it waits. The only row has the number 1.

    A message with another token duplicates one that counted as lost; the worker that receives it ignores it.
    """

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    token = models.CharField(max_length=36, blank=True, default="")  # empty: none waits
    asked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"asked for at {self.asked_at}" if self.token else "none waits"

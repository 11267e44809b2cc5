"""The message that waits in the queue for each owner whose lists have work."""

from django.db import models


class Wakeup(models.Model):
    """One row for each owner for whom a message waits, and since when.

    A message with another token is a double: whoever gets it leaves it. The row goes when its message is taken.
    """

    owner = models.CharField(max_length=80, primary_key=True)
    token = models.CharField(max_length=36)
    sent_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"for {self.owner}, sent at {self.sent_at}"

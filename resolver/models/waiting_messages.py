"""The message that waits in the queue for each owner whose lists have work."""

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

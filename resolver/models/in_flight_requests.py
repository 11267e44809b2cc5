"""A question that the proxy is being asked, so that whoever has the same one waits for the answer instead."""

import uuid

from django.db import models

from resolver.models.fields import JsonTextField


class Question(models.Model):
    """What is asked is unique as long as it is asked; whoever asks it renews `until`, unless killed.

    When it is answered the row goes, since the answer is stored; where no answer came it says so to those who wait.
    Where somebody did, it says so until `until` to those who come too, else it holds its place no longer.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    what = models.CharField(max_length=64, null=True, unique=True)  # noqa: DJ001 - many may be null: they are over
    until = models.DateTimeField()
    asked_at = models.DateTimeField()
    failure = JsonTextField(default=None)
    awaited = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"asked at {self.asked_at}"

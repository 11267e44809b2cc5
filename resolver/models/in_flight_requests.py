"""Requests in flight, so that other requests for the same names wait for the answer (single-flight)."""

import uuid

from django.db import models

from resolver.models.fields import JsonTextField


class Question(models.Model):
    """A request in flight. `what` is unique while it runs. Its sender renews `until` until it ends or is killed.

    With an answer the row is deleted, because the answer is stored. Without one, `failure` tells the waiting requests.
    If any request waited, the row keeps its place and tells later ones too, until `until`.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    what = models.CharField(max_length=64, null=True, unique=True)  # noqa: DJ001 - many may be null: the ended ones
    until = models.DateTimeField()
    asked_at = models.DateTimeField()
    failure = JsonTextField(default=None)
    awaited = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"asked at {self.asked_at}"

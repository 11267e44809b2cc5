"""Requests in flight, so that other requests for the same names wait for the answer (single-flight)."""

from django.db import models

from resolver.models.fields import JsonTextField


class InFlightRequest(models.Model):
    """A request in flight, under a lease of its sender.

    With an answer the row is deleted, because the answer is stored. Without one, `failure` tells the waiting requests.
    If any request waited, the row tells later ones too, until `until`.
    """

    key = models.CharField(max_length=64, primary_key=True)  # a digest of what is asked for
    token = models.CharField(max_length=36, blank=True, default="")
    until = models.DateTimeField(null=True, blank=True)
    asked_at = models.DateTimeField()
    failure = JsonTextField(default=None)
    awaited = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"asked at {self.asked_at}"

"""Answers that are given again to a repeated request with the same Idempotency-Key."""

from django.db import models


class KeptAnswer(models.Model):
    """The first answer to a request with a key of its owner. While that request is under way there is no `status`, and
    its process holds the lease."""

    owner = models.CharField(max_length=80)
    key = models.CharField(max_length=64)  # SHA-256 of the key, in hexadecimal
    fingerprint = models.CharField(max_length=64)  # SHA-256 of the request, in hexadecimal
    created_at = models.DateTimeField(db_index=True)
    token = models.CharField(max_length=36, blank=True, default="")
    until = models.DateTimeField(null=True, blank=True)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    location = models.TextField(blank=True, default="")
    body = models.BinaryField(default=b"")  # JSON, compressed by zlib

    class Meta:
        constraints = (models.UniqueConstraint(fields=("owner", "key"), name="kept_answer_key_once"),)

    def __str__(self) -> str:
        return f"{self.owner}: {self.status or 'under way'}"

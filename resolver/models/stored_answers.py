"""Stored answers: those of the DOI proxy, those of searches, the requests that are in flight, and the first answers of
the API to requests with an Idempotency-Key."""

from django.db import models

from resolver.models.fields import ExactTextField, JsonTextField


class StoredAnswer(models.Model):
    """A handle's own record, its agency and what it stands for at one proxy, each with the time of its request. Unique
    by a digest, because names may be of any length (S7) and index entries may not."""

    id = models.BigAutoField(primary_key=True)
    proxy = models.CharField(max_length=500)
    digest = models.CharField(max_length=64)  # of the folded name (`services/proxy_answers/cache.py`)
    name = ExactTextField()
    record = JsonTextField(default=None)  # {"raw": what the REST API said (A1)}
    record_at = models.DateTimeField(null=True, blank=True)
    ra = ExactTextField(blank=True, default="")
    ra_status = ExactTextField(blank=True, default="")
    agency_at = models.DateTimeField(null=True, blank=True)
    metadata = JsonTextField(default=None)  # `domain/work/metadata.py`
    metadata_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("proxy", "digest"), name="answer_once"),)

    def __str__(self) -> str:
        return f"{self.name} at {self.proxy}"


class StoredSearch(models.Model):
    """The works that a service found for a query, with the time of the request. Of the query only a digest is kept: the
    words of people's lists are stored nowhere else than in the lists."""

    id = models.BigAutoField(primary_key=True)
    service = models.CharField(max_length=20)  # as a found work shows it
    digest = models.CharField(max_length=24)  # of the service's address and the query (`stored_searches.py`)
    hits = JsonTextField(default=list)  # `domain/work/metadata.py`, the best first
    answered_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("service", "digest"), name="stored_search_once"),)

    def __str__(self) -> str:
        return f"{len(self.hits)} works of {self.service}"


class InFlightRequest(models.Model):
    """A request in flight, under a lease of its sender. An answer is stored, and the row is deleted. Without one,
    `failure` is for the waiting requests, and if any waited, for later ones until `until`."""

    key = models.CharField(max_length=64, primary_key=True)  # a digest of what is requested
    token = models.CharField(max_length=36, blank=True, default="")
    until = models.DateTimeField(null=True, blank=True)
    asked_at = models.DateTimeField()
    failure = JsonTextField(default=None)
    awaited = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"asked at {self.asked_at}"


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

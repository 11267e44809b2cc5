"""Cached answers of a DOI proxy, kept while they are fresh (P13)."""

from django.db import models

from resolver.models.fields import ExactTextField, JsonTextField


class StoredAnswer(models.Model):
    """A handle's own record, its agency and what it stands for at one proxy, each with the time of its request.

    Unique by a digest, because names may be of any length (S7) and index entries may not.
    """

    id = models.BigAutoField(primary_key=True)
    proxy = models.CharField(max_length=500)
    digest = models.CharField(max_length=64)  # of the folded name (`services/proxy_answers/cache.py`)
    name = ExactTextField()
    record = JsonTextField(default=None)  # {"raw": what the REST API said (A1)}
    record_at = models.DateTimeField(null=True, blank=True)
    ra = ExactTextField(blank=True, default="")
    ra_status = ExactTextField(blank=True, default="")
    agency_at = models.DateTimeField(null=True, blank=True)
    metadata = JsonTextField(default=None)  # `domain/metadata/work_metadata.py`
    metadata_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("proxy", "digest"), name="answer_once"),)

    def __str__(self) -> str:
        return f"{self.name} at {self.proxy}"

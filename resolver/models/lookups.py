"""Lookups: the input, its reading, and the answer of the proxy."""

import uuid
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from django.conf import settings
from django.db import models

from doi_reading import read
from resolver.domain.report.outcome import EXISTS
from resolver.models.fields import ExactTextField
from resolver.models.reports.stored_report import LookupReport


class Lookup(LookupReport):
    """A report in its owner's history."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.CharField(max_length=80)
    created_at = models.DateTimeField()
    input = ExactTextField()
    form = models.CharField(max_length=20)
    search = ExactTextField(default="")  # input and name, ASCII-folded: what `?q=` looks in (S8)
    sample = models.BooleanField(default=False)
    title = ExactTextField(default="")  # of the work that is meant, as the person wrote it
    author = ExactTextField(default="")

    class Meta:
        ordering = ("-created_at", "-id")
        indexes = (
            models.Index(fields=("owner", "-created_at", "-id"), name="lookup_history"),
            # The counts for filters come from the index alone, because the rows hold whole records.
            models.Index(fields=("owner", "outcome", "ra", "problem_codes"), name="lookup_kinds"),
            models.Index(fields=("created_at",), name="lookup_age"),
        )

    def __str__(self) -> str:
        return f"{self.doi or self.input}: {self.outcome}"

    @cached_property
    def all_candidates(self) -> Sequence[Mapping[str, Any]]:
        """The other possible DOIs of the text as `candidates` has them, best first. Of a name that exists, those that
        weren't tried are made anew: the rules take many times as long as all the rest of the reading."""
        stored: Sequence[Mapping[str, Any]] = self.candidates
        if self.outcome not in EXISTS:
            return stored
        offered = read(self.input, longest=settings.MAX_CELL).candidates
        untried = {one.doi: {"doi": one.doi, "reason": one.reason, "exists": None} for one in offered}
        return list((untried | {one["doi"]: one for one in self.candidates}).values())

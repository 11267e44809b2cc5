"""Comparisons of two lists: the number of rows for each kind of change, and the rows that differ."""

from django.db import models

from resolver.domain.report.change import Change
from resolver.models.fields import JsonTextField
from resolver.models.jobs import Job

KINDS = [(str(change), str(change)) for change in Change]


class Comparison(models.Model):
    """A comparison of two lists in their state at the stored end times. It is made in pieces, up to `compared_up_to`. A
    list that continues ends at another time, and then needs a new comparison."""

    id = models.BigAutoField(primary_key=True)
    before = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="+", db_index=False)
    after = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="+")
    before_ended = models.DateTimeField()
    after_ended = models.DateTimeField()
    by_line = models.BooleanField()  # two runs of one file; otherwise rows are matched by name, each distinct name once
    created_at = models.DateTimeField()
    compared_up_to = models.BigIntegerField(null=True, blank=True)  # a line, or the fingerprint of a name
    done = models.BooleanField(default=False)
    counts = JsonTextField(default=dict)  # rows by kind of change
    claim = models.CharField(max_length=36, blank=True, default="")  # the token of the worker that continues it
    claimed_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("before", "after", "before_ended", "after_ended"), name="comparison_once"),
        )

    def __str__(self) -> str:
        return f"{self.before_id} and {self.after_id}: {self.counts}"


class Difference(models.Model):
    """One difference, by its lines in both lists; the rows hold the content."""

    id = models.BigAutoField(primary_key=True)
    comparison = models.ForeignKey(Comparison, on_delete=models.CASCADE, related_name="differences", db_index=False)
    kind = models.CharField(max_length=20, choices=KINDS)
    # The order on pages: twice the line in the first list, so that rows of only the second list fit between.
    place = models.BigIntegerField()
    line = models.PositiveIntegerField(null=True, blank=True)  # in the first list; None: not in it
    other_line = models.PositiveIntegerField(null=True, blank=True)  # in the second

    class Meta:
        ordering = ("comparison", "place")
        constraints = (models.UniqueConstraint(fields=("comparison", "place"), name="difference_once"),)
        indexes = (models.Index(fields=("comparison", "kind", "place"), name="difference_kind"),)

    def __str__(self) -> str:
        return f"{self.kind}: line {self.line} and {self.other_line}"

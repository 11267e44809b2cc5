"""Two lists laid side by side: how many rows changed in which way, and which."""

from django.db import models

from resolver.domain.report.diff import Change
from resolver.models.fields import JsonTextField
from resolver.models.jobs import Job

KINDS = [(str(change), str(change)) for change in Change]


class Comparison(models.Model):
    """Of two lists as they stood when each had ended at that time; made piece by piece, up to `last`.

    A list that is taken up again ends at another time, and is compared anew.
    """

    id = models.BigAutoField(primary_key=True)
    before = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="+", db_index=False)
    after = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="+")
    before_ended = models.DateTimeField()
    after_ended = models.DateTimeField()
    by_line = models.BooleanField()  # two runs of one file; else matched by the names, each distinct name once
    created_at = models.DateTimeField()
    last = models.BigIntegerField(null=True, blank=True)  # the line, or the name's fingerprint, up to which it is made
    done = models.BooleanField(default=False)
    counts = JsonTextField(default=dict)  # rows by kind of change
    claim = models.CharField(max_length=36, blank=True, default="")  # of whoever goes on with it just now
    claimed_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("before", "after", "before_ended", "after_ended"), name="comparison_once"),
        )

    def __str__(self) -> str:
        return f"{self.before_id} and {self.after_id}: {self.counts}"


class Difference(models.Model):
    """What is not the same in both, by its lines; what stands there is in the rows themselves."""

    id = models.BigAutoField(primary_key=True)
    comparison = models.ForeignKey(Comparison, on_delete=models.CASCADE, related_name="differences", db_index=False)
    kind = models.CharField(max_length=20, choices=KINDS)
    # The order in which they are shown: by the line in the first list; twice that, so that what only the second list
    # holds has a place of its own between.
    place = models.BigIntegerField()
    line = models.PositiveIntegerField(null=True, blank=True)  # in the first list; None: it is not there
    other_line = models.PositiveIntegerField(null=True, blank=True)  # in the second

    class Meta:
        ordering = ("comparison", "place")
        constraints = (models.UniqueConstraint(fields=("comparison", "place"), name="difference_once"),)
        indexes = (models.Index(fields=("comparison", "kind", "place"), name="difference_kind"),)

    def __str__(self) -> str:
        return f"{self.kind}: line {self.line} and {self.other_line}"

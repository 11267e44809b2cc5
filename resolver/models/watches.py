"""Watches: lists that the portal checks again by itself, what each run found, and what was reported."""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from resolver.domain.display.row_number import format_row_number
from resolver.models.fields import ExactTextField, MessageField
from resolver.models.jobs import Job
from resolver.models.webhooks import Webhook


class Every(models.TextChoices):
    """How often a list is checked again."""

    DAY = "day", _("every day")
    WEEK = "week", _("every week")
    MONTH = "month", _("every month")
    QUARTER = "quarter", _("every three months")


class Depth(models.TextChoices):
    """What a run requests: Which RA alone, fifty names in a request, or every record."""

    EXISTENCE = "existence", _("existence")
    FULL = "full", _("full check")


class Watch(models.Model):
    """A list that is checked again and again, and how its owner hears of changes.

    `job` is the list that the runs are made of. It is not removed after the retention time, and its deletion ends the
    watch. A worker that holds the claim until `claimed_until` starts, continues or settles its run; no other does.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.CharField(max_length=80)
    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="watches")
    name = ExactTextField(blank=True, default="")
    every = models.CharField(max_length=7, choices=Every.choices)
    depth = models.CharField(max_length=9, choices=Depth.choices)
    compare = models.BooleanField(default=False)  # whether each run compares the works of the rows, if the list does
    mail = models.BooleanField(default=False)
    webhook = models.ForeignKey(Webhook, on_delete=models.SET_NULL, null=True, blank=True, related_name="watches")
    portal = models.TextField()  # the address of this portal as its person reaches it, without a final slash
    language = models.CharField(max_length=10)  # of its feed
    created_at = models.DateTimeField()
    first_at = models.DateTimeField()  # the first time of its schedule; the others follow from it
    next_at = models.DateTimeField()  # when the next run is due
    paused_at = models.DateTimeField(null=True, blank=True)
    # Whether it is known which rows a full check finds broken; if not, the next one learns what quick ones can't see.
    baseline = models.BooleanField(default=True)
    feed_token = models.CharField(max_length=64, unique=True)  # whoever has it reads the feed
    claim = models.CharField(max_length=36, blank=True, default="")
    claimed_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-created_at", "-id")
        indexes = (
            models.Index(fields=("owner", "-created_at", "-id"), name="watch_history"),
            models.Index(fields=("next_at",), condition=models.Q(paused_at=None), name="watch_due"),
        )

    def __str__(self) -> str:
        return f"{self.title}: {self.every}"

    @property
    def title(self) -> str:
        """The title on pages: the owner's name for it, else that of the list."""
        return self.name or self.job.title


class RunState(models.TextChoices):
    """The state of a run; see `WatchRun`."""

    STARTING = "starting", _("starting")
    CHECKING = "checking", _("checking")
    WAITING = "waiting", _("waiting to confirm")
    CONFIRMING = "confirming", _("confirming")
    SETTLED = "settled", _("done")
    INCOMPLETE = "incomplete", _("too many rows couldn’t be checked")
    FAILED = "failed", _("failed")


OVER = (RunState.SETTLED, RunState.INCOMPLETE, RunState.FAILED)


class WatchRun(models.Model):
    """One run of a watch.

        starting ──► checking ──► settled: nothing is newly broken
                        │  │
                        │  └────► waiting ──► confirming ──► settled: what is newly broken was checked twice
                        └──► incomplete: more than a tenth couldn't be checked; another run follows the next day

        any of these ──► failed: its list is gone, was cancelled, or can't be started (`error` says why)

    Times are those of the schedule: `runwatches --at` may be earlier or later than now.
    """

    id = models.BigAutoField(primary_key=True)
    watch = models.ForeignKey(Watch, on_delete=models.CASCADE, related_name="runs", db_index=False)
    job = models.ForeignKey(Job, on_delete=models.SET_NULL, null=True, blank=True, related_name="watch_runs")
    state = models.CharField(max_length=10, choices=RunState.choices, default=RunState.STARTING)
    started_at = models.DateTimeField()
    checked_at = models.DateTimeField(null=True, blank=True)  # when the rows had their first answers
    settled_at = models.DateTimeField(null=True, blank=True)
    total = models.PositiveIntegerField(default=0)  # rows
    unchecked = models.PositiveIntegerField(default=0)  # rows of these that couldn't be checked
    broken = models.PositiveIntegerField(default=0)  # rows of these that are broken, reported or not
    newly_broken = models.PositiveIntegerField(default=0)
    newly_working = models.PositiveIntegerField(default=0)
    error = MessageField(blank=True, default="")
    mail_due = models.BooleanField(default=False)  # the outbox: stored with the changes, until the mail is sent
    # The mail that is being sent, with exactly these runs: it is tried again with the same id.
    mail_batch = models.CharField(max_length=36, blank=True, default="")
    mailed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("watch", "-started_at", "-id")
        constraints = (
            models.UniqueConstraint(
                fields=("watch",), condition=~models.Q(state__in=OVER), name="watch_run_one_at_a_time"
            ),
        )
        indexes = (
            models.Index(fields=("watch", "-started_at", "-id"), name="watch_run_history"),
            models.Index(fields=("watch",), condition=models.Q(mail_due=True), name="watch_run_mail"),
        )

    def __str__(self) -> str:
        return f"{self.watch_id}, {self.started_at}: {self.state}"

    @property
    def is_over(self) -> bool:
        """Whether nothing more happens to it."""
        return self.state in OVER


class WatchedState(models.TextChoices):
    """What a watch knows of a row that doesn't simply work."""

    BROKEN = "broken"  # reported, or broken from the beginning
    SUSPECTED = "suspected"  # seen broken once
    ACCEPTED = "accepted"  # broken, and its owner accepts it as it is
    UNKNOWN = "unknown"  # couldn't be checked when the watch began


class WatchedRow(models.Model):
    """A row that doesn't simply work, by its line in the list. Rows that work have none."""

    id = models.BigAutoField(primary_key=True)
    watch = models.ForeignKey(Watch, on_delete=models.CASCADE, related_name="rows", db_index=False)
    line = models.PositiveIntegerField()
    state = models.CharField(max_length=9, choices=WatchedState.choices)
    outcome = models.CharField(max_length=20, blank=True, default="")  # or one of WATCHED_FAULTS; "" if it is unknown
    since = models.DateTimeField()  # when it was first seen like this
    note = ExactTextField(blank=True, default="")  # why it is accepted

    class Meta:
        ordering = ("watch", "line")
        constraints = (models.UniqueConstraint(fields=("watch", "line"), name="watched_row_once"),)
        indexes = (models.Index(fields=("watch", "state", "line"), name="watched_row_state"),)

    def __str__(self) -> str:
        return f"line {self.line}: {self.state}"


class WatchChange(models.Model):
    """A reported change: a row that broke, or that works again. It holds the texts, because runs are removed."""

    id = models.BigAutoField(primary_key=True)
    run = models.ForeignKey(WatchRun, on_delete=models.CASCADE, related_name="changes", db_index=False)
    watch = models.ForeignKey(Watch, on_delete=models.CASCADE, related_name="changes", db_index=False)
    line = models.PositiveIntegerField()
    row = models.PositiveIntegerField(null=True, blank=True)  # as a spreadsheet counts
    part = models.PositiveSmallIntegerField(default=0)  # as in the row
    works = models.BooleanField()  # works again; else it broke
    input = ExactTextField(blank=True, default="")
    doi = ExactTextField(blank=True, default="")
    outcome = models.CharField(max_length=20)  # now, or one of WATCHED_FAULTS
    ra = ExactTextField(blank=True, default="")
    suggestion = ExactTextField(blank=True, default="")
    at = models.DateTimeField()

    class Meta:
        ordering = ("watch", "-id")
        indexes = (
            models.Index(fields=("watch", "-id"), name="watch_change_history"),
            models.Index(fields=("run", "works", "line"), name="watch_change_of_run"),
        )

    def __str__(self) -> str:
        return f"line {self.line}: {self.outcome}"

    @property
    def number(self) -> str:
        """What pages and mails call the row."""
        return format_row_number(self.row, self.line, self.part)

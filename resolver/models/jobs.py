"""A list of names: its draft, the job, its chunks (the units of work) and its rows (the results)."""

import uuid
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from resolver.domain.display.row_number import format_row_number
from resolver.models.fields import ExactTextField, JsonTextField, MessageField
from resolver.models.reports.stored_report import RowReport


def no_counts() -> dict[str, dict[str, int]]:
    """Return the counts of a job without results."""
    return {"outcome": {}, "problem": {}, "ra": {}}


def no_precheck() -> dict[str, Any]:
    """Return the counts of a precheck that has not started."""
    return {"rows": 0, "exist": 0, "missing": 0, "unknown": 0, "no_name": 0, "ra": {}}


class State(models.TextChoices):
    """The state of a job; see `Job`."""

    QUEUED = "queued", _("queued")
    READING = "reading", _("reading")
    CHECKING = "checking", _("checking")
    FINISHED = "finished", _("finished")
    CANCELLED = "cancelled", _("cancelled")
    FAILED = "failed", _("failed")


class Draft(models.Model):
    """An upload without a job. It becomes a job with this id and upload, or is removed after two days."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.CharField(max_length=80)
    created_at = models.DateTimeField()
    filename = ExactTextField()
    upload = models.TextField()  # relative to the uploads folder
    digest = models.CharField(max_length=64)  # SHA-256 of the upload
    layout = JsonTextField(default=None)  # as detected; None: a person must choose first
    sheets = JsonTextField(default=list)  # the names of a workbook's sheets, for the choice
    pasted = models.BooleanField(default=False)
    text = ExactTextField(blank=True, default="")  # the pasted text, if it is short enough to be one text

    class Meta:
        ordering = ("-created_at", "-id")
        indexes = (models.Index(fields=("created_at",), name="draft_age"),)

    def __str__(self) -> str:
        return str(self.filename)


LAST_LINE = 2**31 - 1  # that a column holds
ENDED = (State.FINISHED, State.CANCELLED, State.FAILED)


class Job(models.Model):
    """One uploaded list. The row holds its whole state; a broker message only says that there is work.

        queued ──► reading ──► checking ──► finished
           │          │ │          │
           │          │ └──────────┴──► failed: a line can't be read or checked (`error` says which)
           └──────────┴────────────┴──► cancelled by its owner

        finished, cancelled, failed ──► checking, or ──► queued if the file was not read to its end: a retry by its
            owner, for rows without a complete answer. A line that can't be read fails the job again at the end.

    Every arrow is one conditional UPDATE (`WHERE state = …`) or happens under the lock of the job's row, so two workers
    can't both take it. Chunks are prechecked or checked while the file is still being read. The job is finished when
    the file is read and all chunks are done. `prechecking` (the precheck) ends once, also by a conditional UPDATE: when
    the file is read and all chunks are prechecked, or when Which RA doesn't answer (services/turns/precheck.py).
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.CharField(max_length=80)
    # Uploads without an account share turns with all others from the network address: a digest of it.
    sharer = models.CharField(max_length=48, blank=True, default="", db_default="")
    idempotency_key = models.CharField(max_length=64, blank=True, default="")  # a digest of the header
    request_id = models.CharField(max_length=64, blank=True, default="")  # of its upload, for the log
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)  # when a worker last read its file, or wrote results
    served_at = models.DateTimeField(null=True, blank=True)  # when a worker last chose it (services/turns/scheduler.py)
    reader = models.CharField(max_length=36, blank=True, default="")  # the token of the worker that reads the file
    read_until = models.DateTimeField(null=True, blank=True)  # the end of its lease
    filename = ExactTextField()
    name = ExactTextField(blank=True, default="")  # what its owner calls it
    note = ExactTextField(blank=True, default="")
    upload = models.TextField()  # relative to the uploads folder
    digest = models.CharField(max_length=64, blank=True, default="")  # SHA-256 of the upload
    requested_column = ExactTextField(blank=True, default="")
    column = ExactTextField(blank=True, default="")
    header = JsonTextField(default=None)  # list of text, or None when the file has none
    layout = JsonTextField(default=dict)  # what `sheets` found the file to be
    shown_columns = JsonTextField(default=None)  # indexes of the columns that pages show; None: not chosen
    quick = models.BooleanField(default=False)
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    total = models.PositiveIntegerField(default=0)  # rows read so far
    counted_rows = models.PositiveIntegerField(default=0)  # rows that count in its owner's daily quota (quotas.py)
    done = models.PositiveIntegerField(default=0)  # rows with an outcome
    incomplete = models.PositiveIntegerField(default=0)  # incomplete rows of these, see Row
    needs_review = models.PositiveIntegerField(default=0)  # rows of these that need review, see Row
    tidier = models.PositiveIntegerField(default=0)  # rows of these that could be tidier, see Row
    counts = JsonTextField(default=no_counts)
    # Checked rows by task (domain/report/row_task.py). None: not counted, in a list of an earlier version.
    task_counts = JsonTextField(default=dict)
    prechecking = models.BooleanField(default=False)  # Which RA checks the whole list before its records are requested
    review_version = models.PositiveIntegerField(default=0)  # grows with each decision and each undo
    precheck = JsonTextField(default=None)  # rows by what Which RA said, see no_precheck; None: none
    duplicates = models.PositiveIntegerField(default=0)  # rows with the name of an earlier row
    # References of a bibliographic file with a row (0: a table, or not counted at that time), and those of them of
    # which a row needs attention or could be tidier.
    references = models.PositiveIntegerField(default=0, db_default=0)
    references_in_need = models.PositiveIntegerField(default=0, db_default=0)
    error = MessageField(blank=True, default="")
    proxy = models.TextField()  # base URL
    sample = models.BooleanField(default=False)
    # The first run of the same list.
    rerun_of = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="runs")
    checked_from = models.UUIDField(null=True, blank=True)  # the run on whose page a person chose to check again
    fresh_since = models.DateTimeField(null=True, blank=True)  # cached answers before it do not count
    # In the address under which its owner shares it. Not a digest, because its owner may read the address again.
    share_token = models.CharField(max_length=64, blank=True, default="")
    background = models.BooleanField(default=False)  # a run of a watch: no person waits for it
    only_webhook = models.UUIDField(null=True, blank=True)  # that learns of its end; None: each of the account

    class Meta:
        ordering = ("-created_at", "-id")
        indexes = (
            models.Index(fields=("owner", "-created_at", "-id"), name="job_history"),
            models.Index(fields=("state",), name="job_state"),
            models.Index(fields=("sharer",), condition=~models.Q(sharer=""), name="job_sharer"),
            models.Index(fields=("digest",), name="job_digest"),  # whether another has the same file
        )
        constraints = (
            models.UniqueConstraint(
                fields=("owner", "idempotency_key"), condition=~models.Q(idempotency_key=""), name="job_once"
            ),
            models.UniqueConstraint(
                fields=("share_token",), condition=~models.Q(share_token=""), name="job_shared_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.filename}: {self.state} ({self.done}/{self.total})"

    @property
    def title(self) -> str:
        """The title on pages: the owner's name for it, else the file name."""
        return str(self.name or self.filename)

    @property
    def ended(self) -> bool:
        """Return whether the job has ended, so that its results can be downloaded."""
        return self.state in ENDED


class Chunk(models.Model):
    """Rows that are checked together, by the worker that holds the claim until `claimed_until`."""

    id = models.BigAutoField(primary_key=True)
    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="chunks")
    number = models.PositiveIntegerField()
    first_line = models.PositiveIntegerField()
    last_line = models.PositiveIntegerField()
    prechecked = models.BooleanField(default=False)  # its job has counted what Which RA says of its rows
    done = models.BooleanField(default=False)
    claim = models.CharField(max_length=36, blank=True, default="")
    claimed_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)  # how often it was claimed and not given back
    # The line that is being tried by itself, 0 before the first; None: its rows are checked together, as usual.
    tried_line = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering = ("job", "number")
        constraints = (models.UniqueConstraint(fields=("job", "number"), name="chunk_once"),)
        indexes = (models.Index(fields=("job",), condition=models.Q(done=False), name="chunk_undone"),)

    def __str__(self) -> str:
        return f"chunk {self.number}, lines {self.first_line} to {self.last_line}"


HAS_RARE_CORRECTION = models.Q(correction__gt="", correction__lt="unchanged")
"""By the alphabet every correction but unchanged, unchecked and none, which most rows have. It is the condition of the
index of corrections: a query finds rows by this index only with the same condition."""


class Row(RowReport):
    """One data row of the file with its result. `outcome` is empty until the row is checked."""

    id = models.BigAutoField(primary_key=True)
    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="rows", db_index=False)
    line = models.PositiveIntegerField()  # 1-based data row, at most LAST_LINE
    row = models.PositiveIntegerField(null=True, blank=True)  # as a spreadsheet counts; None: not kept at that time
    part = models.PositiveSmallIntegerField(default=0)  # 1 and up: of a cell whose DOIs have rows of their own
    reference = models.IntegerField(null=True, blank=True)  # the first line of its reference; None: no such
    cells = JsonTextField(default=list)
    input = ExactTextField(blank=True, default="")
    # A person's decision about what goes back into a catalogue (domain/report/correction.py).
    decision = models.CharField(max_length=8, blank=True, default="")
    decided_doi = ExactTextField(blank=True, default="")
    decided_proposal = ExactTextField(blank=True, default="")  # what was proposed then, or the text that stays
    decided_by = models.CharField(max_length=150, blank=True, default="")
    decided_at = models.DateTimeField(null=True, blank=True)
    same_as_row: int | None = None  # the number of the row in `same_as`; filled in by services/results/row_numbers.py

    class Meta:
        ordering = ("job", "line")
        constraints = (models.UniqueConstraint(fields=("job", "line"), name="row_once"),)
        indexes = (
            # Empty, and without cost, where no works are compared.
            models.Index(
                fields=("job", "work", "line", "outcome", "problem_codes", "ra", "needs_review"),
                condition=models.Q(work__gt=""),
                name="row_work",
            ),
            # The same where no works are searched for.
            models.Index(
                fields=("job", "found_by", "line", "outcome", "problem_codes", "ra", "needs_review"),
                condition=models.Q(found_by__gt=""),
                name="row_found_by",
            ),
            # One entry for each distinct name of a job, however often it occurs.
            models.Index(
                fields=("job", "fingerprint"),
                condition=models.Q(same_as=None, fingerprint__isnull=False),
                name="row_first_of_name",
            ),
            models.Index(fields=("job", "line"), condition=models.Q(same_as__isnull=False), name="row_duplicate"),
            # For the filters. Each index has the columns of the others, so that any combination is decided in the
            # index, without reading rows that don't match. (With a condition, SQLite would not use the first two: it
            # puts the value into the condition before it looks for a matching index.)
            models.Index(
                fields=("job", "problem_codes", "line", "outcome", "ra", "needs_review", "tidier"),
                name="row_by_problem",
            ),
            models.Index(
                fields=("job", "outcome", "line", "ra", "problem_codes", "needs_review", "tidier"), name="row_outcome"
            ),
            models.Index(
                fields=("job", "ra", "line", "outcome", "problem_codes", "needs_review", "tidier"), name="row_agency"
            ),
            models.Index(
                fields=("job", "line", "problem_codes", "outcome", "ra", "needs_review", "tidier"),
                condition=models.Q(problem_codes__gt=""),
                name="row_problems",
            ),
            models.Index(
                fields=("job", "line", "outcome", "ra", "problem_codes", "needs_review"),  # SQLite reads the last too
                condition=models.Q(needs_review=True),
                name="row_needs_review",
            ),
            models.Index(
                fields=("job", "line", "outcome", "ra", "problem_codes", "tidier"),
                condition=models.Q(tidier=True),
                name="row_tidier",
            ),
            models.Index(
                fields=("job", "correction", "line", "problem_codes", "outcome", "ra", "needs_review"),
                condition=HAS_RARE_CORRECTION,
                name="row_correction",
            ),
            # Both are empty, and cost nothing, where no addresses are expected.
            models.Index(
                fields=("job", "address", "line", "host", "outcome", "problem_codes", "ra", "needs_review"),
                condition=models.Q(address__gt=""),
                name="row_address",
            ),
            models.Index(
                fields=("job", "host", "line", "address", "outcome", "problem_codes", "ra", "needs_review"),
                condition=models.Q(host__gt=""),
                name="row_host",
            ),
        )

    def __str__(self) -> str:
        return f"line {self.line}: {self.outcome or 'not checked'}"

    @property
    def number(self) -> str:
        """What pages call the row. `number_rows` in services/results/row_numbers.py fills in what was not kept."""
        return format_row_number(self.row, self.line, self.part)

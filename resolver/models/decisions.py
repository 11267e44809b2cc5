"""Decisions about the corrections of a list: each action of a person, and what it replaced, to undo it."""

from django.db import models

from resolver.models.fields import ExactTextField
from resolver.models.jobs import Job


class DecisionAction(models.Model):
    """One action of a person: one row decided, or many. The rows hold the decisions themselves."""

    id = models.BigAutoField(primary_key=True)
    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="decision_actions")
    decision = models.CharField(max_length=8, blank=True, default="")  # "": decisions were taken back
    rows = models.PositiveIntegerField()
    line = models.PositiveIntegerField(null=True, blank=True)  # of the row, if it was one
    made_by = models.CharField(max_length=150, blank=True, default="")  # the name of the account; "" for a session
    made_at = models.DateTimeField()

    class Meta:
        ordering = ("job", "id")

    def __str__(self) -> str:
        return f"{self.decision or 'taken back'}: {self.rows} rows"


class EarlierDecision(models.Model):
    """What a row of an action had before it. No foreign key to the row: a list is deleted without looking at each."""

    id = models.BigAutoField(primary_key=True)
    action = models.ForeignKey(DecisionAction, on_delete=models.CASCADE, related_name="earlier", db_index=False)
    line = models.PositiveIntegerField()
    correction = models.CharField(max_length=14, blank=True, default="")
    decision = models.CharField(max_length=8, blank=True, default="")
    decided_doi = ExactTextField(blank=True, default="")
    decided_proposal = ExactTextField(blank=True, default="")
    decided_by = models.CharField(max_length=150, blank=True, default="")
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("action", "line"), name="earlier_decision_once"),)

    def __str__(self) -> str:
        return f"line {self.line}: {self.correction}"

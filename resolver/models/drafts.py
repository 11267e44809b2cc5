"""Drafts: uploaded lists whose check has not started."""

import uuid

from django.db import models

from resolver.models.fields import ExactTextField, JsonTextField


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

"""The lists whose uploaded file can't come back corrected, and why."""

from doi_reading import Message
from doi_reading.message import join_messages
from resolver.models import Job
from resolver.services.uploads import stored_uploads
from resolver.sheets.input.layout import Layout

_INSTEAD = Message("Use the results with corrected DOIs instead.")
_SAVE_AS_XLSX = Message("We don't write this kind of workbook. Save it as XLSX first.")
_REASONS = {
    "pasted": join_messages(" ", Message("You pasted this list, so there is no file."), _INSTEAD),
    "json-lines": join_messages(" ", Message("We don't write into JSON lines."), _INSTEAD),
    "json": join_messages(" ", Message("We don't write into this kind of JSON."), _INSTEAD),
    "xls": _SAVE_AS_XLSX,
    "xlsb": _SAVE_AS_XLSX,
}
_UNREADABLE = Message("We couldn't read the whole file, so we don't write into it. Correct it and upload it again.")
_NO_COLUMNS = Message("A bibliographic file has no columns. Download it without them.")


class NoOriginalFile(Exception):
    """The uploaded file of the list can't come back corrected. `reason` is plain text for people."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason)
        self.reason = reason


def find_refusal(job: Job, *, columns: bool = False) -> Message | None:
    """Return why the uploaded file of the list can't come back corrected, or not with two more columns; None if it
    can."""
    if not job.layout:
        return _UNREADABLE
    layout = Layout.from_json(job.layout)
    if reason := _REASONS.get(layout.origin) or _REASONS.get(layout.kind):
        return reason
    if layout.is_bibliographic:
        return _NO_COLUMNS if columns else None
    is_damaged = layout.has_sheets and job.error not in ("", str(stored_uploads.GONE))
    return _UNREADABLE if is_damaged else None


def ensure_original(job: Job, *, columns: bool = False) -> None:
    """Raise NoOriginalFile with the reason of `find_refusal`, if there is one."""
    if reason := find_refusal(job, columns=columns):
        raise NoOriginalFile(reason)

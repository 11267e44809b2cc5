"""The files of rows that a page offers, each with its addresses, and the separator that CSV has there."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlencode

from django.contrib.humanize.templatetags.humanize import intcomma
from django.urls import reverse
from django.utils.formats import get_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from resolver.domain.report.row_task import RowTask
from resolver.models import Job

SEMICOLON = ";"


@dataclass(frozen=True, slots=True)
class RowDownload:
    """Which rows, and the address in each format."""

    label: str
    csv: str
    xlsx: str
    jsonl: str
    hint: str = ""


class CsvSeparator(NamedTuple):
    """Whether CSV has semicolons, and the address of the page on which it has what it hasn't here."""

    is_semicolon: bool
    other_page: str


def choose_csv_separator(job: Job, chosen: str | None, page: str = "?") -> CsvSeparator:
    """Return the `chosen` separator. If none is, CSV has semicolons if the list itself has, else if programs in the
    reader's language need the comma for decimals. `page`: the query of the page, to which the choice is added."""
    own = chosen if chosen in (",", SEMICOLON) else (job.layout or {}).get("delimiter")
    is_semicolon = own == SEMICOLON if own in (",", SEMICOLON) else get_format("DECIMAL_SEPARATOR") == ","
    query = urlencode({"delimiter": "," if is_semicolon else SEMICOLON})
    return CsvSeparator(bool(is_semicolon), f"{page}{'' if page == '?' else '&'}{query}")


def build_row_downloads(
    job: Job, query: str, corrected: str, matching: int | None, separator: CsvSeparator
) -> list[RowDownload]:
    """Those of the rows that fit the filters of `query`, if it has any, then those of all rows. `corrected`: the same
    filters, with corrected DOIs; "" if the files have them anyway. `matching`: how many rows fit, if it is known."""
    found = [(_label_rows(matching), query, corrected)] if query else []
    downloads = []
    for label, plain, with_corrections in [*found, (_label_all(job), "", "?corrected=1")]:
        downloads.append(_build_download(job, label, plain, separator))
        if with_corrections:
            label = _("%(rows)s, corrected") % {"rows": label}
            downloads.append(_build_download(job, label, with_corrections, separator))
    return downloads


def build_task_downloads(job: Job, tasks: Mapping[str, int], separator: CsvSeparator) -> list[RowDownload]:
    """Those of all rows, then those of the tasks that have rows, each with what its file is for."""
    ready, back, decide = (tasks.get(task, 0) for task in (RowTask.READY, RowTask.BACK, RowTask.DECIDE))
    shown = [
        (_label_all(job), "", "", job.total),
        (
            _("All rows, with corrected DOIs"),
            "?corrected=1",
            _("Adds corrected_doi (import this column) and correction (why)."),
            job.total,
        ),
        (
            ngettext("Ready to import (%(rows)s row)", "Ready to import (%(rows)s rows)", ready),
            f"?task={RowTask.READY}",
            _("The same, of the rows with a DOI that works."),
            ready if ready < job.total else 0,
        ),
        (
            ngettext("For the source (%(rows)s row)", "For the source (%(rows)s rows)", back),
            f"?task={RowTask.BACK}",
            _("For whoever supplied the list: your columns, then what is wrong and which DOI we found."),
            back,
        ),
        (
            ngettext("Needs your decision (%(rows)s row)", "Need your decision (%(rows)s rows)", decide),
            f"?task={RowTask.DECIDE}",
            _("Your columns, then what we found and which DOI we suggest."),
            decide,
        ),
        *(
            (label, f"?task={task}", _("With the registered title, author and year."), tasks.get(task, 0))
            for task, label in (
                (RowTask.OTHER_WORK, _("Seem to be another work (%(rows)s)")),
                (RowTask.COMPARE, _("To compare (%(rows)s)")),
            )
        ),
    ]
    return [
        _build_download(job, label % {"rows": intcomma(rows)}, query, separator, hint)
        for label, query, hint, rows in shown
        if rows
    ]


def _label_all(job: Job) -> str:
    return ngettext("The one row", "All %(rows)s rows", job.total) % {"rows": intcomma(job.total)}


def _label_rows(matching: int | None) -> str:
    if matching is None:
        return _("These rows")
    sentence = ngettext("This row", "These %(rows)s rows", matching)
    return sentence % {"rows": intcomma(matching)}


def _build_download(job: Job, label: str, query: str, separator: CsvSeparator, hint: str = "") -> RowDownload:
    csv, xlsx, jsonl = (reverse(name, args=[job.pk]) + query for name in ("job-csv", "job-xlsx", "job-jsonl"))
    if separator.is_semicolon:
        csv += f"{'&' if query else '?'}{urlencode({'delimiter': SEMICOLON})}"
    return RowDownload(label, csv, xlsx, jsonl, hint)

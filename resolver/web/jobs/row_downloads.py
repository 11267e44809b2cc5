"""The files of rows that a page offers: each with its addresses, and CSV with one separator."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.contrib.humanize.templatetags.humanize import intcomma
from django.urls import reverse
from django.utils.formats import get_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from resolver.models import Job

SEMICOLON = ";"


@dataclass(frozen=True, slots=True)
class RowDownload:
    """Which rows, and the address in each format. `other_csv` has the separator that `csv` has not."""

    label: str
    csv: str
    other_csv: str
    xlsx: str
    jsonl: str
    hint: str = ""


def build_row_downloads(job: Job, query: str, corrected: str, matching: int | None) -> list[RowDownload]:
    """Those of the rows that fit the filters of `query`, if it has any, then those of all rows. `corrected`: the same
    filters, with corrected DOIs; "" if the files have them anyway. `matching`: how many rows fit, if it is known."""
    found = [(_label_rows(matching), query, corrected)] if query else []
    downloads = []
    for label, plain, with_corrections in [*found, (_label_all(job), "", "?corrected=1")]:
        downloads.append(_build_download(job, label, plain))
        if with_corrections:
            downloads.append(_build_download(job, _("%(rows)s, corrected") % {"rows": label}, with_corrections))
    return downloads


def build_task_downloads(job: Job, tasks: Mapping[str, int]) -> list[RowDownload]:
    """Those of all rows, then those of the tasks that have rows, each with what its file is for."""
    corrected = _("Adds corrected_doi (import this column) and correction (why).")
    downloads = [
        _build_download(job, _label_all(job), ""),
        _build_download(job, _("All rows, with corrected DOIs"), "?corrected=1", corrected),
    ]
    if back := tasks.get("back"):
        label = ngettext("For the source (%(rows)s row)", "For the source (%(rows)s rows)", back)
        hint = _("For whoever supplied the list: your columns, then what is wrong and which DOI we found.")
        downloads.append(_build_download(job, label % {"rows": intcomma(back)}, "?task=back", hint))
    if decide := tasks.get("decide"):
        label = ngettext("Needs your decision (%(rows)s row)", "Need your decision (%(rows)s rows)", decide)
        hint = _("Your columns, then what we found and which DOI we propose.")
        downloads.append(_build_download(job, label % {"rows": intcomma(decide)}, "?task=decide", hint))
    return downloads


def is_semicolon_first(job: Job) -> bool:
    """Whether CSV has semicolons unless asked: as the list itself has, else as programs in the reader's language do,
    which need the comma for decimals."""
    own = (job.layout or {}).get("delimiter")
    return bool(own == SEMICOLON if own in (",", SEMICOLON) else get_format("DECIMAL_SEPARATOR") == ",")


def _label_all(job: Job) -> str:
    return ngettext("The one row", "All %(rows)s rows", job.total) % {"rows": intcomma(job.total)}


def _label_rows(matching: int | None) -> str:
    if matching is None:
        return _("These rows")
    sentence = ngettext("This row", "These %(rows)s rows", matching)
    return sentence % {"rows": intcomma(matching)}


def _build_download(job: Job, label: str, query: str, hint: str = "") -> RowDownload:
    csv = reverse("job-csv", args=[job.pk])
    semicolons = f"{csv}{query}{'&' if query else '?'}{urlencode({'delimiter': SEMICOLON})}"
    both = (semicolons, csv + query) if is_semicolon_first(job) else (csv + query, semicolons)
    xlsx, jsonl = (reverse(name, args=[job.pk]) + query for name in ("job-xlsx", "job-jsonl"))
    return RowDownload(label, *both, xlsx, jsonl, hint)

"""The files of the rows that a page shows, and of all rows: each with its addresses, and CSV with one separator."""

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


def build_row_downloads(job: Job, query: str, corrected: str, matching: int | None) -> list[RowDownload]:
    """Those of the rows that fit the filters of `query`, if it has any, then those of all rows. `corrected`: the same
    filters, with corrected DOIs; "" if the files have them anyway. `matching`: how many rows fit, if it is known."""
    found = [(_label_rows(matching), query, corrected)] if query else []
    every = ngettext("The one row", "All %(rows)s rows", job.total) % {"rows": intcomma(job.total)}
    downloads = []
    for label, plain, with_corrections in [*found, (every, "", "?corrected=1")]:
        downloads.append(_build_download(job, label, plain))
        if with_corrections:
            downloads.append(_build_download(job, _("%(rows)s, corrected") % {"rows": label}, with_corrections))
    return downloads


def is_semicolon_first(job: Job) -> bool:
    """Whether CSV has semicolons unless asked: as the list itself has, else as programs in the reader's language do,
    which need the comma for decimals."""
    own = (job.layout or {}).get("delimiter")
    return bool(own == SEMICOLON if own in (",", SEMICOLON) else get_format("DECIMAL_SEPARATOR") == ",")


def _label_rows(matching: int | None) -> str:
    if matching is None:
        return _("These rows")
    sentence = ngettext("This row", "These %(rows)s rows", matching)
    return sentence % {"rows": intcomma(matching)}


def _build_download(job: Job, label: str, query: str) -> RowDownload:
    csv = reverse("job-csv", args=[job.pk])
    semicolons = f"{csv}{query}{'&' if query else '?'}{urlencode({'delimiter': SEMICOLON})}"
    both = (semicolons, csv + query) if is_semicolon_first(job) else (csv + query, semicolons)
    xlsx, jsonl = (reverse(name, args=[job.pk]) + query for name in ("job-xlsx", "job-jsonl"))
    return RowDownload(label, *both, xlsx, jsonl)

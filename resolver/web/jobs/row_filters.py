"""The filters of a list's rows: their form, and each choice as a link with its count."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any
from urllib.parse import quote_plus, urlencode

from django import forms
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from resolver.domain.report.row_task import RowTask
from resolver.models import Job
from resolver.services.jobs.host_counts import OTHERS
from resolver.services.jobs.row_readings import has_expected_addresses
from resolver.services.results.facets import Facets
from resolver.services.results.row_order import FILE_ORDER, SORTS, RowOrder
from resolver.services.results.row_queries import ADDRESSES, ALL, ELSEWHERE_WORD, PARTS, RowFilter
from resolver.services.results.task_counts import count_tasks
from resolver.web.jobs.task_list import name_tasks
from resolver.web.site.form_fields import SearchForm, SearchTextField, VerbatimTextField
from resolver.web.wording.labels import get_sign_and_tone, label_value

MOST_FACET_VALUES = 36  # of one facet; there are some dozen agencies
TITLES = {
    "outcome": gettext_lazy("Outcome"),
    "problem": gettext_lazy("Problem"),
    "ra": gettext_lazy("Agency"),
    "address": gettext_lazy("Where the DOI leads"),
    "work": gettext_lazy("Right work"),
    "found_by": gettext_lazy("Search"),
    "host": gettext_lazy("Host"),
}


class RowFilterForm(SearchForm):
    """The filters and the order of rows, from links and the search box. Unknown values match no row."""

    q = SearchTextField(label=gettext_lazy("Search all columns and DOI names"))
    q.widget.attrs["placeholder"] = gettext_lazy("Search all columns")
    outcome = forms.CharField(required=False, widget=forms.HiddenInput)
    problem = forms.CharField(required=False, widget=forms.HiddenInput)
    ra = VerbatimTextField(longest=100_000, required=False, widget=forms.HiddenInput)  # as long as a proxy has it
    group = forms.CharField(required=False, widget=forms.HiddenInput)
    correction = forms.CharField(required=False, widget=forms.HiddenInput)
    address = forms.CharField(required=False, widget=forms.HiddenInput)
    work = forms.CharField(required=False, widget=forms.HiddenInput)
    found_by = forms.CharField(required=False, widget=forms.HiddenInput)
    host = VerbatimTextField(longest=100_000, required=False, widget=forms.HiddenInput)
    task = forms.CharField(required=False, widget=forms.HiddenInput)
    duplicates = forms.BooleanField(required=False, widget=forms.HiddenInput)
    sort = forms.CharField(required=False, widget=forms.HiddenInput)
    order = forms.CharField(required=False, widget=forms.HiddenInput)

    def build_row_filter(self) -> RowFilter:
        """The filters that are set; none if the form has an error."""
        return RowFilter(**{name: value for name, value in self.get_wanted().items() if name not in ("sort", "order")})

    def build_row_order(self) -> RowOrder:
        """The order of the rows; an unknown word means that of the file."""
        wanted = self.get_wanted()
        sort = wanted.get("sort", "")
        return RowOrder(sort if sort in SORTS else FILE_ORDER.sort, wanted.get("order") == "down")


@dataclass(frozen=True, slots=True)
class FilterChoice:
    """One value of a filter. `address` selects it, or removes it if it is `chosen`."""

    label: str
    address: str
    rows: int = 0
    chosen: bool = False
    sign: str = ""
    tone: str = ""


def build_filters_context(job: Job, wanted: RowFilter, found: Facets, order: RowOrder) -> dict[str, Any]:
    """What the rows page shows above its rows, from the filters and the counts. The tasks have the numbers of the
    overview, so that each begins anew; no query, unless the list is of an earlier version or ended early."""

    def build_address(other: RowFilter) -> str:
        return reverse("job-rows", args=[job.pk]) + build_query_string(other, order)

    def build_facet(name: str) -> list[FilterChoice]:
        if name == "host" and not has_expected_addresses(job):
            return []  # others have no counts to choose from
        chosen, counted = getattr(wanted, name), dict(getattr(found, name))
        several = {chosen} & {*ADDRESSES} | {ELSEWHERE_WORD} if name == "address" else set()
        summed = {word: sum(counted.get(each, 0) for each in ADDRESSES[word]) for word in several}
        counted |= {word: rows for word, rows in summed.items() if rows}
        if chosen:
            counted.setdefault(chosen, 0)
        alone = replace(wanted, group="") if name == "outcome" else wanted
        return [
            FilterChoice(
                label_value(name, value),
                build_address(_replace(alone, name, "" if value == chosen else value)),
                rows,
                value == chosen,
                *get_sign_and_tone(name, value, mixed=job.needs_review > 0),
            )
            for value, rows in sorted(counted.items(), key=lambda item: (item[0] != chosen, -item[1], item[0]))
            if value and fits_in_url(value) and (name != "outcome" or value == chosen or _belongs(value, wanted.group))
        ][:MOST_FACET_VALUES]

    tasks, titles = count_tasks(job), {str(task): title for task, title in name_tasks(job).items()}
    return {
        "tasks": [
            FilterChoice(_("All"), build_address(ALL), job.total, wanted == ALL),
            *(
                FilterChoice(
                    titles[code],
                    build_address(replace(wanted, task="") if wanted.task == code else RowFilter(task=code)),
                    rows,
                    wanted.task == code,
                )
                for code, rows in tasks.items()
                if rows or wanted.task == code
            ),
        ],
        "facets": [(title, choices) for name, title in TITLES.items() if (choices := build_facet(name))],
        "on_other_hosts": found.host.get(OTHERS, 0),
        "chips": [
            FilterChoice(label, build_address(_replace(wanted, name, getattr(ALL, name))))
            for name, label in _build_chips(wanted, titles).items()
            if getattr(wanted, name)
        ],
        "matching": found.fit,
        "about_addresses": bool(wanted.address) or wanted.task == RowTask.ELSEWHERE,
        "about_corrections": wanted.task == RowTask.CORRECTED,
        "exact": found.exact,
        "order": order,
        "sorts": {name: _sort_link(job, wanted, order, name) for name in SORTS},
        "here": build_query_string(wanted, order),
        "query": build_query_string(wanted),
        "corrected_query": _build_corrected_query(wanted),
        "all_rows": build_address(ALL),
    }


def build_query_string(wanted: RowFilter, order: RowOrder = FILE_ORDER) -> str:
    """The filters and the order as the query of an address, with its question mark; "" for none."""
    query = {name: "1" if value is True else value for name, value in asdict(wanted).items() if value}
    query |= {"sort": order.sort} if order.sort != FILE_ORDER.sort else {}
    query |= {"order": "down"} if order.down else {}
    return f"?{urlencode(query, errors='surrogatepass')}" if query else ""


def _build_corrected_query(wanted: RowFilter) -> str:
    """The query of the files with corrected DOIs; "" for a task, whose files have them."""
    if wanted.task:
        return ""
    return f"{build_query_string(wanted)}&corrected=1" if wanted != ALL else "?corrected=1"


def fits_in_url(value: str) -> bool:
    """Whether a value fits into an address: a proxy may send the name of an agency at any length."""
    return len(quote_plus(value, errors="surrogatepass")) <= 200


def _build_chips(wanted: RowFilter, tasks: Mapping[str, str]) -> Mapping[str, str]:
    return {
        "task": tasks.get(wanted.task, wanted.task),
        "group": label_value("group", wanted.group),
        "outcome": _("Outcome: %(words)s") % {"words": label_value("outcome", wanted.outcome)},
        "problem": _("Problem: %(words)s") % {"words": label_value("problem", wanted.problem)},
        "correction": _("Correction: %(words)s") % {"words": label_value("correction", wanted.correction)},
        "ra": _("Agency: %(words)s") % {"words": wanted.ra},
        "address": _("Where the DOI leads: %(words)s") % {"words": label_value("address", wanted.address)},
        "work": _("Right work: %(words)s") % {"words": label_value("work", wanted.work)},
        "found_by": _("Search: %(words)s") % {"words": label_value("found_by", wanted.found_by)},
        "host": _("Host: %(words)s") % {"words": wanted.host},
        "duplicates": _("Same DOI as an earlier row"),
        "q": _("Text: “%(words)s”") % {"words": wanted.q},
    }


def _sort_link(job: Job, wanted: RowFilter, order: RowOrder, sort: str) -> dict[str, str]:
    """The address that sorts the rows by this column, or reverses their order, and the value for `aria-sort`."""
    is_sorted = order.sort == sort
    query = build_query_string(wanted, RowOrder(sort, is_sorted and not order.down))
    state = ("descending" if order.down else "ascending") if is_sorted else ""
    return {"address": reverse("job-rows", args=[job.pk]) + query, "state": state}


def _replace(wanted: RowFilter, name: str, value: Any) -> RowFilter:
    return replace(wanted, **{name: value})


def _belongs(outcome: str, group: str) -> bool:
    return not group or any(part.outcome == outcome for part in PARTS.get(group, ()))

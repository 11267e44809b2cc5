"""The help: an index, a page for each outcome and for each problem, the Registration Agencies, OpenRefine."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from doi_reading import CATALOGUE, Severity, read
from doi_reading.name import explain_encoding
from doi_reading.problems import OF_CELLS, OF_RECORDS
from resolver.conf import measure_reader
from resolver.domain.agencies.agency_contacts import CONTACTS, LIST
from resolver.domain.report.outcome import Outcome
from resolver.domain.report.triage import find_row_group
from resolver.services.works.search import list_search_hosts
from resolver.web.help.clauses import RULES
from resolver.web.lookups.result_context import highlight_problems
from resolver.web.wording.translate_message import translate_text
from resolver.web.wording.verdicts import VERDICTS

MADE_UP = "10.5555/"
"""The sample proxy makes up names with this prefix; at doi.org it is a prefix for tests."""

_NEVER_NOT_THERE = _("The DOI may still be registered. Summaries count it separately.")
_AGAIN = _("In a list, you can retry only these rows.")

OUTCOMES: Mapping[Outcome, tuple[str, tuple[str | Promise, ...]]] = {
    Outcome.RESOLVED: (
        "10.1000/182",
        (
            _("The record says where the link goes. We don’t check whether the page still opens."),
            _("It can still have problems, such as a spelling warning or an alias."),
            _("If the text is cut at a #, a ? or a space, we check the full DOI too."),
        ),
    ),
    Outcome.NO_URL: (
        "10.5555/nourl-1",
        (
            _("The link shows the values of the record and doesn’t open a page."),
            _("A DOI whose aliases form a loop has this outcome too."),
        ),
    ),
    Outcome.NO_VALUES: (
        "10.5555/novalues-1", (_("This is rare: the DOI was registered with an empty record."),)
    ),
    Outcome.NOT_FOUND: (
        "10.5555/missing-1",
        (
            _(
                "Most wrong DOIs look right. If the prefix is registered, check the part after the slash. If not, "
                "check the part before it."
            ),
            _("If another possible DOI is registered, we suggest it."),
            _("Some publishers show a DOI a few days before they register it. Check again later."),
        ),
    ),
    Outcome.REGISTERED: (
        "10.1000/182",
        (_(
            "Only a quick check of a list has this outcome. If you look up a single DOI, we always check its "
            "full record."
        ),),
    ),
    Outcome.INVALID: (
        "10.1000/",
        (
            _(
                "The text doesn’t contain a valid DOI, so we check other possible DOIs. If one is registered, we "
                "suggest it."
            ),
        ),
    ),
    Outcome.PROXY_ERROR: ("10.5555/error-1", (_NEVER_NOT_THERE, _AGAIN)),
    Outcome.UNREACHABLE: ("10.5555/busy-1", (_NEVER_NOT_THERE, _AGAIN)),
}  # fmt: skip
"""By outcome: a text that has it at the sample proxy, and sentences about it."""


_ENCODED = '10.1000/#?% "<é,/'  # a name with the characters that people ask about
_RECORDS_LAST = sorted(CATALOGUE.values(), key=lambda entry: entry.code in OF_RECORDS)
_BY_SEVERITY = {str(severity): [one for one in _RECORDS_LAST if one.severity is severity] for severity in Severity}


@require_safe
def show_help(request: HttpRequest) -> HttpResponse:
    """What results mean and what is not checked; every outcome, every problem, and how encoding works."""
    context = {
        "verdicts": [(str(outcome), VERDICTS[outcome]) for outcome in Outcome],
        "severities": _BY_SEVERITY.items(),
        "reads_in_browser": bool(measure_reader()),
        "fates": [fate for fate in explain_encoding(_ENCODED) if not fate.stays],
    }
    return render(request, "help/index.html", context)


@require_safe
def show_outcome(request: HttpRequest, code: str) -> HttpResponse:
    """What an outcome means, with an example and what to do."""
    if code not in list(Outcome):
        raise Http404
    example, sentences = OUTCOMES[Outcome(code)]
    only_quick = code == Outcome.REGISTERED  # no lookup has this outcome
    context = {
        "code": code,
        "example": example,
        "sentences": sentences,
        "made_up": MADE_UP in example,
        "only_quick": only_quick,
        "verdicts": [(str(one), VERDICTS[one]) for one in Outcome],
        "typable": True,
        "can_be_tried": not only_quick and _can_be_tried(example, needs_record=code != Outcome.NOT_FOUND),
    }
    return render(request, "help/outcome.html", context)


@require_safe
def show_problem(request: HttpRequest, code: str) -> HttpResponse:
    """What a problem means, with an example, how it is read, what to do, and the rule behind it."""
    if code not in CATALOGUE:
        raise Http404
    entry = CATALOGUE[code]
    of_record, of_cell = code in OF_RECORDS, code in OF_CELLS
    context = {
        "entry": entry,
        "advice": translate_text(entry.advice),
        "rule": RULES[entry.clause],
        "group": find_row_group(Outcome.RESOLVED, [code]),
        "of_record": of_record,
        "of_cell": of_cell,
        "made_up": MADE_UP in entry.example,
        "typable": entry.example.isprintable(),  # else a link carries it, encoded
        "can_be_tried": bool(entry.example) and not of_cell and _can_be_tried(entry.example, needs_record=of_record),
        "longest": settings.MAX_CELL,
        **({} if of_record or of_cell or not entry.example else _read(entry.example)),
    }
    return render(request, "help/problem.html", context)


def _read(text: str) -> Mapping[str, Any]:
    reading = read(text)
    return {
        **highlight_problems(text, [asdict(one) for one in reading.problems]),
        "input_form": reading.form,
        "reading": reading,
        "candidates": reading.candidates[:3],  # the lookup shows all
    }


def _can_be_tried(example: str, *, needs_record: bool) -> bool:
    """Whether the proxy gives the example's answer: at doi.org a made-up name has no record."""
    return settings.DOIPORTAL_SAMPLE_DATA or not (needs_record and MADE_UP in example)


@require_safe
def show_openrefine(request: HttpRequest) -> HttpResponse:
    """How to check a column in OpenRefine or Alma Refine, with the addresses of this portal."""
    names = ("service", "quick", "search")
    context = {
        "addresses": {name: request.build_absolute_uri(reverse(f"reconcile-{name}")) for name in names},
        "open_to_all": settings.DOIPORTAL_OPEN,
        "compares": settings.METADATA,
        "search_hosts": list_search_hosts(),
    }
    return render(request, "help/openrefine.html", context)


@require_safe
def show_agencies(request: HttpRequest) -> HttpResponse:
    """The Registration Agencies by their names in results, and where to report a DOI (R6)."""
    return render(request, "help/agencies.html", {"agencies": CONTACTS.values(), "list": LIST})

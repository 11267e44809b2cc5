"""What to do about a row, in the few words that a table has room for. The row's own page has the whole sentence."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import cast

from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy

from resolver.domain.redirect.destination import ITSELF, MISSING, PLACEHOLDER, PRIVATE, UNUSABLE
from resolver.domain.report.target import TO_CORRECT
from resolver.domain.report.triage import DELETED, GOOD
from resolver.models import Job, Row
from resolver.web.jobs.row import build_row_context
from resolver.web.lookups.next_steps import NextStep

_ = cast("Callable[[str], str]", gettext_lazy)

_ABOUT_NOTHING = ("nothing", "full")  # the steps of a row that needs no work
_COMPARE = _("Compare it with the publication")
_REPORT = _("Report its record to %(agency)s")
_IN_SHORT: Mapping[str, str] = {
    DELETED: _("Find the DOI that replaced it"),
    "correct-address": _("Correct the record"),
    "alias-loop": _REPORT,
    "unsafe-url": _REPORT,
    **dict.fromkeys((ITSELF, MISSING, PRIVATE, UNUSABLE, PLACEHOLDER), _REPORT),
    "contact-agency": _("Ask %(agency)s for a web address"),
    "other-page": _("Compare the two pages"),
    "others-missing": _("Correct the other DOI"),
    "several-dois": _("Put each DOI in its own row"),
    "link-differs": _("Compare the text with its hyperlink"),
    "broken-link": _("Correct the hyperlink"),
    "whole": _("Use the full DOI:"),
    "alias": _("An alias of:"),
    "publisher-url": _("Check the page, then store:"),
    "store": _("Store it as:"),
    "no-doi": _("Look for the DOI in the publication"),
    "empty": _("Enter the DOI, if there is one"),
    "short-doi": _("Look for the full DOI"),
    "test-prefix": _("Keep the web address instead"),
    "compare-prefix": _("Check the prefix"),
    "problems": _("Correct its problems"),
    "untried": _("Check it again"),
    "again": _("Check it again"),
    "incomplete": _("Check it again later"),
    "wait": _("Not checked yet"),
    **dict.fromkeys(("compare", "compare-rest", "compare-meant", "compare-encoded", "rivals"), _COMPARE),
    **dict.fromkeys(("compare-whole", "compare-suffix"), _COMPARE),
}
"""By the code of a step. A step that isn't here has a short sentence of the catalogue."""


def find_advice(job: Job, row: Row) -> NextStep | None:
    """The first step of the row's own page, in short; None if there is nothing to do or a suggestion says it."""
    leads_there = row.address not in TO_CORRECT
    if row.suggestion or (row.outcome in GOOD and leads_there and not row.problem_codes and not row.others):
        return None
    step: NextStep = build_row_context(job, row)["steps"][0][0]
    if step.code in _ABOUT_NOTHING:
        return None
    agency = {"agency": row.ra or row.prefix_ra or _now("the agency")}
    return replace(step, sentence=str(_IN_SHORT[step.code]) % agency) if step.code in _IN_SHORT else step

"""What to do about a row, in the few words that a table has room for. The row's own page has the whole sentence."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, cast

from django.utils.translation import gettext, gettext_lazy

from resolver.domain.redirect.destination import ITSELF, MISSING, PLACEHOLDER, PRIVATE, UNUSABLE
from resolver.domain.report.target import TO_CORRECT
from resolver.domain.report.triage import DELETED, GOOD
from resolver.domain.work.events import RETRACTED
from resolver.models import Job, Row
from resolver.web.jobs.row import build_row_context

_ = cast("Callable[[str], str]", gettext_lazy)

_ABOUT_NOTHING = ("works", "works-as-it-is", "registered")  # the headlines of a row that needs no work
_COMPARE = _("Compare it with the publication")
_REPORT = _("Report its record to %(agency)s")
_IN_SHORT: Mapping[str, str] = {
    DELETED: _("Find the DOI that replaced it"),
    RETRACTED: _("Decide whether you keep the work"),
    "correct-address": _("Correct the record"),
    "alias-loop": _REPORT,
    "unsafe-url": _REPORT,
    **dict.fromkeys((ITSELF, MISSING, PRIVATE, UNUSABLE, PLACEHOLDER), _REPORT),
    "contact-agency": _("Ask %(agency)s for a web address"),
    "other-page": _("Compare the two pages"),
    "others-missing": _("Correct the other DOI"),
    "several": _("Put each DOI in its own row"),
    "link-differs": _("Compare the text with its hyperlink"),
    "broken-link": _("Correct the hyperlink"),
    "whole": _("Use the full DOI:"),
    "main": _("An alias of:"),
    "page": _("Check the page, then store:"),
    "own": _("Store it as:"),
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
    **dict.fromkeys(("compare", "rest", "doubt", "rivals", "rivals-for-invalid"), _COMPARE),
    **dict.fromkeys(("compare-whole", "compare-suffix"), _COMPARE),
}
"""By the code of a step, a headline or a DOI to use. A step that isn't here has a short sentence of the catalogue."""


class Advice(NamedTuple):
    """What to do about a row, and the DOI to use; "" for none."""

    code: str
    sentence: str
    name: str = ""


def find_advice(job: Job, row: Row) -> Advice | None:
    """The first thing that the row's own page says to do, in short; None if there is nothing, or a suggestion says
    it."""
    leads_there = row.address not in TO_CORRECT
    if row.suggestion or (row.outcome in GOOD and leads_there and not row.problem_codes and not row.others):
        return None
    context = build_row_context(job, row)
    use, headline = context["use"], context["headline"]
    step = next((one for one in context["steps"] if one.code != "full"), None)
    if step is not None:
        code, sentence, name = step.code, step.sentence, ""
    elif use is None:
        code, sentence, name = headline.code, headline.sentence, ""
    elif headline.code in _ABOUT_NOTHING:
        return None
    else:
        code, sentence, name = use.code, use.title, use.doi
    agency = {"agency": row.ra or row.prefix_ra or gettext("the agency")}
    return Advice(code, str(_IN_SHORT[code]) % agency if code in _IN_SHORT else sentence, name)

"""The sign and the tone of what rows are counted by: a bar or a tag never stands for something by its colour alone."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from resolver.domain.problems.problem import CATALOGUE
from resolver.domain.report.triage import Group
from resolver.web.site.labels import VERDICTS

SEVERITY_SIGNS: Mapping[str, str] = {"error": "✗", "warning": "!", "info": "i"}


@dataclass(frozen=True, slots=True)
class Kind:
    """A group of rows: `word` beside a number, `rows` by itself."""

    word: str | Promise
    rows: str | Promise
    sign: str
    tone: str


GROUPS: Mapping[str, Kind] = {
    Group.NEEDS_WORK: Kind(_("need work"), _("Rows that need work"), "✗", "bad"),
    Group.COULD_NOT_ASK: Kind(_("could not be asked"), _("Rows that could not be asked"), "?", "unknown"),
    Group.NOT_ASKED: Kind(_("not asked yet"), _("Rows that were not asked yet"), "…", "unknown"),
    Group.FINE: Kind(_("are fine"), _("Rows that are fine"), "✓", "good"),
}


def shape(name: str, value: str) -> tuple[str, str]:
    """Sign and tone of an outcome, a problem or an agency (which has neither)."""
    if name == "outcome" and value in VERDICTS:
        return VERDICTS[value].sign, VERDICTS[value].tone
    if name == "problem" and value in CATALOGUE:
        severity = str(CATALOGUE[value].severity)
        return SEVERITY_SIGNS[severity], severity
    return "", ""

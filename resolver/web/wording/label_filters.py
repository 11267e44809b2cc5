"""Template filters for labels: codes and messages in the reader's language. Built in by the settings."""

import re
from dataclasses import replace

from django import template
from django.utils.translation import gettext

from doi_reading.problems import Entry
from resolver.domain.foreign_text import parse_whole_number
from resolver.domain.report.outcome import COULD_NOT_ASK, Outcome
from resolver.domain.report.report import weigh_codes
from resolver.models import Lookup, Row
from resolver.sheets.bibliographic.formats import FORMATS
from resolver.sheets.input.layout import name_unnamed_column
from resolver.sheets.workbook.rows import MAX_CELLS
from resolver.web.wording.labels import (
    ADDRESS_LABELS,
    CORRECTION_LABELS,
    FORMS,
    SEVERITIES,
    SEVERITY_SIGNS,
    STATES,
    label_problem,
    label_value,
)
from resolver.web.wording.text_filters import plain_text
from resolver.web.wording.translate_message import translate_message, translate_text
from resolver.web.wording.verdicts import VERDICTS, Verdict, find_status

register = template.Library()
_DETAIL = re.compile(r"\{\w+\}")

register.filter("problem_label", label_problem)
register.filter("verdict", lambda outcome: VERDICTS.get(outcome, VERDICTS[""]))
register.filter("could_not_ask", lambda outcome: outcome in COULD_NOT_ASK)
register.filter("severity_label", lambda severity: SEVERITIES.get(severity, severity))
register.filter("severity_sign", lambda severity: SEVERITY_SIGNS.get(severity, ""))
register.filter("form_label", lambda form: FORMS.get(form, form))
register.filter("bibliographic_label", lambda kind: FORMATS[kind].label)
register.filter("address_label", lambda code: ADDRESS_LABELS[code])
register.filter("work_label", lambda verdict: label_value("work", verdict))
register.filter("correction_label", lambda word: CORRECTION_LABELS[word])
register.filter("state_label", lambda state: STATES.get(state, state))


@register.filter
def status(result: Lookup | Row) -> Verdict:
    """The outcome of a result together with its problems, and with where it leads. Of a lookup that found another DOI
    without guessing, that DOI."""
    stored = result.problem_codes
    codes = stored.split() if isinstance(stored, str) else stored
    address = result.address if isinstance(result, Row) else ""
    found = find_status(result.outcome, weigh_codes(result.outcome, codes, result.input, result.doi), address)
    other = result.suggestion if isinstance(result, Lookup) else None
    if not other or result.outcome not in (Outcome.NOT_FOUND, Outcome.INVALID) or other.get("doubtful"):
        return found
    word = gettext("Found: %(doi)s") % {"doi": plain_text(other["doi"], 80)}
    return replace(found, word=word, tone="warn")


@register.filter
def translate(text: object) -> str:
    """A message of the layers below in the reader's language. Follow with `reveal`: its details are untrusted."""
    return translate_message(str(text))


@register.filter
def column_label(name: str) -> str:
    """The name of a column; for a column without a name, its number in the reader's language."""
    number = parse_whole_number(name.removeprefix("column "), MAX_CELLS)
    if number is None or name != name_unnamed_column(number - 1):
        return name
    return gettext("column %(number)d") % {"number": number}


@register.filter
def describe_entry(entry: Entry) -> str:
    """The sentence of a problem, without the details of a text."""
    return _DETAIL.sub("…", translate_text(entry.sentence))

"""Readings and reports as the columns of a stored lookup or row."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from doi_reading import Reading, fold
from doi_reading.message import join_messages
from doi_reading.problems import is_cut
from resolver.counters import LOOKUPS
from resolver.domain.report.correction import (
    CUT_SHORT,
    Correction,
    find_row_correction,
    find_row_proposal,
    is_cell_kept,
)
from resolver.domain.report.judge import JudgedText
from resolver.domain.report.outcome import COULD_NOT_ASK, EXISTS, Outcome
from resolver.domain.report.triage import GOOD
from resolver.models import Lookup, Row
from resolver.models.reports.report_value import list_values
from resolver.services.lookups.report_messages import build_messages
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.proxy_answers.reading_judge import CheckedText

NO_DECISION: Mapping[str, Any] = {
    "decision": "", "decided_doi": "", "decided_proposal": "", "decided_by": "", "decided_at": None,
}  # fmt: skip
DECISION_COLUMNS = tuple(NO_DECISION)
"""The columns of a person's decision in a row, and their values in a row without one."""

CHECKED_COLUMNS = tuple(value.name for value in list_values(Row))
"""The columns that a check writes into a row."""
_READ = tuple((value.name, value.read) for value in list_values(Row) if value.read)
UNCHECKED_COLUMNS = {value.name: value.unchecked for value in list_values(Row) if not value.of_text}
"""The values of an unchecked row in these columns, except those that follow from its text alone."""


def build_lookup(checked: CheckedText, *, owner: str, proxy: DoiProxy, now: datetime) -> Lookup:
    """Return the lookup of a checked text, to be saved. It is counted."""
    LOOKUPS(str(checked.report.outcome)).inc()
    reading, text = checked.reading, _build_judged_text(checked, proxy, now)
    return Lookup(
        owner=owner,
        created_at=now,
        input=reading.input,
        form=str(reading.form),
        search=fold(f"{reading.input}\n{text.doi}"),
        sample=proxy.sample,
        **{value.name: value.read(text) for value in list_values(Lookup) if value.read},
    )


def fill_row(
    row: Row,
    checked: CheckedText,
    *,
    proxy: DoiProxy,
    now: datetime,
    expected: str | None = None,
    unsearched: bool = False,
) -> Row:
    """Write the result into its row, which is not saved yet. `expected`: the text of its expected address; None if the
    list has no column of them. `unsearched`: works were searched for in another run of the list, and not in this one:
    the decision may be about one of them, and stays."""
    text, report = _build_judged_text(checked, proxy, now), checked.report
    text.expected = expected
    sample = proxy.sample and has_names_to_ask(checked.reading)
    sentences = build_messages(checked.reading, report, sample=sample)
    # A page says in the reader's language why a row couldn't be checked; files have English, which is shorter.
    text.messages = join_messages(" ", *sentences) if report.failure else " ".join(sentences)
    for name, read in _READ:
        setattr(row, name, read(text))
    row.key = fold(find_listed_name(row) or row.input)
    if not unsearched:
        drop_outdated_decision(row)
    row.correction = find_row_correction(row).correction
    return row


def find_listed_name(row: Row) -> str:
    """Return the name that represents the row in its list: the one that it was read as or, if that isn't registered,
    the certain suggestion. "" for none: a part of a name before white space or an ellipsis represents no work."""
    if row.outcome != Outcome.NOT_FOUND:
        return str(row.doi)
    if row.suggestion and not row.doubtful:
        return str(row.suggestion)
    return "" if is_cut(row.problem_codes) or CUT_SHORT in row.problem_codes else row.doi


def list_row_choices(row: Row) -> list[str]:
    """Return the registered DOIs that a person may choose for the row instead of its proposal, each once: that of the
    text, its other readings, and other DOIs of the cell or of its hyperlink that have an address."""
    named = [row.doi] if row.outcome in EXISTS else []
    others = [str(other["doi"]) for other in row.others if other["outcome"] in GOOD]
    found = {fold(doi): doi for doi in (*named, *row.also_registered, *others)}
    found.pop(fold(find_row_proposal(row)), None)
    return list(found.values())


def drop_outdated_decision(row: Row) -> None:
    """Remove the decision of a row that was checked again, if another DOI is proposed now. A check that failed, even in
    part, changes nothing, and neither does a proposal of the DOI that the person chose. A kept cell stays so."""
    if not row.decision or row.incomplete or row.outcome in COULD_NOT_ASK or is_cell_kept(row):
        return
    chosen = row.decided_doi if row.decision != Correction.REJECTED else row.decided_proposal
    if find_row_proposal(row) not in (row.decided_proposal, chosen):
        clear_decision(row)


def clear_decision(row: Row) -> None:
    """Remove the person's decision from the row, which is not saved yet."""
    for name, value in NO_DECISION.items():
        setattr(row, name, value)


def _build_judged_text(checked: CheckedText, proxy: DoiProxy, now: datetime) -> JudgedText:
    return JudgedText(
        checked.reading,
        checked.report,
        proxy=proxy.base_url if has_names_to_ask(checked.reading) or checked.report.suggestion else "",
        checked_at=now,
        answered_at=checked.source.answered_at,
        cached=checked.source.stored,
    )


def has_names_to_ask(reading: Reading) -> bool:
    """Return whether the text has anything to request; else the proxy is no source of the result."""
    return bool(reading.doi or reading.short_doi or reading.candidates or reading.others)

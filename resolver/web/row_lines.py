"""Rows of a list as lines of a table: short, however long or odd what a stranger wrote is."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from resolver.domain.groups import DOUBTS, is_doubtful
from resolver.domain.problems import CATALOGUE, Severity
from resolver.domain.report import Outcome
from resolver.models import Row
from resolver.web.filters import plain, visible
from resolver.web.marking import hidden
from resolver.web.wording import VERDICTS, Verdict

LONGEST = 80  # characters of one text
MOST_HIDDEN = 8  # of them drawn one by one: each is 60 bytes of the page
MOST_PROBLEMS = 3


@dataclass(frozen=True, slots=True)
class RowLine:
    """What the table shows of a row. `problems`: code and what to do, each; `more`: how many are left out; `advice`:
    what to do, where there is no suggestion."""

    row: Row
    verdict: Verdict
    given: SafeString
    suggestion: SafeString
    problems: Sequence[tuple[str, str]]
    more: int
    advice: str


def row_lines(rows: Iterable[Row]) -> list[RowLine]:
    """One for each row; no query."""
    return [_line(row) for row in rows]


def _line(row: Row) -> RowLine:
    verdict = VERDICTS.get(row.outcome, VERDICTS[""])
    codes = [code for code in row.problem_codes if code in CATALOGUE]
    return RowLine(
        row,
        verdict,
        short(row.input),
        short(row.suggestion),
        [(code, _(CATALOGUE[code].advice)) for code in codes[:MOST_PROBLEMS]],
        len(codes[MOST_PROBLEMS:]),
        _advice(row, codes, verdict),
    )


def _advice(row: Row, codes: Sequence[str], verdict: Verdict) -> str:
    if row.suggestion:
        return ""
    told = _to_blame(row.outcome, codes)
    if told:
        return _(CATALOGUE[told].advice)
    return "" if verdict.tone == "good" else str(verdict.advice)


def _to_blame(outcome: str, codes: Sequence[str]) -> str:
    """The problem that says more of what to do than the outcome does; "" where none does."""
    if outcome == Outcome.INVALID:
        return next(iter(codes), "")
    if outcome == Outcome.NOT_FOUND:
        return next((code for code in codes if CATALOGUE[code].severity == Severity.ERROR), "")
    return next(code for code in codes if code in DOUBTS) if is_doubtful(outcome, codes) else ""


def short(text: str) -> SafeString:
    """The beginning of a text, escaped, with what cannot be seen as code points."""
    if sum(hidden(character) is not None for character in text[:LONGEST]) > MOST_HIDDEN:
        return format_html("{}", plain(text, LONGEST))
    return visible(text, LONGEST)

"""A row to review as its page shows it: the text with its fault marked, why it is there, and the DOIs to choose."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from doi_reading.problems import OF_COMPARISONS
from resolver.domain.report.correction import (
    FOUND,
    FOUND_BY_IDENTIFIER,
    PERSONAL,
    Correction,
    find_row_proposal,
    is_cell_kept,
)
from resolver.domain.report.outcome import EXISTS, Outcome
from resolver.domain.report.row_task import AS_READ
from resolver.domain.work.evidence import WorkVerdict
from resolver.models import Job, Row
from resolver.services.proxy_answers import cache
from resolver.services.results.shown_columns import list_shown_cells
from resolver.web.jobs.row import describe_problems, read_row
from resolver.web.lookups.result_context import highlight_problems
from resolver.web.reviews.choices import DoiChoice, KnownNames, list_choices, may_keep_cell
from resolver.web.wording.label_filters import column_label
from resolver.web.wording.labels import CORRECTION_LABELS, label_problem
from resolver.web.wording.text_filters import reveal
from resolver.web.wording.tone_signs import SIGNS
from resolver.web.wording.verdicts import VERDICTS
from resolver.web.wording.works import ShownComparison, Side, describe_stored_search, show_stored

_SHOWN_CHARACTERS = 300  # of a text: ten are on a page
_TONES = {"error": "bad", "warning": "warn", "info": "tidy"}


@dataclass(frozen=True, slots=True)
class Refused:
    """What was just chosen or entered for a row, and the sentence why it was refused."""

    text: str = ""
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class Why:
    """Why a row is there, in a few words. `tone` and `sign` as of the worst of it."""

    words: Sequence[str]
    tone: str
    sign: str


@dataclass(frozen=True, slots=True)
class ReviewCard:
    """One row. `text`: as `highlight_problems` gives it. `entered`: the DOI that its field has. `comparison`: of
    the row with the record, where one was made."""

    row: Row
    cells: Sequence[tuple[SafeString, SafeString]]
    text: Mapping[str, Any]
    why: Why
    choices: Sequence[DoiChoice]
    proposal: str
    entered: str
    error: str
    comparison: ShownComparison | None

    @property
    def asks_for_work(self) -> bool:
        """Whether the question is if the DOI stands for the row's work. If a search found another, it is which of them
        is right."""
        codes = self.row.problem_codes
        return not OF_COMPARISONS.isdisjoint(codes) and FOUND.isdisjoint(codes)

    @property
    def can_choose(self) -> bool:
        """Whether there is a DOI to choose; else one can only be entered."""
        return any(choice.usable for choice in self.choices)

    @property
    def search_sentence(self) -> str:
        """What the search for its work came to, if nothing was found or a service couldn't be asked."""
        return describe_stored_search(self.row)

    @property
    def described(self) -> Sequence[Side]:
        """What the row says of its work, with the words marked that the first work has not that a search found; none
        where nothing was found."""
        found = next((choice.comparison for choice in self.choices if choice.comparison), None)
        return [side for side in found.sides if side.row] if found else []

    @property
    def asks_yes_or_no(self) -> bool:
        """Whether that is the only question: the row has one DOI."""
        return self.asks_for_work and self.can_choose and len(self.choices) == 1 and not self.can_keep

    @property
    def can_keep(self) -> bool:
        """Whether the cell may stay as it is."""
        return may_keep_cell(self.row)

    @property
    def keeps(self) -> bool:
        """Whether a person said so."""
        return not self.error and is_cell_kept(self.row)

    @property
    def has_proposal(self) -> bool:
        """Whether a DOI is, or was, proposed that opens something: else there is nothing to reject."""
        return self.can_choose and (self.asks_for_work or self.row.correction not in AS_READ)

    @property
    def seen(self) -> str:
        """What this page shows of the decision, for the form to send back."""
        return self.row.decided_at.isoformat() if self.row.decided_at else ""


def build_cards(
    job: Job, rows: Sequence[Row], columns: Sequence[int], *, proxy: str, now: datetime, refused: Mapping[int, Refused]
) -> list[ReviewCard]:
    """Return the cards of the rows; `refused` by line. At most three queries, for stored answers about their DOIs."""
    readings = [read_row(row) for row in rows]
    listed = [list_choices(row, reading.linked) for row, reading in zip(rows, readings, strict=True)]
    names = {choice.doi for choices in listed for choice in choices if choice.registered}
    known = KnownNames(
        *(load(names, proxy=proxy, now=now) if names else {} for load in (
            cache.load_records, cache.load_agencies, cache.load_metadata
        ))
    )  # fmt: skip
    cards = []
    for row, reading, found in zip(rows, readings, listed, strict=True):
        problems = describe_problems(row, reading)
        wanted = refused.get(row.line, Refused())
        chosen = wanted.text if wanted.sentence else row.decided_doi
        if not wanted.sentence and row.correction == Correction.SUGGESTED:
            chosen = row.suggestion
        elif not wanted.sentence and is_cell_kept(row):
            chosen = ""
        elif not (wanted.sentence or row.decision) and (OF_COMPARISONS | FOUND) & {*row.problem_codes}:
            chosen = find_row_proposal(row) if FOUND_BY_IDENTIFIER not in row.problem_codes or _is_same(found) else ""
        choices = [choice.complete(known, chosen) for choice in found]
        cards.append(
            ReviewCard(
                row,
                _list_cells(job, row, columns),
                highlight_problems(row.input, _list_marked(problems), limit=_SHOWN_CHARACTERS),
                _explain(row, problems),
                choices,
                found[0].doi if found and found[0].is_proposal else "",
                "" if any(choice.is_chosen for choice in choices) else chosen,
                wanted.sentence,
                show_stored(row.work, row.work_evidence, row.input),
            )
        )
    return cards


def _is_same(choices: Sequence[DoiChoice]) -> bool:
    """Whether the work of the first of them is known to be that of the row."""
    first = choices[0].comparison if choices else None
    return first is not None and first.verdict is WorkVerdict.SAME


def _list_marked(problems: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The problems that are marked in the text: not that there are several DOIs, as none is the wrong one."""
    return [problem for problem in problems if problem["code"] != "several-dois"]


def _explain(row: Row, problems: Iterable[Mapping[str, Any]]) -> Why:
    """What was decided, else what the proxy said of a DOI that doesn't lead anywhere, and the worst problems."""
    if row.decision in PERSONAL:
        label = CORRECTION_LABELS[row.decision]
        if is_cell_kept(row):
            return Why((_("Kept as it is"),), label.tone, label.sign)
        return Why((str(label.word),), label.tone, label.sign)
    worst = next((kind for kind in _TONES if any(each["severity"] == kind for each in problems)), "info")
    asked = {label_problem(code) for code in OF_COMPARISONS}  # the comparison itself says so
    words = [label_problem(each["code"]) for each in problems if each["severity"] == worst]
    words = [word for word in words if word not in asked]
    told = row.outcome not in (Outcome.RESOLVED, Outcome.REGISTERED, Outcome.INVALID)
    if told:
        words.insert(0, str(VERDICTS[row.outcome].word))
    tone = _TONES[worst]
    if told:
        tone = "bad" if row.outcome not in EXISTS or row.correction == Correction.REVIEW else "warn"
    return Why(tuple(dict.fromkeys(words))[:2], tone, SIGNS[tone])


def _list_cells(job: Job, row: Row, columns: Sequence[int]) -> list[tuple[SafeString, SafeString]]:
    header, texts = job.header or [], list_shown_cells(job, row, columns)
    return [
        (reveal(column_label(header[index]), 60), reveal(text, 300)) for index, text in zip(columns, texts, strict=True)
    ]

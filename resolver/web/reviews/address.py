"""What the review page shows, by its address: which rows, which of the user's columns, and where it begins."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from doi_reading import CATALOGUE
from resolver.domain.foreign_text import parse_whole_number
from resolver.domain.report.correction import COMPARE_WORK, OTHER_WORK, Correction
from resolver.domain.report.review_rows import NO_ADDRESS, REVIEW_PARTS, TO_COMPARE, WITHOUT_PROPOSAL
from resolver.domain.report.row_task import RowTask
from resolver.models import Job, Row
from resolver.services.results.row_queries import DECIDED, RowFilter
from resolver.services.results.shown_columns import MOST_SHOWN_COLUMNS
from resolver.services.storage.keyset import Edge
from resolver.sheets.workbook.rows import MAX_CELLS
from resolver.web.site.page_edge import parse_page_edge

UNDECIDED = (str(Correction.REVIEW), OTHER_WORK, TO_COMPARE, str(Correction.SUGGESTED), WITHOUT_PROPOSAL)
TABS = (*UNDECIDED, DECIDED)
"""The groups of rows, in the order in which a person decides them."""
REASONS = (str(Correction.NOT_REGISTERED), str(Correction.NO_DOI), NO_ADDRESS)
"""Why nothing is proposed: the parts of WITHOUT_PROPOSAL."""


@dataclass(frozen=True, slots=True)
class ReviewAddress:
    """`word`: one of TABS or REASONS, "" for the first group that has rows; `problem`: a code, or ""; `titles`: whether
    they are requested; `columns`: by index those of the user, None for those of the list; `edge`: where the page
    begins. Anything unknown in an address is ignored, and so is the problem where rows of several kinds are shown."""

    word: str = ""
    problem: str = ""
    titles: bool = False
    columns: tuple[int, ...] | None = None
    edge: Edge | None = None

    @classmethod
    def from_query(cls, query: QueryDict) -> "ReviewAddress":
        """Read the query of an address."""
        word, problem = query.get("correction", ""), query.get("problem", "")
        word = word if word in (*TABS, *REASONS) else ""
        chosen = query.getlist("column") if "columns" in query else None
        return cls(
            word,
            problem if problem in CATALOGUE and word and word not in REVIEW_PARTS else "",
            "titles" in query,
            None if chosen is None else tuple(sorted(_read_indexes(chosen)))[:MOST_SHOWN_COLUMNS],
            parse_page_edge(query),
        )

    @classmethod
    def from_field(cls, text: str) -> "ReviewAddress":
        """Read the query that a form carries."""
        return cls.from_query(QueryDict(text[:2000]))

    def build_row_filter(self) -> RowFilter:
        """Return the filter of its rows."""
        if self.word in REVIEW_PARTS:
            return RowFilter(review=self.word)
        if self.word == Correction.REVIEW:
            return RowFilter(task=RowTask.DECIDE, problem=self.problem)
        return RowFilter(correction=self.word, problem=self.problem)

    def build_query(self) -> str:
        """Return the query of this address; "" for the page as it is first seen."""
        pairs: list[tuple[str, str | int]] = []
        if self.word:
            pairs.append(("correction", self.word))
        if self.problem:
            pairs.append(("problem", self.problem))
        if self.titles:
            pairs.append(("titles", 1))
        if self.columns is not None:
            pairs += [("columns", 1), *(("column", index) for index in self.columns)]
        if self.edge is not None:
            pairs.append(("before" if self.edge.backwards else "after", self.edge.values[0]))
        return urlencode(pairs)

    def build_url(self, job: Job) -> str:
        """Return the address of this page for a list."""
        query = self.build_query()
        return reverse("job-review", args=[job.pk]) + (f"?{query}" if query else "")

    @property
    def tab(self) -> str:
        """The one of TABS that has its rows."""
        return WITHOUT_PROPOSAL if self.word in REASONS else self.word

    def go_to_group_of(self, row: Row) -> "ReviewAddress":
        """Return the group in which the row is now, from there on, unless this is a part of it."""
        group = DECIDED if row.decision else row.correction
        if group == Correction.REVIEW and OTHER_WORK in row.problem_codes:
            group = OTHER_WORK
        if group not in TABS:
            group = TO_COMPARE if COMPARE_WORK in row.problem_codes else WITHOUT_PROPOSAL
        if group == self.tab:
            return self
        return replace(self, word=group, problem="", edge=Edge((row.line - 1,)) if row.line > 1 else None)

    def go_to_first_page(self) -> "ReviewAddress":
        """Return the same rows from the beginning."""
        return replace(self, edge=None)


def _read_indexes(texts: Iterable[str]) -> set[int]:
    numbers = (parse_whole_number(text, MAX_CELLS) for text in texts)
    return {number for number in numbers if number is not None}

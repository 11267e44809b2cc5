"""What the review page shows, by its address: which rows, which of the user's columns, and where it begins."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from doi_reading import CATALOGUE
from resolver.domain.foreign_text import parse_whole_number
from resolver.domain.report.correction import Correction
from resolver.models import Job
from resolver.services.results.row_queries import DECIDED, TO_REVIEW, RowFilter
from resolver.services.results.shown_columns import MOST_SHOWN_COLUMNS
from resolver.services.storage.keyset import Edge
from resolver.sheets.workbook.rows import MAX_CELLS
from resolver.web.site.page_edge import parse_page_edge

WORDS = (TO_REVIEW, str(Correction.SUGGESTED), str(Correction.REVIEW), DECIDED)


@dataclass(frozen=True, slots=True)
class ReviewAddress:
    """`word`: one of WORDS; `problem`: a code, or ""; `columns`: indexes of the user's columns, None for those of
    the list; `edge`: where the page begins. Anything unknown in an address is ignored."""

    word: str = TO_REVIEW
    problem: str = ""
    columns: tuple[int, ...] | None = None
    edge: Edge | None = None

    @classmethod
    def from_query(cls, query: QueryDict) -> "ReviewAddress":
        """Read the query of an address."""
        word, problem = query.get("correction", ""), query.get("problem", "")
        chosen = query.getlist("column") if "columns" in query else None
        return cls(
            word if word in WORDS else TO_REVIEW,
            problem if problem in CATALOGUE else "",
            None if chosen is None else tuple(sorted(_read_indexes(chosen)))[:MOST_SHOWN_COLUMNS],
            parse_page_edge(query),
        )

    @classmethod
    def from_field(cls, text: str) -> "ReviewAddress":
        """Read the query that a form carries."""
        return cls.from_query(QueryDict(text[:2000]))

    def build_row_filter(self) -> RowFilter:
        """Return the filter of its rows."""
        return RowFilter(correction=self.word, problem=self.problem)

    def build_query(self) -> str:
        """Return the query of this address; "" for the page as it is first seen."""
        pairs: list[tuple[str, str | int]] = []
        if self.word != TO_REVIEW:
            pairs.append(("correction", self.word))
        if self.problem:
            pairs.append(("problem", self.problem))
        if self.columns is not None:
            pairs += [("columns", 1), *(("column", index) for index in self.columns)]
        if self.edge is not None:
            pairs.append(("before" if self.edge.backwards else "after", self.edge.values[0]))
        return urlencode(pairs)

    def build_url(self, job: Job) -> str:
        """Return the address of this page for a list."""
        query = self.build_query()
        return reverse("job-review", args=[job.pk]) + (f"?{query}" if query else "")

    def go_to_first_page(self) -> "ReviewAddress":
        """Return the same rows from the beginning."""
        return replace(self, edge=None)


def _read_indexes(texts: Iterable[str]) -> set[int]:
    numbers = (parse_whole_number(text, MAX_CELLS) for text in texts)
    return {number for number in numbers if number is not None}

"""The history as a file: each input, and the columns of a list's results."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from django.db.models import QuerySet

from doi_reading import encode
from resolver.models import Lookup
from resolver.services.lookups.review_proposal import find_lookup_suggestion
from resolver.services.report_messages import build_lookup_messages
from resolver.services.storage.keyset import iterate_batches
from resolver.sheets.output.result_row import ResultRow

HEADER = ("input",)
AT_ONCE = 500
_NOT_NEEDED = ("record", "candidates", "search")  # the heaviest columns


def iterate_lookup_rows(found: QuerySet[Lookup]) -> Iterator[ResultRow]:
    """Return the lookups, newest first, as rows of a file with the header HEADER; memory doesn't grow with them."""
    pages = iterate_batches(found.defer(*_NOT_NEEDED), ("-created_at", "-pk"), AT_ONCE)
    return (_as_row(lookup, number) for number, lookup in enumerate(chain.from_iterable(pages), 1))


@dataclass(frozen=True, slots=True)
class LookupRow(ResultRow):
    """With the other DOIs of the text."""

    others: tuple[Mapping[str, Any], ...] = ()

    def as_object(self, names: Sequence[str]) -> dict[str, Any]:
        """The object of a row, with `others`."""
        return {**ResultRow.as_object(self, names), "others": list(self.others)}


def _as_row(lookup: Lookup, number: int) -> ResultRow:
    return LookupRow(
        cells=(lookup.input,),
        line=number,
        input=lookup.input,
        doi=lookup.doi,
        doi_url=encode(lookup.doi) if lookup.doi else "",
        outcome=lookup.outcome,
        registration_agency=lookup.ra,
        url_values=tuple(lookup.urls),
        problems=tuple(lookup.problem_codes.split()),
        messages=build_lookup_messages(lookup),
        suggested_doi=(find_lookup_suggestion(lookup) or {}).get("doi", ""),
        checked_at=lookup.created_at,
        proxy=lookup.proxy,
        alias_of=lookup.alias_of,
        prefix_ra=lookup.prefix_ra,
        ra_status=lookup.ra_status,
        answered_at=lookup.answered_at,
        cached=lookup.cached,
        incomplete=lookup.incomplete,
        others=tuple(lookup.others),
    )

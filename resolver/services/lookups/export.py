"""The history as a file: each input, and the columns of a list's results."""

from collections.abc import Iterator
from functools import partial
from itertools import chain

from django.db.models import QuerySet

from doi_reading import encode
from resolver.models import Lookup
from resolver.models.reports.report_value import list_values
from resolver.services.lookups.report_messages import build_lookup_messages
from resolver.services.lookups.review_proposal import find_lookup_suggestion
from resolver.services.result_files.columns import RESULT_COLUMNS
from resolver.services.result_files.json_members import build_object
from resolver.services.result_files.result_row import STORED_NAMES, ResultRow
from resolver.services.storage.keyset import iterate_batches
from resolver.sheets.output.result_table import ResultTable

LOOKUPS_PER_BATCH = 500
_NOT_NEEDED = ("record", "candidates", "search")  # the heaviest columns
_IN_COMMON = tuple(value.name for value in list_values(Lookup) if value.name in STORED_NAMES)


def build_history_table(found: QuerySet[Lookup], columns: tuple[str, ...] = ("input",)) -> ResultTable:
    """Return the lookups, newest first, as a table for a file; memory doesn't grow with them. `columns`: what a person
    entered, by the names of the model's fields."""
    rows = _iterate_rows(found, columns)
    return ResultTable(columns, rows, RESULT_COLUMNS, partial(build_object, more=("others",)))


def _iterate_rows(found: QuerySet[Lookup], columns: tuple[str, ...]) -> Iterator[ResultRow]:
    pages = iterate_batches(found.defer(*_NOT_NEEDED), ("-created_at", "-pk"), LOOKUPS_PER_BATCH)
    for number, lookup in enumerate(chain.from_iterable(pages), 1):
        values = {name: getattr(lookup, name) for name in _IN_COMMON}
        values["suggestion"] = (find_lookup_suggestion(lookup) or {}).get("doi", "")
        values["messages"] = build_lookup_messages(lookup)
        values["url"] = encode(lookup.doi) if lookup.doi else ""
        cells = tuple(getattr(lookup, column) for column in columns)
        yield ResultRow(cells=cells, line=number, input=lookup.input, checked_at=lookup.created_at, **values)

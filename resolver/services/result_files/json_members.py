"""The members of a row in JSON lines: those of the Row of the REST interface, and the original cells."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from operator import attrgetter
from typing import Any

from doi_reading.message import decode_message
from resolver.domain.report.correction import get_corrected_doi
from resolver.models.reports.report_value import arrange
from resolver.models.reports.search_evidence import read_found_works
from resolver.services.result_files.result_row import SHOWN_VALUES
from resolver.sheets.input.place_rows import describe_place
from resolver.sheets.output.result_table import ObjectBuilder

_OF_VALUES = {value.member: value.build_json_getter() for value in SHOWN_VALUES if value.help}
_GETTERS: Mapping[str, Callable[[Any], Any]] = {
    **{name: attrgetter(name) for name in ("line", "row", "part", "input", "expected")},
    **_OF_VALUES,
    "work": lambda row: describe_work(row.work, row.work_evidence),
    "search": lambda row: describe_search(row.searched),
    "decision": lambda row: row.decision or None,
    "decided_by": lambda row: row.decided_by or None,
    "decided_at": lambda row: _format_exactly(row.decided_at),
    "corrected_doi": lambda row: get_corrected_doi(row).doi or None,
}
_FIRST = (
    "line", "row", "part", "input", "doi", "url", "outcome", "ra", "urls", "problems", "messages", "suggestion",
    "alias_of", "prefix_ra", "ra_status", "checked_at", "answered_at", "cached", "incomplete", "proxy",
)  # fmt: skip
_CORRECTED = ("corrected_doi", "correction")
_KNOWN_ORDER = (
    "expected", "address", "work", "doubtful", "others", "same_as", "decision", "decided_by", "decided_at",
    "found_by", "search",
)  # fmt: skip
_OF_LISTS = arrange([name for name in _GETTERS if name not in (*_FIRST, *_CORRECTED)], _KNOWN_ORDER)


def describe_work(verdict: str, evidence: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return the comparison of a row with the record of its DOI; None where nothing was compared."""
    return {"verdict": verdict, **(evidence or {})} if verdict else None


def describe_search(searched: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return what the search for the work of a row came to; None where there was none."""
    if not searched:
        return None
    sentence = str(decode_message(searched["sentence"])) or None
    return {**searched, "works": read_found_works(searched), "sentence": sentence}


def build_object(row: Any, names: Sequence[str], *, more: Iterable[str] = ()) -> dict[str, Any]:
    """Return the members of a row outside a list, and `more` of them."""
    return {
        **{name: _GETTERS[name](row) for name in _FIRST},
        "cells": dict(zip(names, row.cells, strict=False)),
        **{name: _GETTERS[name](row) for name in more},
    }


def build_list_objects(*, are_places: bool, corrected: bool) -> ObjectBuilder:
    """Return the function that builds the objects of a list's rows: in a bibliographic file with the place first."""
    more = (*_OF_LISTS, *(_CORRECTED if corrected else ()))
    return lambda row, names: {
        **describe_place(row.cells if are_places else None),
        **build_object(row, names, more=more),
    }


def _format_exactly(moment: datetime | None) -> str | None:
    """Return the moment with microseconds, unlike other times: clients send it back to show which decision they saw."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z") if moment else None

"""What a row stores of a search: the works that were found, and where."""

from collections.abc import Mapping
from typing import Any

from doi_reading.message import decode_message, encode_message
from resolver.domain.display.times_and_durations import format_iso_utc
from resolver.domain.report.searched_work import describe_search
from resolver.domain.work.evidence import WorkComparison
from resolver.domain.work.found_works import FoundWork, SearchedWork


def encode_comparison(comparison: WorkComparison) -> dict[str, Any]:
    """Return the codes of the reasons, and both values of each field."""
    return {
        "reasons": [str(reason.code) for reason in comparison.reasons],
        "fields": [{**field._asdict(), "status": str(field.status)} for field in comparison.fields],
    }


def encode_search(searched: SearchedWork) -> dict[str, Any]:
    """Return the services that answered, when, the sentence about what wasn't found, and each work: its DOI, who lists
    it, how the row compares, or the `reason`: what in the row names it."""
    return {
        "services": list(searched.services),
        "asked_at": format_iso_utc(searched.asked_at),
        "works": [_encode_work(work) for work in searched.works],
        "sentence": encode_message(describe_search(searched) or ""),
    }


def read_found_works(searched: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """Return the works that a row stores, the best first, each `reason` a Message or None."""
    works = searched["works"] if searched else ()
    return [{**work, "reason": decode_message(work["reason"])} for work in works]


def _encode_work(work: FoundWork) -> dict[str, Any]:
    verdict = str(work.comparison.verdict) if work.comparison else None
    compared = encode_comparison(work.comparison) if work.comparison else {"reasons": [], "fields": []}
    return {
        "doi": work.doi,
        "found_by": work.found_by,
        "reason": encode_message(work.reason) if work.reason else None,
        "verdict": verdict,
        **compared,
    }

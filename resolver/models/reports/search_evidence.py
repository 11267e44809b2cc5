"""What a row stores of a search: the works that were found, and where."""

from typing import Any

from resolver.domain.display.times_and_durations import format_iso_utc
from resolver.domain.work.evidence import WorkComparison
from resolver.domain.work.found_works import FoundWork, SearchedWork


def encode_comparison(comparison: WorkComparison) -> dict[str, Any]:
    """Return the codes of the reasons, and both values of each field."""
    return {
        "reasons": [str(reason.code) for reason in comparison.reasons],
        "fields": [{**field._asdict(), "status": str(field.status)} for field in comparison.fields],
    }


def encode_search(searched: SearchedWork) -> dict[str, Any]:
    """Return the services that answered, when, and each work: its DOI, who lists it, and how the row compares."""
    return {
        "services": list(searched.services),
        "asked_at": format_iso_utc(searched.asked_at),
        "works": [_encode_work(work) for work in searched.works],
    }


def _encode_work(work: FoundWork) -> dict[str, Any]:
    verdict = str(work.comparison.verdict) if work.comparison else None
    compared = encode_comparison(work.comparison) if work.comparison else {"reasons": [], "fields": []}
    return {"doi": work.doi, "found_by": work.found_by, "verdict": verdict, **compared}

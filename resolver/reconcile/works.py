"""The works behind the DOIs of a batch: compared with what its queries describe, or for columns."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from resolver.domain.handle.answers import Failure
from resolver.domain.work.evidence import WorkComparison, WorkVerdict
from resolver.domain.work.metadata import MetadataAnswer
from resolver.domain.work.row_work import RowWork
from resolver.reconcile.candidates import ReconcileCandidate
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.proxy_answers.configured_services import services_from_settings
from resolver.services.proxy_answers.dated_answer import Found
from resolver.services.proxy_answers.waiting_places import LOOKUP_SECONDS, PROXY_PLACES
from resolver.services.works.comparisons import compare_rows
from resolver.services.works.records import find_records

LONGEST_BATCH_SECONDS = 50.0  # with the check that comes first; OpenRefine waits 60
NOT_COMPARED = "the work couldn't be compared"


def confirm_matches(
    candidates: Mapping[str, Sequence[ReconcileCandidate]],
    works: Mapping[str, RowWork],
    *,
    now: datetime,
    began: float,
) -> dict[str, list[ReconcileCandidate]]:
    """Return the candidates of each query. Those of a query with a work match only if they stand for it; their
    descriptions say why not. `began`: when the batch did, in monotonic seconds."""
    matches = {key: place for key in works if (place := _find_match(candidates[key])) is not None}
    rows = [(works[key], candidates[key][place].doi) for key, place in matches.items()]
    longest = _limit(began)
    with PROXY_PLACES.keep_place(is_batch=True):
        compared = compare_rows(
            rows, proxy=proxy_from_settings(), services=services_from_settings(), now=now, longest=longest
        )
    found = {key: list(some) for key, some in candidates.items()}
    for (key, place), one in zip(matches.items(), compared, strict=True):
        found[key][place] = _confirm(found[key][place], one)
    return found


def find_works(names: Sequence[str], *, now: datetime, began: float) -> Found[MetadataAnswer | Failure]:
    """Return what the agencies say about the works of the names, by folded names."""
    with PROXY_PLACES.keep_place(is_batch=True):
        return find_records(
            names, proxy=proxy_from_settings(), services=services_from_settings(), now=now, longest=_limit(began)
        )


def _limit(began: float) -> float:
    return max(1.0, min(LOOKUP_SECONDS, began + LONGEST_BATCH_SECONDS - time.monotonic()))


def _find_match(candidates: Sequence[ReconcileCandidate]) -> int | None:
    return next((place for place, one in enumerate(candidates) if one.match), None)


def _confirm(candidate: ReconcileCandidate, compared: WorkComparison | Failure) -> ReconcileCandidate:
    if isinstance(compared, Failure):
        why = NOT_COMPARED
    else:
        why = " ".join(str(reason.sentence) for reason in compared.reasons)
        if compared.verdict is WorkVerdict.SAME:
            return replace(candidate, description=_join(candidate.description, why or "the same work"))
    return replace(candidate, match=False, description=_join(candidate.description, why))


def _join(description: str, more: str) -> str:
    return " · ".join(filter(None, [description, more]))[:1000]

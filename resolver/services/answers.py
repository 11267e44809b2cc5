"""What a proxy said before, kept for 24 hours (P13), apart for each proxy address. A failure is never kept."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from resolver import conf
from resolver.domain.doi import fold
from resolver.domain.record import Agency, Missing, NoValues, Record, Resolution
from resolver.domain.wire import NOT_FOUND, VALUES_NOT_FOUND, record_from_raw
from resolver.models import StoredAnswer
from resolver.models.fields import storable

AT_ONCE = 400  # SQLite bounds the parameters of one statement


@dataclass(frozen=True, slots=True)
class Known:
    """What is stored of one name and still fresh; either may be missing."""

    resolution: Resolution | None
    agency: Agency | None


def digest(name: str) -> str:
    """The same for equivalent names (S8), and short however long the name is (S7)."""
    return sha256(storable(fold(name)).encode()).hexdigest()


def recall(names: Iterable[str], *, proxy: str, now: datetime) -> dict[str, Known]:
    """What is known of the names at that proxy, by their folded names."""
    asked = {digest(name): name for name in names}
    since = now - conf.fresh_for()
    known = {}
    digests = list(asked)
    for start in range(0, len(digests), AT_ONCE):
        stored = StoredAnswer.objects.filter(proxy=proxy, digest__in=digests[start : start + AT_ONCE])
        for answer in stored:
            name = asked[answer.digest]
            known[fold(name)] = Known(_resolution(answer, name, since), _agency(answer, name, since))
    return known


def keep_resolutions(found: Mapping[str, Resolution], *, proxy: str, now: datetime) -> None:
    """Store what was learned of records. ProxyError and Unreachable are no knowledge, and are left out."""
    _keep(
        (
            StoredAnswer(proxy=proxy, digest=digest(name), name=name, answer=_to_json(resolution), answer_at=now)
            for name, resolution in found.items()
            if isinstance(resolution.answer, Record | NoValues | Missing)
        ),
        ("name", "answer", "answer_at"),
    )


def keep_agencies(found: Mapping[str, Any], *, proxy: str, now: datetime) -> None:
    """Store what Which RA said; likewise without the failures."""
    _keep(
        (
            StoredAnswer(
                proxy=proxy,
                digest=digest(name),
                name=name,
                ra=agency.ra or "",
                ra_status=agency.status or "",
                agency_at=now,
            )
            for name, agency in found.items()
            if isinstance(agency, Agency)
        ),
        ("name", "ra", "ra_status", "agency_at"),
    )


def _keep(answers: Iterable[StoredAnswer], columns: tuple[str, ...]) -> None:
    # In one order always: two workers that write the same rows in different orders would lock each other out.
    rows = sorted({answer.digest: answer for answer in answers}.values(), key=lambda answer: answer.digest)
    if rows:
        StoredAnswer.objects.bulk_create(
            rows, update_conflicts=True, unique_fields=("proxy", "digest"), update_fields=columns, batch_size=100
        )


def _to_json(resolution: Resolution) -> dict[str, Any]:
    raw = getattr(resolution.answer, "raw", None) or {}
    match resolution.answer:
        case Missing():
            raw = {**raw, "responseCode": NOT_FOUND}
        case NoValues():
            raw = {**raw, "responseCode": VALUES_NOT_FOUND}
    return {"raw": dict(raw), "alias_of": resolution.alias_of, "loop": resolution.loop}


def _resolution(stored: StoredAnswer, name: str, since: datetime) -> Resolution | None:
    if stored.answer is None or stored.answer_at is None or stored.answer_at < since:
        return None
    raw, alias_of = stored.answer["raw"], stored.answer["alias_of"]
    if alias_of is None and "handle" in raw:
        raw["handle"] = name  # the proxy echoes the name as it was asked for, whoever asked before (A1)
    return Resolution(record_from_raw(raw), alias_of, stored.answer["loop"])


def _agency(stored: StoredAnswer, name: str, since: datetime) -> Agency | None:
    if stored.agency_at is None or stored.agency_at < since:
        return None
    return Agency(name, stored.ra or None, stored.ra_status or None)

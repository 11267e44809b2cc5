"""What a proxy said before, kept for 24 hours (P13), apart for each proxy address. A failure is never kept."""

from base64 import urlsafe_b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from typing import Any

from resolver import conf
from resolver.domain.doi import fold
from resolver.domain.record import Agency, Missing, NoValues, ProxyError, Record, Resolution, Unreachable
from resolver.domain.wire import NOT_FOUND, VALUES_NOT_FOUND, record_from_raw
from resolver.models import StoredAnswer, writing
from resolver.models.fields import storable

AgencyAnswer = Agency | ProxyError | Unreachable
AT_ONCE = 400  # SQLite bounds the parameters of one statement


@dataclass(frozen=True, slots=True)
class Known:
    """What is stored of one name and still fresh; either may be missing."""

    resolution: Resolution | None
    agency: Agency | None


@lru_cache(2000)
def digest(name: str) -> str:
    """The same for equivalent names (S8), and short however long the name is (S7).

    No longer than it must be: entries come in any order, so the whole index has to stay in memory during a long list.
    """
    return urlsafe_b64encode(sha256(storable(fold(name)).encode()).digest()[:16]).decode()


def recall(names: Iterable[str], *, proxy: str, now: datetime) -> dict[str, Known]:
    """What is known of the names at that proxy, by their folded names."""
    asked = {digest(name): name for name in names}
    since = now - conf.fresh_for()
    known = {}
    digests = list(asked)
    for start in range(0, len(digests), AT_ONCE):
        stored = StoredAnswer.objects.filter(proxy=proxy, digest__in=digests[start : start + AT_ONCE])
        # Not objects of the ORM, which would take as long again: each name of a list is looked up here.
        for key, answer, answer_at, ra, ra_status, agency_at in stored.values_list("digest", *_BOTH):
            name = asked[key]
            resolution = _resolution(answer, name) if answer and answer_at and answer_at >= since else None
            agency = Agency(name, ra or None, ra_status or None) if agency_at and agency_at >= since else None
            known[fold(name)] = Known(resolution, agency)
    return known


def keep(
    resolutions: Mapping[str, Resolution], agencies: Mapping[str, AgencyAnswer], *, proxy: str, now: datetime
) -> None:
    """Store what was learned of records, and what Which RA said; what is stored of the other of the two stays.

    ProxyError and Unreachable are no knowledge, and are left out.
    """
    records = {
        n: _record_columns(r, now) for n, r in resolutions.items() if isinstance(r.answer, Record | NoValues | Missing)
    }
    said = {n: _agency_columns(a, now) for n, a in agencies.items() if isinstance(a, Agency)}
    both = {name: records[name] | said[name] for name in records.keys() & said.keys()}
    for columns, found in ((_BOTH, both), (_RECORD, records), (_AGENCY, said)):
        _keep({name: values for name, values in found.items() if found is both or name not in both}, columns, proxy)


_RECORD = ("answer", "answer_at")
_AGENCY = ("ra", "ra_status", "agency_at")
_BOTH = (*_RECORD, *_AGENCY)  # `recall` reads them in this order


def _record_columns(resolution: Resolution, now: datetime) -> dict[str, Any]:
    return {"answer": _to_json(resolution), "answer_at": now}


def _agency_columns(agency: Agency, now: datetime) -> dict[str, Any]:
    return {"ra": agency.ra or "", "ra_status": agency.status or "", "agency_at": now}


def _keep(found: Mapping[str, Mapping[str, Any]], columns: tuple[str, ...], proxy: str) -> None:
    answers = {digest(name): (name, values) for name, values in found.items()}
    # In one order always: two workers that write the same rows in different orders would lock each other out.
    writing.insert(
        StoredAnswer,
        ("proxy", "digest", "name", *columns),
        [(proxy, key, name, *map(values.__getitem__, columns)) for key, (name, values) in sorted(answers.items())],
        unique=("proxy", "digest"),
        update=("name", *columns),
    )


def _to_json(resolution: Resolution) -> dict[str, Any]:
    raw = getattr(resolution.answer, "raw", None) or {}
    match resolution.answer:
        case Missing():
            raw = {**raw, "responseCode": NOT_FOUND}
        case NoValues():
            raw = {**raw, "responseCode": VALUES_NOT_FOUND}
    return {"raw": dict(raw), "alias_of": resolution.alias_of, "loop": resolution.loop}


def _resolution(answer: dict[str, Any], name: str) -> Resolution:
    raw, alias_of = answer["raw"], answer["alias_of"]
    if alias_of is None and "handle" in raw:
        raw["handle"] = name  # the proxy echoes the name as it was asked for, whoever asked before (A1)
    return Resolution(record_from_raw(raw), alias_of, answer["loop"])

"""What a proxy said before, kept for 24 hours (P13), apart for each proxy address. A failure is never kept."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
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
_BOTH = (*_RECORD, *_AGENCY)


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

"""What a proxy said before, kept for 24 hours at most (P13) and no longer than its values allow (P15), apart for each
proxy address. A failure is never kept."""

import logging
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from typing import Any

from resolver import conf
from resolver.domain.handle import freshness
from resolver.domain.handle.aliases import follow
from resolver.domain.handle.freshness import Span
from resolver.domain.handle.record import Agency, Missing, NoValues, ProxyError, Record, Resolution, Unreachable
from resolver.domain.handle.wire import NOT_FOUND, VALUES_NOT_FOUND, WireError, record_from_raw
from resolver.domain.name.doi import fold
from resolver.models import StoredAnswer, bulk_sql, reading
from resolver.models.fields import storable
from resolver.services.data_errors import is_of_the_data

log = logging.getLogger(__name__)

AgencyAnswer = Agency | ProxyError | Unreachable
OwnAnswer = Record | NoValues | Missing
OLDEST = datetime.min.replace(tzinfo=UTC)
AT_ONCE = 400  # SQLite bounds the parameters of one statement


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """What the proxy said of a handle, when it was asked, and for how long that counts (P13, P15)."""

    answer: OwnAnswer
    asked_at: datetime
    span: Span


@dataclass(frozen=True, slots=True)
class Known:
    """What is stored of one name and still fresh, and when it was asked for; either may be missing."""

    resolution: Resolution | None
    agency: Agency | None
    resolution_at: datetime | None = None
    agency_at: datetime | None = None


@lru_cache(2000)
def digest(name: str) -> str:
    """The same for equivalent names (S8), and short however long the name is (S7).

    No longer than it must be: entries come in any order, so the whole index has to stay in memory during a long list.
    """
    return urlsafe_b64encode(sha256(storable(fold(name)).encode()).digest()[:16]).decode()


def oldest_fresh(now: datetime) -> datetime:
    """What was asked for before this moment is asked for again (P13), whoever wants it."""
    return now - conf.fresh_for()


def span_of(answer: OwnAnswer, asked_at: datetime) -> Span:
    """For how long a handle's own answer counts: a day at most, and no longer than its values allow (P13, P15)."""
    return freshness.freshness_span(answer, asked_at, conf.fresh_for())


def recall(names: Iterable[str], *, proxy: str, now: datetime, fresh_since: datetime | None = None) -> dict[str, Known]:
    """What is known of the names at that proxy, by their folded names: of an alias, the record behind it (P7), unless
    one on the way there is not stored. What was learned before `fresh_since`, if that is given, counts for nothing."""
    asked = {digest(name): name for name in names}
    since = max(oldest_fresh(now), fresh_since or OLDEST)
    known: dict[str, Known] = {}
    aliases: dict[str, StoredRecord] = {}
    for key, answer, answer_at, ra, ra_status, agency_at in _stored(asked, proxy, _BOTH):
        name = asked[key]
        stored = _stored_record(name, answer, answer_at, since, now)
        agency = Agency(name, ra or None, ra_status or None) if agency_at and agency_at >= since else None
        if agency and agency.exists is False and answer_at and agency_at > answer_at:
            stored = None  # Which RA has denied since that there is such a name
        if stored and isinstance(stored.answer, Record) and stored.answer.alias is not None:
            aliases[name], stored = stored, None
        known[fold(name)] = Known(Resolution(stored.answer) if stored else None, agency, answer_at, agency_at)
    for name, (resolution, oldest) in _behind(aliases, proxy, since, now).items():
        known[fold(name)] = replace(known[fold(name)], resolution=resolution, resolution_at=oldest)
    return known


def stored_records(names: Iterable[str], *, proxy: str, since: datetime, now: datetime) -> dict[str, StoredRecord]:
    """What is stored of these very handles, no alias followed, by their folded names: what was asked for since then,
    and counts now."""
    asked = {digest(name): name for name in names}
    found = {}
    for key, answer, answer_at in _stored(asked, proxy, _RECORD):
        if stored := _stored_record(asked[key], answer, answer_at, since, now):
            found[fold(asked[key])] = stored
    return found


def _stored_record(
    name: str, raw: Any, asked_at: datetime | None, since: datetime, now: datetime
) -> StoredRecord | None:
    """The one rule for what is taken from the store: asked for since then, and counting now."""
    answer = _own(raw, name) if raw and asked_at and asked_at >= since else None
    if answer is None or asked_at is None:
        return None
    span = span_of(answer, asked_at)
    return StoredRecord(answer, asked_at, span) if freshness.counts(answer, asked_at, span, now) else None


def agencies(names: Iterable[str], *, proxy: str, since: datetime) -> dict[str, tuple[Agency, datetime]]:
    """What Which RA has said of the names, and when, by their folded names."""
    asked = {digest(name): name for name in names}
    return {
        fold(asked[key]): (Agency(asked[key], ra or None, ra_status or None), agency_at)
        for key, ra, ra_status, agency_at in _stored(asked, proxy, _AGENCY)
        if agency_at and agency_at >= since
    }


def _stored(digests: Iterable[str], proxy: str, columns: tuple[str, ...]) -> Iterator[tuple[Any, ...]]:
    wanted = list(digests)
    for start in range(0, len(wanted), AT_ONCE):
        # Not by the ORM: each name of a list is looked up here, and each request to the gateway.
        some = wanted[start : start + AT_ONCE]
        yield from reading.select(StoredAnswer, ("digest", *columns), ("proxy", proxy), ("digest", some))


def _behind(
    aliases: Mapping[str, StoredRecord], proxy: str, since: datetime, now: datetime
) -> dict[str, tuple[Resolution, datetime]]:
    """The ends of these aliases, as far as all on the way is stored, and when the oldest of it was asked for. Aliases
    are rare, so are these queries."""
    found: dict[str, tuple[Resolution, datetime]] = {}
    ways = {name: follow(name) for name in aliases}
    needed = {name: next(way) for name, way in ways.items()}
    own = {fold(name): stored for name, stored in aliases.items()}
    oldest = {name: stored.asked_at for name, stored in aliases.items()}
    while needed:
        missing = [handle for handle in needed.values() if fold(handle) not in own]
        own |= stored_records(missing, proxy=proxy, since=since, now=now)
        asked, needed = needed, {}
        for name, handle in asked.items():
            try:
                if fold(handle) in own:
                    stored = own[fold(handle)]
                    oldest[name] = min(oldest[name], stored.asked_at)
                    needed[name] = ways[name].send(stored.answer)
            except StopIteration as end:
                found[name] = end.value, oldest[name]
    return found


def keep(
    resolutions: Mapping[str, Resolution], agencies: Mapping[str, AgencyAnswer], *, proxy: str, now: datetime
) -> None:
    """Store what was learned of records, each handle's own under its own name (the REST API follows no alias), and what
    Which RA said; what is stored of the other of the two stays.

    ProxyError and Unreachable are no knowledge, and are left out. So is an answer that cannot be stored: it is asked
    for again whenever it is wanted.
    """
    records = {
        handle: _record_columns(answer, now)
        for name, resolution in resolutions.items()
        for handle, answer in resolution.way or ((name, resolution.answer),)
        if isinstance(answer, OwnAnswer)
    }
    said = {n: _agency_columns(a, now) for n, a in agencies.items() if isinstance(a, Agency)}
    both = {name: records[name] | said[name] for name in records.keys() & said.keys()}
    for columns, found in ((_BOTH, both), (_RECORD, records), (_AGENCY, said)):
        kept = {name: values for name, values in found.items() if found is both or name not in both}
        try:
            _keep(kept, columns, proxy)
        except Exception as error:
            if not is_of_the_data(error):
                raise
            _keep_one_by_one(kept, columns, proxy)


_RECORD = ("answer", "answer_at")
_AGENCY = ("ra", "ra_status", "agency_at")
_BOTH = (*_RECORD, *_AGENCY)  # `recall` reads them in this order


def _record_columns(answer: OwnAnswer, now: datetime) -> dict[str, Any]:
    return {"answer": _to_json(answer), "answer_at": now}


def _agency_columns(agency: Agency, now: datetime) -> dict[str, Any]:
    return {"ra": agency.ra or "", "ra_status": agency.status or "", "agency_at": now}


def _keep_one_by_one(found: Mapping[str, Mapping[str, Any]], columns: tuple[str, ...], proxy: str) -> None:
    for name, values in found.items():
        try:
            _keep({name: values}, columns, proxy)
        except Exception as error:
            if not is_of_the_data(error):
                raise
            log.exception("The answer for %a cannot be stored", name[:200])


def _keep(found: Mapping[str, Mapping[str, Any]], columns: tuple[str, ...], proxy: str) -> None:
    answers = {digest(name): (name, values) for name, values in found.items()}
    # In one order always: two workers that write the same rows in different orders would lock each other out.
    bulk_sql.insert(
        StoredAnswer,
        ("proxy", "digest", "name", *columns),
        [(proxy, key, name, *map(values.__getitem__, columns)) for key, (name, values) in sorted(answers.items())],
        unique=("proxy", "digest"),
        update=("name", *columns),
    )


def _to_json(answer: OwnAnswer) -> dict[str, Any]:
    raw = answer.raw
    match answer:
        case Missing():
            raw = {**raw, "responseCode": NOT_FOUND}
        case NoValues():
            raw = {**raw, "responseCode": VALUES_NOT_FOUND}
    return {"raw": dict(raw), "age": round(answer.age, 3)}


def _own(answer: dict[str, Any], name: str) -> OwnAnswer | None:
    # Before each handle had its own record here, that of the end of an alias stood under the first name.
    if answer.get("alias_of") or answer.get("loop"):
        return None
    raw = answer["raw"]
    if "handle" in raw:
        raw["handle"] = name  # the proxy echoes the name as it was asked for, whoever asked before (A1)
    try:
        return record_from_raw(raw, answer.get("age", 0.0))
    except WireError:  # by an earlier version, which took it for an answer
        return None

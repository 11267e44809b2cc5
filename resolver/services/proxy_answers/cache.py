"""Stored answers of a proxy: for 24 hours at most (P13), no longer than their values allow (P15), and separate for each
proxy address. Failures are never stored."""

import logging
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from typing import Any

from doi_reading import fold
from resolver import conf
from resolver.domain.handle import freshness
from resolver.domain.handle.answers import (
    MAX_HOPS,
    AgencyAnswer,
    MissingHandle,
    NoValues,
    Resolution,
    WhichRaAnswer,
    follow_aliases,
)
from resolver.domain.handle.proxy_json import NOT_FOUND, VALUES_NOT_FOUND, WireError, build_answer
from resolver.domain.handle.record import Record
from resolver.domain.work.metadata import MetadataAnswer, decode_metadata
from resolver.models import StoredAnswer, raw_sql
from resolver.models.fields import encode_storable
from resolver.services.proxy_answers.dated_answer import (
    DatedAnswer,
    Found,
    OwnAnswer,
    build_dated_agency,
    build_dated_metadata,
    build_dated_record,
)
from resolver.services.storage.storage_errors import is_value_refused

log = logging.getLogger(__name__)

NEVER = datetime.max.replace(tzinfo=UTC)  # no stored answer is as fresh

_RECORD = ("record", "record_at")
_AGENCY = ("ra", "ra_status", "agency_at")
_METADATA = ("metadata", "metadata_at")
_JOINED = (*_RECORD, *_AGENCY)


def deduplicate_names(names: Iterable[str]) -> dict[str, str]:
    """Return the first of equivalent names (S8), by their folded names."""
    first: dict[str, str] = {}
    for name in names:
        first.setdefault(fold(name), name)
    return first


@lru_cache(2000)
def digest_name(name: str) -> str:
    """Return a digest, equal for equivalent names (S8), for names of any length (S7). It is short because entries come
    in any order, so that a long list needs the whole index in memory."""
    return urlsafe_b64encode(sha256(encode_storable(fold(name)).encode()).digest()[:16]).decode()


def load_records(names: Iterable[str], *, proxy: str, now: datetime, since: datetime | None = None) -> Found[OwnAnswer]:
    """Return the stored records of these very handles, no alias followed, that count now and were requested `since`."""
    oldest = _compute_oldest(now, since)
    return _load(names, proxy, _JOINED, lambda name, stored: _build_record(name, stored, now, oldest))


def load_agencies(
    names: Iterable[str], *, proxy: str, now: datetime, since: datetime | None = None
) -> Found[WhichRaAnswer]:
    """Return what Which RA said about the names `since`, as far as it counts now."""
    oldest = _compute_oldest(now, since)
    return _load(names, proxy, _AGENCY, lambda name, stored: _build_agency(name, stored, now, oldest))


def load_metadata(
    names: Iterable[str], *, proxy: str, now: datetime, since: datetime | None = None
) -> Found[MetadataAnswer]:
    """Return what the agencies said `since` about the works of these names, as far as it counts now."""
    oldest = _compute_oldest(now, since, conf.metadata_lifetime())
    return _load(names, proxy, _METADATA, lambda _, stored: _build_metadata(stored, now, oldest))


@dataclass(frozen=True, slots=True)
class StoredAnswers:
    """What is stored of some names: their records, each with its chain of aliases, and what Which RA said."""

    resolutions: Found[Resolution]
    agencies: Found[WhichRaAnswer]


def load_answers(names: Iterable[str], *, proxy: str, now: datetime, since: datetime | None = None) -> StoredAnswers:
    """Return the stored answers, of an alias the record behind it (P7) if the whole chain is stored, with the oldest
    time of the chain. One query, and one for each hop of aliases."""
    names, oldest = list(names), _compute_oldest(now, since)
    own: Found[OwnAnswer] = {}
    agencies: Found[WhichRaAnswer] = {}
    for name, *stored in _select_rows(names, proxy, _JOINED):
        if (known := _build_record(name, stored, now, oldest)) is not None:
            own[fold(name)] = known
        if (agency := _build_agency(name, stored[len(_RECORD) :], now, oldest)) is not None:
            agencies[fold(name)] = agency
    found = own
    for _ in range(MAX_HOPS):
        targets = [known.answer.alias for known in found.values() if isinstance(known.answer, Record)]
        missing = [alias for alias in targets if alias and fold(alias) not in own]
        if not missing:
            break
        found = load_records(missing, proxy=proxy, now=now, since=since)
        own = own | found
    resolved = {key: _follow(name, own) for name in names if (key := fold(name)) in own}
    return StoredAnswers({key: known for key, known in resolved.items() if known is not None}, agencies)


def _build_record(name: str, stored: Sequence[Any], now: datetime, oldest: datetime) -> DatedAnswer[OwnAnswer] | None:
    """Return the record of a row's columns `_JOINED`, if it counts now."""
    raw, answered_at, _, ra_status, agency_at = stored
    if raw is None or answered_at is None or answered_at < oldest:
        return None
    if agency_at and agency_at > answered_at and WhichRaAnswer(name, None, ra_status).exists is False:
        return None  # Which RA has denied since that the name exists
    answer = _from_json(raw, name)
    known = build_dated_record(name, answer, answered_at, stored=True) if answer else None
    usable = known and known.span and freshness.is_answer_usable(known.answer, answered_at, known.span, now)
    return known if usable else None


def _build_agency(
    name: str, stored: Sequence[Any], now: datetime, oldest: datetime
) -> DatedAnswer[WhichRaAnswer] | None:
    """Return the answer of a row's columns `_AGENCY`, if it counts now."""
    ra, ra_status, answered_at = stored
    if not answered_at or answered_at < oldest:
        return None
    known = build_dated_agency(WhichRaAnswer(name, ra or None, ra_status or None), answered_at, stored=True)
    return known if known.span and now <= known.span.expires_at else None


def _build_metadata(stored: Sequence[Any], now: datetime, oldest: datetime) -> DatedAnswer[MetadataAnswer] | None:
    """Return the answer of a row's columns `_METADATA`, if it counts now."""
    raw, answered_at = stored
    if raw is None or not answered_at or answered_at < oldest:
        return None
    if "reason" not in raw and "titles" not in raw:  # stored by a version that kept no more than a page shows
        return None
    known = build_dated_metadata(decode_metadata(raw), answered_at, stored=True)
    return known if known.span and now <= known.span.expires_at else None


def _follow(name: str, own: Found[OwnAnswer]) -> DatedAnswer[Resolution] | None:
    steps = follow_aliases(name)
    handle, oldest = next(steps), NEVER
    while (known := own.get(fold(handle))) is not None and known.answered_at:
        oldest = min(oldest, known.answered_at)
        try:
            handle = steps.send(known.answer)
        except StopIteration as end:
            return DatedAnswer(end.value, oldest, stored=True)
    return None


def store_answers(
    resolutions: Mapping[str, Resolution], agencies: Mapping[str, AgencyAnswer], *, proxy: str, now: datetime
) -> None:
    """Store these answers: each handle's own record under its own name (the REST API follows no alias), and what Which
    RA said. Failures, and answers that cannot be stored, are left out."""
    records = {
        digest_name(handle): (handle, _to_json(answer), now)
        for name, resolution in resolutions.items()
        for handle, answer in resolution.way or ((name, resolution.answer),)
        if isinstance(answer, OwnAnswer)
    }
    said = {
        digest_name(name): (name, answer.ra or "", answer.status or "", now)
        for name, answer in agencies.items()
        if isinstance(answer, WhichRaAnswer)
    }
    # Most names of a list have both: a joined row each, and one commit if none has only one of them.
    both = {key: (*records.pop(key), *said.pop(key)[1:]) for key in records.keys() & said.keys()}
    for rows, columns in ((both, _JOINED), (records, _RECORD), (said, _AGENCY)):
        _keep(rows, columns, proxy)


def store_metadata(answers: Mapping[str, MetadataAnswer], *, proxy: str, now: datetime) -> None:
    """Store what the agencies said about the works of the names."""
    _keep({digest_name(name): (name, asdict(answer), now) for name, answer in answers.items()}, _METADATA, proxy)


def _keep(rows: Mapping[str, tuple[Any, ...]], columns: tuple[str, ...], proxy: str) -> None:
    # Always in one order: two workers that write the rows in different orders would block each other.
    ordered = [(proxy, key, *values) for key, values in sorted(rows.items())]
    try:
        _insert(ordered, columns)
    except Exception as error:
        if not is_value_refused(error):
            raise
        for row in ordered:
            _keep_alone(row, columns)


def _keep_alone(row: tuple[Any, ...], columns: tuple[str, ...]) -> None:
    try:
        _insert([row], columns)
    except Exception as error:
        if not is_value_refused(error):
            raise
        if columns == _JOINED:  # one of the two may be storable
            head, record, agency = row[:3], row[3 : 3 + len(_RECORD)], row[3 + len(_RECORD) :]
            _keep_alone((*head, *record), _RECORD)
            _keep_alone((*head, *agency), _AGENCY)
        else:
            log.exception("The answer for a name of %d characters cannot be stored", len(row[2]))


def _insert(rows: list[tuple[Any, ...]], columns: tuple[str, ...]) -> None:
    named = ("name", *columns)
    raw_sql.insert_rows(StoredAnswer, ("proxy", "digest", *named), rows, unique=("proxy", "digest"), update=named)


def _compute_oldest(now: datetime, since: datetime | None, lifetime: timedelta | None = None) -> datetime:
    oldest = now - (lifetime or conf.answer_lifetime())
    return oldest if since is None else max(oldest, since)


def _load(
    names: Iterable[str], proxy: str, columns: tuple[str, ...], build: Callable[[str, Sequence[Any]], Any]
) -> Found[Any]:
    built = ((name, build(name, stored)) for name, *stored in _select_rows(names, proxy, columns))
    return {fold(name): known for name, known in built if known is not None}


def _select_rows(names: Iterable[str], proxy: str, columns: tuple[str, ...]) -> Iterator[tuple[Any, ...]]:
    by_digest = {digest_name(name): name for name in names}
    # Not by the ORM: each name of a list is looked up here, and each request to the gateway.
    same, among = ("proxy", proxy), ("digest", list(by_digest))
    for key, *values in raw_sql.select_rows(StoredAnswer, ("digest", *columns), same, among):
        yield by_digest[key], *values


def _to_json(answer: OwnAnswer) -> dict[str, Any]:
    raw = dict(answer.raw)
    match answer:
        case MissingHandle():
            raw["responseCode"] = NOT_FOUND
        case NoValues():
            raw["responseCode"] = VALUES_NOT_FOUND
    return {"raw": raw, "age": round(answer.age, 3)}


def _from_json(stored: dict[str, Any], name: str) -> OwnAnswer | None:
    # Earlier versions stored the end of an alias under the first name.
    if stored.get("alias_of") or stored.get("loop"):
        return None
    raw = stored["raw"]
    if "handle" in raw:
        raw["handle"] = name  # the proxy echoes the name as it was sent (A1)
    try:
        return build_answer(raw, stored.get("age", 0.0))
    except WireError:  # an earlier version took it for an answer
        return None

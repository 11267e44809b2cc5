"""What a service says about names, by Which RA (`/doiRA/…`) or by a record (`/api/handles/…`): answers → verdicts."""

import json
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, NoReturn

from doi_reading.command.check.service import ServiceReply
from doi_reading.name.doi import fold
from doi_reading.name.encoding import encode

BATCH_NAMES, BATCH_BYTES = 50, 3_000
"""Names, and bytes of their encoded forms, in one request. doi.org took 7.6 s for 5,700 bytes."""
LONGEST_NAME_BYTES = 6_000
"""Bytes of an encoded name. doi.org refused an address of 11,500 bytes."""
_MISSING = "DOI does not exist"
_SPLITTING = frozenset({400, 413, 414, 431, 500})
"""Statuses with which fewer names may be answered: one name can spoil the answer for all."""
_FINAL = {
    401: "it requires a login",
    403: "it refuses requests",
    404: "it doesn't answer like doi.org",
    451: "it refuses requests",
}


class Unanswered(Exception):
    """An attempt without a verdict; the text says why. `splits`: fewer names may have one. `repeats`: it may pass.
    `wait`: for so many seconds the service wants no request."""

    def __init__(self, why: str, *, splits: bool = False, repeats: bool = True, wait: float = 0.0) -> None:
        super().__init__(why)
        self.splits, self.repeats, self.wait = splits, repeats, wait


def split_batches(names: Sequence[str]) -> Iterator[list[str]]:
    """Yield the names in lists for one request each. Those with a comma come last: a service may take their `%2C` for
    the end of the name."""
    for group in ([one for one in names if "," not in one], [one for one in names if "," in one]):
        batch: list[str] = []
        size = 0
        for name in group:
            length = len(encode(name, "which-ra")) + 1
            if batch and (len(batch) == BATCH_NAMES or size + length > BATCH_BYTES):
                yield batch
                batch, size = [], 0
            batch.append(name)
            size += length
        if batch:
            yield batch


def build_list_path(names: Sequence[str]) -> str:
    """Return the path of the Which RA request for these names."""
    return f"/doiRA/{','.join(encode(one, 'which-ra') for one in names)}"


def build_record_path(name: str) -> str:
    """Return the path of the name's record."""
    return f"/api/handles/{encode(name, 'path')}"


def read_list(reply: ServiceReply, names: Sequence[str]) -> list[bool | None]:
    """Return for each name whether it is registered, None if Which RA can't tell. Raises Unanswered."""
    if reply.status != 200:
        _refuse(reply)
    items = _parse(reply)
    if not isinstance(items, list) or len(items) != len(names):
        raise Unanswered("its answer doesn't fit the request", splits=True)
    return [_read_item(item, name) for item, name in zip(items, names, strict=True)]


def read_record(reply: ServiceReply, name: str) -> bool:
    """Return whether the name is registered. Raises Unanswered. The HTTP status is not asked: the code decides."""
    if not reply.body.lstrip().startswith(b"{"):
        if reply.status == 200:
            raise Unanswered("its answer isn't a record", splits=True)
        _refuse(reply)
    record = _parse(reply)
    handle, code = record.get("handle"), record.get("responseCode")
    if not isinstance(handle, str) or fold(handle) != fold(name) or type(code) is not int or code not in (1, 100, 200):
        raise Unanswered("its record doesn't say whether the DOI is registered", splits=True, repeats=code != 2)
    return code != 100


def _read_item(item: Any, name: str) -> bool | None:
    answered, agency, status = map(item.get, ("DOI", "RA", "status")) if isinstance(item, dict) else (None, None, None)
    if not isinstance(answered, str) or fold(answered) != fold(name):
        raise Unanswered("its answer is about another name", splits=True)
    if isinstance(agency, str) and agency.strip():
        return True
    if not isinstance(status, str) or not status.strip():
        raise Unanswered("its answer names neither an agency nor a status", splits=True)
    return False if status.strip() == _MISSING else None


def _parse(reply: ServiceReply) -> Any:
    if reply.body.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        raise Unanswered("its answer is a web page, not data")
    try:
        return json.loads(reply.body)
    except (ValueError, RecursionError):
        raise Unanswered("its answer isn't JSON", splits=True) from None


def _refuse(reply: ServiceReply) -> NoReturn:
    """Raise Unanswered for an answer that says nothing about names."""
    status, wait = reply.status, _parse_retry_after(reply.retry_after)
    if status in _FINAL:
        raise Unanswered(f"{_FINAL[status]} (HTTP {status})", repeats=False)
    if 300 <= status < 400:
        raise Unanswered(f"it redirects to another address (HTTP {status})", repeats=False)
    if status == 429:
        raise Unanswered("it asks for fewer requests (HTTP 429)", wait=wait)
    raise Unanswered(f"it isn't working (HTTP {status})", splits=status in _SPLITTING and not wait, wait=wait)


def _parse_retry_after(header: str) -> float:
    """Return the seconds of a number or a date, 0.0 for anything else."""
    text = header.strip()[:64]
    if re.fullmatch(r"[0-9]{1,9}", text):
        return float(text)
    try:
        until = parsedate_to_datetime(text)
        return max((until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds(), 0.0)
    except (ValueError, TypeError, IndexError, OverflowError):
        return 0.0

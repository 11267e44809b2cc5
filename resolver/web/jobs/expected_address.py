"""The expected address of a row beside the address that its DOI leads to, with the difference marked."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from resolver.domain.display.link_or_text import LONGEST_TEXT
from resolver.domain.report.outcome import Outcome
from resolver.domain.report.suggestion import split_common_ends
from resolver.domain.report.target import Target, compare_target, is_readable_target
from resolver.models import Job, Row
from resolver.services.jobs.row_readings import find_expected_address, shares_cell
from resolver.web.wording.labels import ADDRESS_LABELS, UNREGISTERED, Label

_AT_HOST = re.compile(r"((?:[a-z][a-z0-9+.-]*://)?(?:[^/?#\\]*@)?)([^/?#\\]*)(.*)", re.DOTALL | re.IGNORECASE)
_USUAL = ("https://", "http://")
Marked = tuple[str, str, str]  # the common beginning, the middle that differs, the common end


class AddressParts(NamedTuple):
    """A web address, so that its host can stand out: what is odd before the host, the host, and the rest."""

    start: str
    host: str
    rest: str


@dataclass(frozen=True, slots=True)
class ExpectedAddress:
    """What the page of a row says about its expected address. `found` is empty if there is no address; `more`: how many
    others there are. `label` is None if nothing could be compared: `unreadable` if that is the fault of the cell,
    `shared` if the row of the file has several DOIs."""

    expected: Marked
    found: Marked | None
    more: int
    label: Label | None
    unreadable: bool
    shared: bool


def describe_expected_address(job: Job, row: Row) -> ExpectedAddress | None:
    """Return it for a row of a list with expected addresses, unless its cell is empty; else None."""
    expected = (find_expected_address(job, row.cells) or "").strip()
    if not expected:
        return None
    label = ADDRESS_LABELS[row.address] if row.address else None
    if row.address and row.outcome == Outcome.NOT_FOUND:
        label = UNREGISTERED
    unreadable = not is_readable_target(expected)
    shared = label is None and shares_cell(job, row)
    shown = expected[:LONGEST_TEXT]
    if not row.urls or label is None:
        return ExpectedAddress((shown, "", ""), None, 0, label, unreadable, shared)
    nearest = min(row.urls, key=lambda url: list(Target).index(compare_target(expected, [url]) or Target.NO_ADDRESS))
    start, wanted, found, end = split_common_ends(shown, nearest.strip()[:LONGEST_TEXT])
    return ExpectedAddress((start, wanted, end), (start, found, end), len(row.urls) - 1, label, unreadable, shared)


def split_at_host(address: str) -> AddressParts:
    """Take any text apart as a web address, without http(s)://. A name before an @ is no part of the host."""
    _before, start, host, rest, _after = _AT_HOST.split(address, maxsplit=1)
    return AddressParts("" if start.lower() in _USUAL else start, host, rest)


def split_addresses(job: Job, row: Row) -> tuple[AddressParts, AddressParts]:
    """Return the expected address of a row and the one that its DOI leads to, each taken apart; empty if unknown."""
    audit = describe_expected_address(job, row)
    expected, found = ("".join(audit.expected), "".join(audit.found or ())) if audit else ("", "")
    return split_at_host(expected), split_at_host(found)

"""Names that are repeated in whole or in part, and two names run together."""

import re

from doi_reading.message import Message
from doi_reading.repair.rule import RepairRule
from doi_reading.tables.registrant_codes import KNOWN
from doi_reading.text.inner_doi import find_inner_doi, find_second_doi

_PREFIX = re.compile(r"[.,:;]?(10\.([0-9]{4,5}))/?\Z")


def _remove_repetition(name: str) -> str:
    at = find_inner_doi(name)
    if at < 0 or find_second_doi(name):
        return name
    first = _cut_before(name, at)
    return first if first.partition("/")[2] else name[name.index("10.", at) :]


def _remove_repeated_end(name: str) -> str:
    """`a007732a007732` → `a007732`."""
    slash = name.find("/")
    for size in range(min((len(name) - slash - 1) // 2 + 1, 100), 4, -1):
        again = name[-size:]
        if again == name[-2 * size : -size] and len(name) - 2 * size > slash and any(map(str.isalpha, again)):
            return name[:-size]
    return name


def _cut_second_doi(name: str) -> str:
    return _cut_before(name, find_inner_doi(name)) if find_second_doi(name) else name


def _cut_before(name: str, at: int) -> str:
    """Return the name before the second one, without the slash or plus sign that joins the two."""
    first = name[:at]
    shorter = first.rstrip("/+")
    return shorter if "/" in shorter else first


def _remove_prefix_at_end(name: str) -> str:
    match = _PREFIX.search(name, name.find("/") + 2)
    own = match and match.group(1) == name.partition("/")[0]
    return name[: match.start()] if match and (own or match.group(2) in KNOWN) else name


REPETITION = (
    RepairRule(
        "repetition", Message("without the repetition"), _remove_repetition,
        (
            ("10.1111/joop.1212810.1111/joop.12128", "10.1111/joop.12128"),
            ("10.1038/nphys1170/10.1038/nphys1170", "10.1038/nphys1170"),
            ("10.1007/s11230-004-6348-4.http://dx.doi.org/10.1007/s11230-004-6348-4", "10.1007/s11230-004-6348-4."),
        ),
        "OpenCitations, invalid DOIs",
    ),
    RepairRule(
        "first", Message("the first of the two DOIs in it"), _cut_second_doi,
        (("10.1007/s40265-016-0657-110.1089/nat.2017.0682", "10.1007/s40265-016-0657-1"),),
        "OpenCitations: 8 of 2,927 are two run together",
    ),
    RepairRule(
        "repeated-end", Message("without the repetition at the end"), _remove_repeated_end,
        (("10.1101/cshperspect.a007732a007732", "10.1101/cshperspect.a007732"),),
        "OpenCitations, invalid DOIs",
    ),
    RepairRule(
        "repeated-prefix", Message("without the prefix at the end"), _remove_prefix_at_end,
        (("10.18502/keg.v1i1.499:10.18502", "10.18502/keg.v1i1.499"),),
        "OpenCitations, invalid DOIs",
    ),
)  # fmt: skip

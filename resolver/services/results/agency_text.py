"""A text for a Registration Agency with the DOIs to correct, in English, which all agencies read."""

import re
from dataclasses import dataclass
from itertools import islice

from resolver.domain.agencies.agency_contacts import find_contact
from resolver.domain.report.outcome import Outcome
from resolver.models import Job
from resolver.services.results.address_updates import AddressUpdate, ensure_audited, iterate_updates

# The text is copied into a form, so it has at most so many DOIs, about so many characters, and so many of an address.
MOST_DOIS = 200
MOST_CHARACTERS = 40_000
LONGEST_ADDRESS = 500
_INVISIBLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class AgencyText:
    """The text, the address to send it to ("" if unknown), and the number of DOIs that it lists."""

    text: str
    address: str
    listed: int


def write_agency_text(job: Job, agency: str, dois: int) -> AgencyText:
    """Return the text for the agency, which has `dois` DOIs to correct. Raise as `ensure_audited`."""
    ensure_audited(job)
    known = find_contact(agency)
    source = f"{job.proxy} (sample data)" if job.sample else job.proxy
    entries: list[str] = []
    days = []
    for one in islice(iterate_updates(job, agency=agency), MOST_DOIS):
        entry = ["", *_describe(one)]
        if sum(map(len, entries)) + sum(map(len, entry)) > MOST_CHARACTERS:
            break
        entries += entry
        days.append(one.answered_at)
    # The earliest: a stored answer may be a day older than the list.
    checked = min(filter(None, days), default=job.finished_at)
    lines = [
        f"To: {_replace_invisible(known.full or agency)}",
        "",
        "These DOIs don't lead to the address that we expect.",
        f"Checked on {f'{checked:%Y-%m-%d}' if checked else 'an unknown day'} (UTC) at {_replace_invisible(source)}.",
        "Please correct the addresses, or forward this to the registrant.",
        *entries,
    ]
    if len(days) < dois:
        lines += ["", f"This text lists {len(days):,} of {dois:,} DOIs."]
    return AgencyText("\n".join(lines) + "\n", known.address, len(days))


def _describe(one: AddressUpdate) -> list[str]:
    missing = "not registered" if one.outcome == Outcome.NOT_FOUND else "no web address"
    found = [f"  Found: {_replace_invisible(url)}" for url in one.urls[:3]] or [f"  Found: {missing}"]
    return [_replace_invisible(one.doi), *found, f"  Expected: {_replace_invisible(one.expected)}"]


def _replace_invisible(text: str) -> str:
    return _INVISIBLE.sub("\ufffd", text)[:LONGEST_ADDRESS]

"""The check of a DOI that a person enters instead of the proposed one."""

from datetime import datetime
from typing import NamedTuple

from doi_reading import Message
from resolver.domain.redirect.destination import NOWHERE
from resolver.domain.report.correction import REVIEWED
from resolver.domain.report.outcome import COULD_NOT_ASK, EXISTS, Outcome
from resolver.services.lookups.look_up import check_text
from resolver.services.proxy_answers.configured_proxy import DoiProxy


class UnusableDoi(ValueError):
    """The entered text is no registered DOI. The message is a sentence for the person."""


class DoiNotChecked(Exception):
    """The DOI proxy gave no usable answer about the DOI that a person entered. Nothing was stored."""


class TypedDoi(NamedTuple):
    """The entered DOI. `main_doi`: the main DOI of an alias, else ""."""

    doi: str
    main_doi: str = ""


_NO_ADDRESS = Message("This DOI has no web address, so its link doesn't open the document.")
_FAULTS = {
    "deleted": Message("This DOI is deleted: its link opens an agency's page for deleted DOIs."),
    "unsafe-url": Message("The address of this DOI isn't a web address, so its link doesn't open the document."),
    **dict.fromkeys(NOWHERE, Message("The record of this DOI leads nowhere, so its link doesn't open the document.")),
}


def check_typed_doi(text: str, *, proxy: DoiProxy, now: datetime) -> TypedDoi:
    """Return the DOI that the text names. It must be registered and have a web address. The text may be a link, but no
    part of it may be in doubt. An alias is returned as entered. Raises UnusableDoi, DoiNotChecked, and LookupPaused."""
    checked = check_text(text.strip(), proxy=proxy, now=now)
    reading, report = checked.reading, checked.report
    if report.outcome in COULD_NOT_ASK:
        raise DoiNotChecked(Message("We couldn't check this DOI: the DOI service didn't answer. Try again later."))
    if reading.doi is None or report.outcome == Outcome.INVALID:
        raise UnusableDoi(Message("This isn't a DOI. Enter a DOI such as 10.1000/182, or its link."))
    if report.outcome not in EXISTS:
        raise UnusableDoi(Message("This DOI isn't registered: {doi}", doi=str(reading.doi)))
    if not REVIEWED.isdisjoint(problem.code for problem in reading.problems):
        raise UnusableDoi(
            Message("We can't tell where the DOI in this text ends. Enter only the DOI, without a link or other text.")
        )
    codes = {problem.code for problem in report.problems}
    fault = next((sentence for code, sentence in _FAULTS.items() if code in codes), None)
    if fault or report.outcome != Outcome.RESOLVED:
        raise UnusableDoi(fault or _NO_ADDRESS)
    return TypedDoi(str(reading.doi), report.alias_of or "")

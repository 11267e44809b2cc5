"""A DOI that a person enters instead of the proposed one, checked at once."""

from datetime import datetime

from resolver.domain.message import Message
from resolver.domain.report.correction import REVIEWED
from resolver.domain.report.outcome import COULD_NOT_ASK, EXISTS, Outcome
from resolver.services.lookups.look_up import check_text
from resolver.services.proxy_answers.configured_proxy import DoiProxy


class UnusableDoi(ValueError):
    """What a person entered is no registered DOI. The text is the sentence for that person."""


class DoiNotChecked(Exception):
    """The DOI proxy gave no usable answer about the DOI that a person entered. Nothing was stored."""


def check_typed_doi(text: str, *, proxy: DoiProxy, now: datetime) -> str:
    """Return the registered DOI that the text names. It may be a link; nothing of the text may be in doubt.

    Raises UnusableDoi, DoiNotChecked, and LookupPaused.
    """
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
    return str(reading.doi)

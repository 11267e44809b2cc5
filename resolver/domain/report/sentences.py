"""The sentences of a report, for people."""

from resolver.domain.handle.record import Agency

UNTRIED = "What else it may mean could not be asked for at the DOI proxy, so check it again later."
UNASKED = "Some DOIs in this text weren't checked. Check again to continue; the answers so far are stored."


def failure_sentence(failure: str) -> str:
    """What to tell of a name that could not be asked for, so that nobody takes it for an answer."""
    return f"Could not ask: {failure}. Nothing was learned about this DOI, and it can be asked again."


def prefix_sentence(prefix: str, ra: str | None, status: str | None, *, suggested: bool = False) -> str:
    """Which part of a name that is not registered to suspect, by what Which RA says of the prefix, and whom to tell:
    nobody, where a suggestion shows that the fault is in the text at hand.
    """
    if ra:
        whom = "" if suggested else f"; tell {ra} or the publisher"
        return f"The prefix {prefix} is known: {ra} answers for it, so suspect the part after the slash{whom}."
    if Agency(prefix, status=status).exists is False:
        return f"Which RA does not know the prefix {prefix} either, so suspect the part before the slash first."
    if status:
        return f"Which RA does not tell whose the prefix {prefix} is ({status}), so either part may be wrong."
    return f"Whether the prefix {prefix} is known could not be asked, so either part may be wrong."

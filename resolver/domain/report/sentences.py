"""The sentences of a report, for people."""

from resolver.domain.handle.record import Agency
from resolver.domain.message import Message

UNTRIED = Message("What else it may mean could not be asked for at the DOI proxy, so check it again later.")
UNASKED = Message("Some DOIs in this text weren't checked. Check again to continue; the answers so far are stored.")


def failure_sentence(failure: Message) -> Message:
    """What to tell of a name that could not be asked for, so that nobody takes it for an answer."""
    return Message(
        "Could not ask: {failure}. Nothing was learned about this DOI, and it can be asked again.", failure=failure
    )


def prefix_sentence(prefix: str, ra: str | None, status: str | None, *, suggested: bool = False) -> Message:
    """Which part of a name that is not registered to suspect, by what Which RA says of the prefix, and whom to tell:
    nobody, where a suggestion shows that the fault is in the text at hand.
    """
    if ra and suggested:
        return Message(
            "The prefix {prefix} is known: {ra} answers for it, so suspect the part after the slash.",
            prefix=prefix,
            ra=ra,
        )
    if ra:
        return Message(
            "The prefix {prefix} is known: {ra} answers for it, so suspect the part after the slash; "
            "tell {ra} or the publisher.",
            prefix=prefix,
            ra=ra,
        )
    if Agency(prefix, status=status).exists is False:
        return Message(
            "Which RA does not know the prefix {prefix} either, so suspect the part before the slash first.",
            prefix=prefix,
        )
    if status:
        return Message(
            "Which RA does not tell whose the prefix {prefix} is ({status}), so either part may be wrong.",
            prefix=prefix,
            status=status,
        )
    return Message(
        "Whether the prefix {prefix} is known could not be asked, so either part may be wrong.", prefix=prefix
    )

"""The sentences of a report, for people."""

from resolver.domain.handle.record import Agency
from resolver.domain.message import Message

UNTRIED = Message("We couldn't check the other possible DOIs. Check this text again later.")
UNASKED = Message("Some DOIs in this text weren't checked. Check again to continue; the answers so far are stored.")


def failure_sentence(failure: Message) -> Message:
    """What to tell of a name that could not be asked for, so that nobody takes it for an answer."""
    return Message("Couldn't check: {failure}. This says nothing about the DOI. Check it again later.", failure=failure)


def prefix_sentence(prefix: str, ra: str | None, status: str | None, *, suggested: bool = False) -> Message:
    """Which part of a name that is not registered to suspect, by what Which RA says of the prefix, and whom to tell:
    nobody, where a suggestion shows that the fault is in the text at hand.
    """
    if ra and suggested:
        return Message(
            "The prefix {prefix} is known: it belongs to {ra}. The error is probably after the slash.",
            prefix=prefix,
            ra=ra,
        )
    if ra:
        return Message(
            "The prefix {prefix} is known: it belongs to {ra}. The error is probably after the slash. Contact "
            "{ra} or the publisher.",
            prefix=prefix,
            ra=ra,
        )
    if Agency(prefix, status=status).exists is False:
        return Message(
            "Which RA doesn't know the prefix {prefix} either. The error is probably before the slash.",
            prefix=prefix,
        )
    if status:
        return Message(
            "Which RA doesn't say who the prefix {prefix} belongs to ({status}). Either part may be wrong.",
            prefix=prefix,
            status=status,
        )
    return Message("We couldn't check whether the prefix {prefix} is known. Either part may be wrong.", prefix=prefix)

"""The sentences of a report, for people."""

from doi_reading import Message
from doi_reading.message import join_messages
from resolver.domain.handle.answers import WhichRaAnswer

UNTRIED = Message("We couldn't check the other possible DOIs. Check this text again later.")
DOUBTFUL = Message(
    "The suggestion is a guess: it is registered, but it may not be the DOI that is meant. "
    "Check it against the publication."
)
NOT_PART = Message("The rest of the text isn't part of a registered DOI.")
UNASKED = Message("Some DOIs in this text weren't checked. Check again to continue; the answers so far are stored.")

AGENCY_UNASKED = Message("The agency couldn't be checked. Check again later.")
WORK_UNASKED = Message("The agency couldn't be asked for title and author. Check again later.")
PART_UNASKED = Message(
    "We couldn't check everything, such as another DOI in the text, the DOI to which the record leads or the "
    "registered title. Check again later."
)


def build_agency_sentence(ra: str | None, status: str | None, *, incomplete: bool) -> Message | None:
    """Return what is unknown of a registered name: its agency, or another part. None if nothing is."""
    if status and not ra:
        return Message("Which RA says “{status}” and names no agency.", status=status)
    if not incomplete:
        return None
    return PART_UNASKED if ra else AGENCY_UNASKED


def build_failure_sentence(failure: Message) -> Message:
    """Return the sentence about a name that couldn't be checked: it must not look like an answer."""
    return Message("Couldn't check: {failure}. This says nothing about the DOI. Check it again later.", failure=failure)


def build_prefix_sentence(prefix: str, ra: str | None, status: str | None, *, suggested: bool = False) -> Message:
    """Return which part of an unregistered name is probably wrong, by what Which RA says about its prefix, and who to
    contact. With a suggestion no contact is needed: the error is in the text."""
    if ra:
        known = Message(
            "The prefix {prefix} is known: it belongs to {ra}. The error is probably after the slash.",
            prefix=prefix, ra=ra,
        )  # fmt: skip
        return known if suggested else join_messages(" ", known, Message("Contact {ra} or the publisher.", ra=ra))
    if WhichRaAnswer(prefix, status=status).exists is False:
        return Message(
            "Which RA doesn't know the prefix {prefix} either. The error is probably before the slash.", prefix=prefix
        )
    if status:
        return Message(
            "Which RA doesn't say who the prefix {prefix} belongs to ({status}). Either part may be wrong.",
            prefix=prefix,
            status=status,
        )
    return Message("We couldn't check whether the prefix {prefix} is known. Either part may be wrong.", prefix=prefix)


def add_duplicate_note(messages: str, number: int | None) -> str:
    """Return the messages with the number of the row with the same DOI name, if there is one."""
    if number is None:
        return messages
    return " ".join(filter(None, (f"Row {number} of the list has the same DOI name.", messages)))

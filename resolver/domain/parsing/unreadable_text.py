"""A text over which the portal itself stumbled: so nothing is known of what it means."""

from dataclasses import dataclass

from resolver.domain.message import Message
from resolver.domain.parsing.reading import Reading
from resolver.domain.problems.problem import problem

OUR_FAULT = Message("an error in this portal (details are in its log)")


@dataclass(frozen=True)
class Unread(Reading):
    """What stands in the place of a reading. It is judged as one that could not be asked for, not as an invalid one."""

    form: str = "none"

    @classmethod
    def of(cls, text: str) -> "Unread":
        """What stands for this text, and says so: the problem `not-read`."""
        return cls(text, problems=(problem("not-read", 0, len(text)),))

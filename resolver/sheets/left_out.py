"""What can't be written into a file, and why."""

from collections.abc import Callable
from dataclasses import dataclass

from doi_reading import Message


class NotWritable(ValueError):
    """A value can't be put into this place. `reason` is plain text for people."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A DOI name that the file can't hold in that place: its row, the record (its identifier, else its number; "" in a
    table), the field or column, the present text, and the reason."""

    number: int
    record: str
    field: str
    text: str
    name: str
    reason: Message


Leave = Callable[[LeftOut], object]

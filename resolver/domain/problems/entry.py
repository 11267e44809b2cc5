"""One problem of the catalogue, as it is known before any text has it."""

import string
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property


class Severity(StrEnum):
    """How much a problem matters to the reader who clicks."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True)
class Entry:
    """What the catalogue knows of one code; `title` is its name for people, at most 40 characters;
    `sentence` may have {details}, `advice` is short.

    `example` is a text that has the problem: when it is read, or for a problem of the record, when it is looked up at
    the sample proxy. It is '' where no text could stand on a page.
    """

    code: str
    severity: Severity
    title: str
    sentence: str
    clause: str
    advice: str
    example: str

    @cached_property
    def details(self) -> frozenset[str]:
        """The names of what the sentence is to be filled with."""
        return frozenset(name for _, name, _, _ in string.Formatter().parse(self.sentence) if name)

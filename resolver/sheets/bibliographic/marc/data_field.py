"""A field of a MARC record with its subfields."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from doi_reading import Message
from resolver.sheets.bibliographic.record import Span


@dataclass(frozen=True, slots=True)
class Subfield:
    """A subfield of a data field, without white space at both ends."""

    code: str
    text: str
    spans: tuple[Span, ...]
    encode: Callable[[str], bytes]
    reason: Message | None = None


@dataclass(frozen=True, slots=True)
class DataField:
    """A data field, or a control field, whose one subfield has the code ""."""

    tag: str
    first_indicator: str
    subfields: Sequence[Subfield]

    def find_first(self, code: str) -> str:
        """Return the text of the first subfield with this code, "" if there is none."""
        return next((each.text for each in self.subfields if each.code == code), "")

    def list_texts(self, code: str) -> list[str]:
        """Return the texts of the subfields with this code."""
        return [each.text for each in self.subfields if each.code == code]

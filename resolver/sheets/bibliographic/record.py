"""What every reader of a bibliographic format gives: records, and in each the places that hold a DOI."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO, Literal, Protocol

from doi_reading import Message

MOST_BYTES = 8 << 20
"""Bytes of one record. A longer one is unreadable."""
MOST_PLACES = 200
"""Places of one record that are read."""

Refusal = tuple[str, Message, Message]
"""How a text begins, as a regular expression; what it is; and what helps."""
SAVE_IN_UTF_8 = Message("Save it in the encoding UTF-8, or export it again.")
"""What helps with a file in an encoding that isn't read."""

Role = Literal["name", "url", "note"]
"""What a field is for: a DOI name, an address, or text in which a DOI stands."""
Span = tuple[int, int]
"""First byte and the byte after the last, counted from the start of the (unpacked) file."""


class NotWritable(ValueError):
    """A value can't be put into this place. `reason` is plain text for people."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Place:
    """A text that holds a DOI, and the bytes that it stands in.

    A text may be split over several `spans`: a new one goes into the first, and the others become empty. `encode`
    returns a text as bytes of this place, and raises NotWritable. `reason` says why nothing may be written here.
    """

    field: str
    text: str
    spans: tuple[Span, ...]
    role: Role
    encode: Callable[[str], bytes]
    reason: Message | None = None


@dataclass(frozen=True, slots=True)
class BibliographicRecord:
    """A record from byte `start` to before byte `end`, with what tells a person which work it is about.

    `name` is its identifier in the file, "" if it has none. A record with a `fault` can't be read; it has no places.
    """

    start: int
    end: int
    name: str = ""
    title: str = ""
    author: str = ""
    year: str = ""
    places: Sequence[Place] = ()
    fault: Message | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """New bytes for those from `start` to before `end`."""

    start: int
    end: int
    new: bytes


def splice(raw: bytes, first: int, edits: Sequence[Edit]) -> bytes:
    """Return `raw`, which begins at byte `first` of the file, with the edits, which are in order, made."""
    pieces, at = [], first
    for edit in edits:
        pieces += [raw[at - first : edit.start - first], edit.new]
        at = edit.end
    pieces.append(raw[at - first :])
    return b"".join(pieces)


class RecordFormat(Protocol):
    """One format of bibliographic files."""

    @property
    def kind(self) -> str:
        """Its word in the REST interface."""
        ...

    @property
    def label(self) -> str:
        """Its name for people."""
        ...

    @property
    def endings(self) -> tuple[str, ...]:
        """The endings of its files' names, the usual one first."""
        ...

    @property
    def media_types(self) -> tuple[str, ...]:
        """Its media types in the REST interface."""
        ...

    @property
    def refusal(self) -> Refusal | None:
        """What is said of a file of this format in an encoding that isn't read."""
        ...

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that are read, as people name them."""
        ...

    def begins(self, head: bytes) -> bool:
        """Return whether a file that begins with these bytes is of this format."""
        ...

    def read(self, stream: BinaryIO, fields: frozenset[str]) -> Iterator[BibliographicRecord]:
        """Yield the records in order, with the places in these fields. Raises UnreadableFile."""
        ...

    def rebuild(self, raw: bytes, first: int, edits: Sequence[Edit]) -> bytes:
        """Return the bytes of a record with the edits made. Raises NotWritable."""
        ...

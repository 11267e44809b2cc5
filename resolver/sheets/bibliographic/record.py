"""Records of bibliographic files, the places in them that hold a DOI, and what every format has in common."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import BinaryIO, Literal

from doi_reading import Message
from resolver.domain.work.row_work import RowWork
from resolver.sheets.left_out import NotWritable

# Bounds on one record, and on what is read of it.
MAX_RECORD_BYTES = 8 << 20
MAX_RECORD_PLACES = 200
MAX_RECORD_PARTS = 20_000  # subfields of MARC, pieces of BibTeX values, XML elements with text
MAX_SHOWN_CHARACTERS = 300  # of an identifier, a title, a name and so on
READ_BYTES = 1 << 16  # of a file at a time

RECORD_TOO_LONG = Message("The record is longer than {count} bytes.", count=MAX_RECORD_BYTES)
SAVE_IN_UTF_8 = Message("Save it in the encoding UTF-8, or export it again.")
"""The remedy for a file in an encoding that isn't read."""
CSV_ONLY = Message("The found DOI can't be added to this format. Take it from the CSV file.")
TAKEN = Message("The record has a value here that we don't read. Look at it, and add the DOI by hand.")

NO_WORK = RowWork()
Refusal = tuple[str, Message, Message]
"""A regular expression for the beginning of a text, what the text is, and the remedy."""
Role = Literal["name", "url", "note"]
"""The content of a field: a DOI name, an address, or text with a DOI in it."""
Span = tuple[int, int]
"""First byte and the byte after the last, counted from the start of the (unpacked) file."""


@dataclass(frozen=True, slots=True)
class Place:
    """A text that holds a DOI. It may be split over several `spans`: a new one goes into the first, and the others
    become empty. `encode` returns a text as bytes of this place, and raises NotWritable. `reason` says why nothing may
    be written here."""

    field: str
    text: str
    spans: tuple[Span, ...]
    role: Role
    encode: Callable[[str], bytes]
    reason: Message | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """New bytes for those from `start` to before `end`."""

    start: int
    end: int
    new: bytes


@dataclass(frozen=True, slots=True)
class MissingDoi:
    """The DOI of a record that has no place for one. It goes into `field`. `add` takes the bytes of the record and the
    name, and returns the edit, counted from the start of the record. It raises NotWritable. `reason` says why no name
    can be added."""

    field: str
    add: Callable[[bytes, str], Edit]
    reason: Message | None = None


@dataclass(frozen=True, slots=True)
class BibliographicRecord:
    """A record from byte `start` to before byte `end`, with what it says of its work. `name` is its identifier in the
    file, "" if it has none. A record with a `fault` can't be read; it has no places. One without places that can be
    read has a `missing` DOI."""

    start: int
    end: int
    name: str = ""
    work: RowWork = NO_WORK
    places: Sequence[Place] = ()
    fault: Message | None = None
    missing: MissingDoi | None = None


def refuse_doi(field: str, reason: Message = CSV_ONLY) -> MissingDoi:
    """Return the missing DOI of a record into which none can be written."""
    return MissingDoi(field, partial(_refuse, reason), reason)


def _refuse(reason: Message, raw: bytes, name: str) -> Edit:
    raise NotWritable(reason)


def splice(raw: bytes, first: int, edits: Sequence[Edit]) -> bytes:
    """Return `raw`, which begins at byte `first` of the file, with the edits made. They are in order."""
    pieces, at = [], first
    for edit in edits:
        pieces += [raw[at - first : edit.start - first], edit.new]
        at = edit.end
    pieces.append(raw[at - first :])
    return b"".join(pieces)


def find_link_fields(roles: Mapping[str, Role]) -> frozenset[str]:
    """Return the fields that aren't meant for DOI names."""
    return frozenset(field for field, role in roles.items() if role != "name")


class RecordFormat(ABC):
    """One format of bibliographic files.

    `kind` is its word in REST, `label` its name for people. `endings` of file names begin with the usual one. `refusal`
    is of a file of this format in an encoding that isn't read. `fields` are those that are read, as people name them;
    `link_fields` are those of them for addresses and notes, in which a link to a publisher is as it should be.
    """

    kind: str
    label: str
    endings: tuple[str, ...]
    media_types: tuple[str, ...] = ()
    refusal: Refusal | None = None
    fields: tuple[str, ...]
    link_fields: frozenset[str] = frozenset()
    start: re.Pattern[bytes]
    """The beginning of a file of this format."""

    def begins(self, head: bytes) -> bool:
        """Return whether a file that begins with these bytes is of this format."""
        return bool(self.start.match(head))

    @abstractmethod
    def read(self, stream: BinaryIO, fields: frozenset[str]) -> Iterator[BibliographicRecord]:
        """Yield the records in order, with the places in these fields. Raises UnreadableFile."""

    def rebuild(self, raw: bytes, first: int, edits: Sequence[Edit]) -> bytes:
        """Return the bytes of a record with the edits made. Raises NotWritable."""
        return splice(raw, first, edits)

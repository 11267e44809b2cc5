"""The texts of the records of an XML file, with their byte spans."""

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO
from xml.parsers import expat
from xml.sax.saxutils import escape

from doi_reading import Message
from resolver.sheets.bibliographic.record import MAX_RECORD_BYTES, MAX_RECORD_PARTS, READ_BYTES, RECORD_TOO_LONG, Span
from resolver.sheets.errors import UnreadableFile
from resolver.sheets.left_out import NotWritable

PROLOG = rb"(?:\xef\xbb\xbf)?\s{0,1000}+(?:<\?[^>]{0,500}+>\s{0,1000}+|<!--[^>]{0,2000}+>\s{0,1000}+){0,10}+"
"""A pattern of all that may precede the first element: byte order mark, declaration, comments."""
_MAX_DEPTH = 50
_MAX_TAG_BYTES = 1 << 20
_CDATA = re.compile(rb"<!\[CDATA\[[^<]{0,10000}\]\]>")
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_DOCTYPE = Message("The file has a document type definition (DOCTYPE). Remove it, or export the file again.")
_UTF_16 = Message("The file is in UTF-16. Save it as UTF-8.")
_UNKNOWN_ENCODING = Message("The file names an encoding that we don't know. Save it as UTF-8.")
MIXED = Message("There are other tags inside the value. Change it by hand.")


@dataclass(frozen=True, slots=True)
class Leaf:
    """An element with text, as it is written with its white space. The text begins at byte `first`, and `span` is None
    if it is not in one piece.

    `path` has the names from below the record down to it, without namespace prefixes, `attributes` those of each. Each
    element has a `number` of its own, and `parent` is that of the one around it.
    """

    path: tuple[str, ...]
    attributes: tuple[Mapping[str, str], ...]
    number: int
    parent: int
    text: str
    first: int
    span: Span | None


@dataclass(frozen=True, slots=True)
class XmlRecord:
    """The leaves of a record, in order."""

    start: int
    end: int
    leaves: Sequence[Leaf]
    fault: Message | None = None


@dataclass(slots=True)
class _Open:
    name: str
    attributes: Mapping[str, str]
    number: int
    text: io.StringIO = field(default_factory=io.StringIO)
    start: int | None = None


class _Collector:
    def __init__(self, record: str) -> None:
        self._record = record
        self._open: list[_Open] = []
        self._leaves: list[Leaf] = []
        self._began: int | None = None
        self._raw = b""
        self._base = 0
        self._count = 0
        self._too_long = False
        self._empty = False
        self._fed = 0
        self.done: list[XmlRecord] = []
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._add_characters
        self.parser.StartCdataSectionHandler = self._set_start
        self.parser.StartDoctypeDeclHandler = self._refuse_doctype

    def feed(self, piece: bytes) -> None:
        """Parse the next bytes; none at the end."""
        kept = self._base + len(self._raw) if self._began is None else max(self._began, self._base)
        self._raw, self._base = self._raw[kept - self._base :], kept
        if len(self._raw) > MAX_RECORD_BYTES:
            self._too_long = True
            self._base += len(self._raw)
            self._raw, self._leaves = b"", []
            for each in self._open:
                each.text, each.attributes = io.StringIO(), {}
        self._raw += piece
        self.parser.Parse(piece, not piece)
        self._fed += len(piece)
        if self._fed - self.parser.CurrentByteIndex > _MAX_TAG_BYTES:
            # The parser would read it from its beginning again with each piece.
            reason = Message("A tag or a comment is longer than {count} bytes.", count=_MAX_TAG_BYTES)
            raise UnreadableFile(reason, self.parser.CurrentLineNumber)

    def _refuse_doctype(self, *_: Any) -> None:
        raise UnreadableFile(_DOCTYPE, self.parser.CurrentLineNumber)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition(":")[2]
        if self._began is None:
            if name != self._record:
                return
            self._began, self._leaves, self._open, self._too_long = self.parser.CurrentByteIndex, [], [], False
            self._empty = True
            return
        self._empty = False
        if len(self._open) >= _MAX_DEPTH:
            deep = Message("More than {count} elements are nested in one another.", count=_MAX_DEPTH)
            raise UnreadableFile(deep, self.parser.CurrentLineNumber)
        self._count += 1
        self._open.append(_Open(name, {} if self._too_long else attributes, self._count))

    def _set_start(self) -> None:
        if self._open and self._open[-1].start is None:
            self._open[-1].start = self.parser.CurrentByteIndex

    def _add_characters(self, text: str) -> None:
        self._empty = False
        if self._open and not self._too_long:
            self._set_start()
            self._open[-1].text.write(text)

    def _end(self, tag: str) -> None:
        if self._began is None:
            return
        if not self._open:
            self._end_record(len(tag))
            return
        closed = self._open.pop()
        text = closed.text.getvalue()
        if text.strip() and closed.start is not None and not self._too_long and len(self._leaves) < MAX_RECORD_PARTS:
            path = (*(each.name for each in self._open), closed.name)
            attributes = (*(each.attributes for each in self._open), closed.attributes)
            parent = self._open[-1].number if self._open else 0
            span = self._find_span(closed.start)
            self._leaves.append(Leaf(path, attributes, closed.number, parent, text, closed.start, span))

    def _end_record(self, name_length: int) -> None:
        at = self.parser.CurrentByteIndex
        started = self._began or 0
        close = self._raw.find(b">", at - self._base) if at >= self._base else -1
        end = self._base + close + 1 if close >= 0 else at + name_length + 3
        if self._empty and self._raw[max(at - self._base - 2, 0) : max(at - self._base, 0)] == b"/>":
            end = at  # a tag that closes itself
        if self._too_long:
            self.done.append(XmlRecord(started, end, (), RECORD_TOO_LONG))
        else:
            self.done.append(XmlRecord(started, end, self._leaves))
        self._began = None

    def _find_span(self, start: int) -> Span | None:
        """Return the span from there to the end tag, without white space, if it has nothing but text."""
        raw = self._raw[start - self._base : self.parser.CurrentByteIndex - self._base]
        kept = raw.strip()
        if b"<" in kept and not _CDATA.fullmatch(kept):
            return None
        first = start + len(raw) - len(raw.lstrip())
        return first, first + len(kept)


def read_xml_records(stream: BinaryIO, record: str) -> Iterator[XmlRecord]:
    """Yield the elements of that name, without the namespace prefix, in order. Raises UnreadableFile with line and
    column for what is not well-formed, and for a DOCTYPE."""
    collector = _Collector(record)
    first = True
    while True:
        piece = stream.read(READ_BYTES)
        if first and piece.startswith((b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<")):
            raise UnreadableFile(_UTF_16)
        first = False
        try:
            collector.feed(piece)
        except expat.ExpatError as error:
            reason = Message(
                "The XML is not well-formed at column {column}: {reason}. Export the file again.",
                column=error.offset + 1,
                reason=expat.ErrorString(error.code),
            )
            raise UnreadableFile(reason, error.lineno) from error
        except (LookupError, ValueError) as error:  # expat knows no encoding of several bytes but UTF-8 and UTF-16
            raise UnreadableFile(_UNKNOWN_ENCODING) from error
        yield from collector.done
        collector.done.clear()
        if not piece:
            return


def encode_xml(text: str) -> bytes:
    """Return a text as XML in any encoding. Raises NotWritable for a character that XML can't hold."""
    return escape_xml(text).encode("ascii", "xmlcharrefreplace")


def escape_xml(text: str) -> str:
    """Return a text as XML. Raises NotWritable for a character that XML can't hold."""
    if odd := _NO_XML.search(text):
        raise NotWritable(Message("XML can't hold the character U+{code}.", code=f"{ord(odd.group()):04X}"))
    return escape(text, {"\r": "&#13;"})

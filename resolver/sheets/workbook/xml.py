"""XML read as a stream: elements are told as they come, and nothing is kept of them."""

import sys
from collections.abc import Callable, Iterator
from typing import Protocol, TypeVar
from xml.parsers import expat

from resolver.domain.message import Message
from resolver.sheets.errors import ScanLimitReached, UnreadableFile

BLOCK = 1 << 16
# What the parser holds back until it is complete, and looks through anew with every block: a tag or a comment longer
# than this is in no sheet.
_LONGEST_TOKEN = 1 << 20
# The parser keeps each open element, and each name that it has ever met; sheets have some ten of the one and some
# hundred of the other.
_DEEPEST = 100
_MOST_NAMES = 10_000
_LONGEST_PART = 100
# Those that the parser knows by itself; for others it asks for any codec by that name.
_ENCODINGS = frozenset({"utf-8", "utf-16", "utf-16le", "utf-16be", "iso-8859-1", "us-ascii"})

Start = Callable[[str, dict[str, str]], None]
End = Callable[[str], None]
Text = Callable[[str], None]
Item = TypeVar("Item")


class _LocalNames(dict[str, str]):
    """Names without their namespace, found once each."""

    def __missing__(self, name: str) -> str:
        found = self[name] = name.rpartition(" ")[2]
        return found


class Bytes(Protocol):
    """Whatever gives bytes."""

    def read(self, size: int, /) -> bytes:
        """The next bytes, none at the end."""
        ...


class XmlStream:
    """A parser that is fed by `read`; elements and attributes come as "namespace name".

    `local[name]` is the name alone: programs choose (strict or transitional) namespaces as they like, but the local
    names are one set. It is looked up by whoever is told, since a call more for each of some ten million is felt.
    `fed` is how many bytes are read.
    A document type is refused: it may define entities that unfold without end, and no sheet has one. So are elements
    within elements without end, and endless names.
    """

    def __init__(self, stream: Bytes, part: str) -> None:
        self._stream = stream
        self._part = part
        self.fed = 0
        self._ended = False
        self._prefixes: set[str | None] = set()
        self._names: dict[str, str] = {}
        self.local = _LocalNames()
        self._parser = expat.ParserCreate(namespace_separator=" ", intern=self._names)
        self._parser.buffer_text = True
        self._parser.buffer_size = BLOCK
        self._parser.XmlDeclHandler = self._refuse_encoding
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype
        self._parser.StartNamespaceDeclHandler = self._count_prefix

    def tell(self, start: Start, end: End | None = None) -> None:
        """Whom to tell of each element's start (name, attributes) and end."""
        depth = 0

        def deeper(name: str, attributes: dict[str, str]) -> None:
            nonlocal depth
            depth += 1
            if depth > _DEEPEST:
                raise damaged(self._part, Message("its elements are nested more than {count} deep", count=_DEEPEST))
            start(name, attributes)

        def back(name: str) -> None:
            nonlocal depth
            depth -= 1
            if end is not None:
                end(name)

        self._parser.StartElementHandler = deeper
        self._parser.EndElementHandler = back

    def tell_text(self, text: Text | None) -> None:
        """Whom to tell of text from here on; None: nobody."""
        self._parser.CharacterDataHandler = text

    def read(self) -> bool:
        """Parse the next block; whether there was one. Raises UnreadableFile where the XML is broken."""
        if self._ended:
            return False
        block = self._stream.read(BLOCK)
        self._ended = not block
        self.fed += len(block)
        try:
            self._parser.Parse(block, self._ended)
        except expat.ExpatError as error:
            raise damaged(self._part) from error
        if self.fed - self._parser.CurrentByteIndex > _LONGEST_TOKEN:
            raise damaged(self._part, Message("it has a tag of more than {count} bytes", count=_LONGEST_TOKEN))
        if len(self._names) > _MOST_NAMES:
            raise _too_many_names(self._part)
        return True

    def _refuse_encoding(self, _: str, encoding: str | None, __: int) -> None:
        if encoding and encoding.lower() not in _ENCODINGS:
            raise damaged(self._part, Message("it says that its encoding is “{encoding}”", encoding=encoding[:20]))

    def _refuse_doctype(self, *_: object) -> None:
        raise damaged(self._part, Message("it has a document type"))

    def _count_prefix(self, prefix: str | None, _: str) -> None:
        self._prefixes.add(prefix)
        if len(self._prefixes) > _MOST_NAMES:
            raise _too_many_names(self._part)


def finished(xml: XmlStream, done: list[Item], after_block: Callable[[], int], patience: int) -> Iterator[Item]:
    """What whoever is told puts into `done`, block by block; what was done before a fault is not lost with it.

    `after_block` gives the line that the file has come to: a fault that has none gets that.
    Raises ScanLimitReached where `patience` bytes bring nothing.
    """
    going = True
    last = 0
    while going:
        fault: UnreadableFile | None = None
        try:
            going = xml.read()
        except UnreadableFile as error:
            fault = error
        line = after_block()
        if done:
            last = xml.fed
        yield from done
        done.clear()
        if fault:
            if fault.line or not line:
                raise fault
            raise UnreadableFile(fault.reason, line) from fault
        if xml.fed - last > patience:
            raise ScanLimitReached


def elements(stream: Bytes, part: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the local name and the attributes of each element of a part whose text is not needed."""
    xml = XmlStream(stream, part)
    started: list[tuple[str, dict[str, str]]] = []
    xml.tell(lambda name, attributes: started.append((xml.local[name], attributes)))
    return finished(xml, started, lambda: 0, sys.maxsize)


class Damaged(UnreadableFile):
    """A part of a workbook cannot be read."""


def damaged(part: str, why: Message | None = None) -> Damaged:
    """The refusal of a workbook with a part that cannot be read."""
    named = part[:_LONGEST_PART]
    told = Message("{part} cannot be read", part=named)
    if why:
        told = Message("{part} cannot be read: {why}", part=named, why=why)
    return Damaged(Message("The workbook is damaged ({why}). Save it again as XLSX or as CSV.", why=told))


def _too_many_names(part: str) -> UnreadableFile:
    return damaged(part, Message("it has more than {count} names of elements and attributes", count=_MOST_NAMES))

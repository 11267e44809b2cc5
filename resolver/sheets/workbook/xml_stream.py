"""XML read as a stream: handlers are called for each element, and nothing is kept."""

import sys
from collections.abc import Callable, Iterator, Sized
from typing import TypeVar
from xml.parsers import expat

from doi_reading import Message
from resolver.sheets.errors import ScanLimitReached, UnreadableFile
from resolver.sheets.workbook.workbook_archive import READ_BYTES

# The parser holds an incomplete tag or comment back, and reads it again with every block. No sheet has longer ones.
_MAX_TAG_BYTES = 1 << 20
# The parser keeps each open element, and each name that it has ever met. Sheets have some ten elements open, and some
# hundred names.
_MAX_DEPTH = 100
_MAX_NAMES = 10_000
# The encodings that the parser knows. For others it would look for any codec by that name.
_ENCODINGS = frozenset({"utf-8", "utf-16", "utf-16le", "utf-16be", "iso-8859-1", "us-ascii"})

Item = TypeVar("Item")


class DamagedPart(UnreadableFile):
    """A part of a workbook can't be read. `why` is the rest of a sentence."""

    def __init__(self, part: str, why: Message | None = None) -> None:
        named = part[:100]
        what = Message("{part} cannot be read", part=named)
        what = Message("{part} cannot be read: {why}", part=named, why=why) if why else what
        super().__init__(Message("The workbook is damaged ({why}). Save it again as XLSX or as CSV.", why=what))


class _LocalNames(dict[str, str]):
    """Names without their namespace, by the full name."""

    def __missing__(self, name: str) -> str:
        found = self[name] = name.rpartition(" ")[2]
        return found


class XmlStream:
    """A parser that is fed the blocks of a part by `read`. Handlers get elements and attributes as "namespace name".

    `local[name]` is the name alone, the same in strict and transitional namespaces. The handlers look it up, as a call
    for each of some ten million would take time. `fed` is the number of bytes read. Refused are a document type, which
    may define entities that unfold without end, endless nesting and endless names. No sheet has these.
    """

    def __init__(self, blocks: Iterator[bytes], part: str) -> None:
        self._blocks = blocks
        self._part = part
        self.fed = 0
        self._ended = False
        self._prefixes: set[str | None] = set()
        self._names: dict[str, str] = {}
        self.local = _LocalNames()
        self._parser = expat.ParserCreate(namespace_separator=" ", intern=self._names)
        self._parser.buffer_text = True
        self._parser.buffer_size = READ_BYTES
        self._parser.XmlDeclHandler = self._refuse_encoding
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype
        self._parser.StartNamespaceDeclHandler = self._count_prefix

    def handle_elements(
        self, start: Callable[[str, dict[str, str]], None], end: Callable[[str], None] | None = None
    ) -> None:
        """Set the handlers of each element's start (name, attributes) and end."""
        depth = 0

        def go_deeper(name: str, attributes: dict[str, str]) -> None:
            nonlocal depth
            depth += 1
            if depth > _MAX_DEPTH:
                reason = Message("its elements are nested more than {count} deep", count=_MAX_DEPTH)
                raise DamagedPart(self._part, reason)
            start(name, attributes)

        def go_back(name: str) -> None:
            nonlocal depth
            depth -= 1
            if end is not None:
                end(name)

        self._parser.StartElementHandler = go_deeper
        self._parser.EndElementHandler = go_back

    def handle_text(self, text: Callable[[str], None] | None) -> None:
        """Set the handler of text from here on, or none."""
        self._parser.CharacterDataHandler = text

    def read(self) -> bool:
        """Parse the next block. Return whether there was one. Raises UnreadableFile if the XML is broken."""
        if self._ended:
            return False
        block = next(self._blocks, b"")
        self._ended = not block
        self.fed += len(block)
        try:
            self._parser.Parse(block, self._ended)
        except expat.ExpatError as error:
            raise DamagedPart(self._part) from error
        if self.fed - self._parser.CurrentByteIndex > _MAX_TAG_BYTES:
            raise DamagedPart(self._part, Message("it has a tag of more than {count} bytes", count=_MAX_TAG_BYTES))
        self._limit_names(self._names)
        return True

    def _refuse_encoding(self, _: str, encoding: str | None, __: int) -> None:
        if encoding and encoding.lower() not in _ENCODINGS:
            raise DamagedPart(self._part, Message("it says that its encoding is “{encoding}”", encoding=encoding[:20]))

    def _refuse_doctype(self, *_: object) -> None:
        raise DamagedPart(self._part, Message("it has a document type"))

    def _count_prefix(self, prefix: str | None, _: str) -> None:
        self._prefixes.add(prefix)
        self._limit_names(self._prefixes)

    def _limit_names(self, names: Sized) -> None:
        if len(names) > _MAX_NAMES:
            too_many = Message("it has more than {count} names of elements and attributes", count=_MAX_NAMES)
            raise DamagedPart(self._part, too_many)


def parse_items(xml: XmlStream, done: list[Item], after_block: Callable[[], int], patience: int) -> Iterator[Item]:
    """Yield the items that the handlers put into `done`, block by block, also those before a fault. For a fault without
    a line `after_block` returns the last one. Raises ScanLimitReached after `patience` bytes without an item."""
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


def iterate_elements(blocks: Iterator[bytes], part: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the local name and the attributes of each element of a part whose text is not needed."""
    xml = XmlStream(blocks, part)
    started: list[tuple[str, dict[str, str]]] = []
    xml.handle_elements(lambda name, attributes: started.append((xml.local[name], attributes)))
    return parse_items(xml, started, lambda: 0, sys.maxsize)

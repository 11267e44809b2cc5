"""XML read as a stream: elements are told as they come, and nothing is kept of them."""

from collections.abc import Callable
from typing import Protocol
from xml.parsers import expat

from resolver.sheets.unreadable import UnreadableFile

BLOCK = 1 << 16
# What the parser holds back until it is complete: a tag or a comment longer than this is in no sheet.
_LONGEST_TOKEN = 8 << 20

Start = Callable[[str, dict[str, str]], None]
End = Callable[[str], None]
Text = Callable[[str], None]


class _LocalNames(dict[str, str]):
    """Names without their namespace, found once each; a file with endless names is not to fill the memory."""

    def __missing__(self, name: str) -> str:
        found = name.rpartition(" ")[2]
        if len(self) < 1_000:
            self[name] = found
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
    A document type is refused: it may define entities that unfold without end, and no sheet has one.
    """

    def __init__(self, stream: Bytes, part: str) -> None:
        self._stream = stream
        self._part = part
        self._fed = 0
        self._ended = False
        self.local = _LocalNames()
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.buffer_text = True
        self._parser.buffer_size = BLOCK
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype

    def tell(self, start: Start, end: End | None) -> None:
        """Whom to tell of each element's start (name, attributes) and end."""
        self._parser.StartElementHandler = start
        self._parser.EndElementHandler = end

    def tell_text(self, text: Text | None) -> None:
        """Whom to tell of text from here on; None: nobody."""
        self._parser.CharacterDataHandler = text

    def read(self) -> bool:
        """Parse the next block; whether there was one. Raises UnreadableFile where the XML is broken."""
        if self._ended:
            return False
        block = self._stream.read(BLOCK)
        self._ended = not block
        self._fed += len(block)
        try:
            self._parser.Parse(block, self._ended)
        except expat.ExpatError as error:
            raise damaged(self._part) from error
        if self._fed - self._parser.CurrentByteIndex > _LONGEST_TOKEN:
            raise damaged(self._part)
        return True

    def read_all(self) -> None:
        """Parse to the end."""
        while self.read():
            pass

    def _refuse_doctype(self, *_: object) -> None:
        raise damaged(self._part)


def damaged(part: str) -> UnreadableFile:
    """The refusal of a workbook with a part that cannot be read."""
    return UnreadableFile(f"The workbook is damaged ({part} cannot be read). Save it again as XLSX or as CSV.")

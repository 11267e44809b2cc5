"""Read untrusted XML as a flat list of plain elements, bounded, without expanding or fetching anything (L6)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NoReturn
from xml.parsers import expat

from doi_reading import Message
from doi_reading.message import UnusableInput

MAX_BYTES = 64 * 1024
MAX_ELEMENTS = 300  # one for each country of the world, and some more; each may hold the name, which may be long
MAX_ATTRIBUTES = 64
MAX_DEPTH = 16


class UnreadableXml(UnusableInput):
    """The text is no XML of plain elements, or more of it than is read; the message says why."""


@dataclass(slots=True)
class Element:
    """One element: its depth (the root has 0), its name, its attributes, and the text directly in it."""

    depth: int
    name: str
    attributes: Mapping[str, str]
    text: str = ""


class _Elements:
    """The elements found so far. Its methods are the handlers of the parser."""

    def __init__(self) -> None:
        self.found: list[Element] = []
        self._open: list[Element] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self._open) >= MAX_DEPTH:
            raise UnreadableXml(Message("its elements are nested more than {count} deep", count=MAX_DEPTH))
        if len(self.found) >= MAX_ELEMENTS:
            raise UnreadableXml(Message("it has more than {count} elements", count=MAX_ELEMENTS))
        if len(attributes) > MAX_ATTRIBUTES:
            raise UnreadableXml(Message("an element has more than {count} attributes", count=MAX_ATTRIBUTES))
        element = Element(len(self._open), name, attributes)
        self._open.append(element)
        self.found.append(element)

    def end(self, name: str) -> None:
        self._open.pop()

    def add_text(self, text: str) -> None:
        self._open[-1].text += text


def _refuse(why: Message) -> Callable[..., NoReturn]:
    def refuse(*_: object) -> NoReturn:
        raise UnreadableXml(why)

    return refuse


def parse_elements(xml: str) -> list[Element]:
    """Return the elements in the order in which they start, the root first. Raises UnreadableXml for anything else. A
    DOCTYPE is refused before its content is read: without one, expat knows only the five entities of XML."""
    try:
        octets = xml.encode("utf-8")
    except UnicodeEncodeError:
        raise UnreadableXml(Message("it holds half of a surrogate pair")) from None
    if len(octets) > MAX_BYTES:
        raise UnreadableXml(Message("it is longer than {count} kB", count=MAX_BYTES // 1024))
    elements = _Elements()
    parser = expat.ParserCreate("utf-8")  # whatever encoding the text claims
    parser.buffer_text = True
    parser.StartElementHandler = elements.start
    parser.EndElementHandler = elements.end
    parser.CharacterDataHandler = elements.add_text
    parser.StartDoctypeDeclHandler = _refuse(Message("it has a DOCTYPE"))
    parser.ProcessingInstructionHandler = _refuse(Message("it has a processing instruction"))
    try:
        parser.Parse(octets, True)
    except expat.ExpatError as error:
        fault, line, column = expat.ErrorString(error.code), str(error.lineno), str(error.offset)
        why = Message(
            "it is not well formed ({fault}, line {line}, column {column})", fault=fault, line=line, column=column
        )
        raise UnreadableXml(why) from None
    return elements.found

"""Read untrusted XML as a flat list of plain elements, bounded, without expanding or fetching anything (L6)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NoReturn
from xml.parsers import expat

MAX_BYTES = 64 * 1024
MAX_ELEMENTS = 300  # one for each country of the world, and some more; each may hold the name, which may be long
MAX_ATTRIBUTES = 64
MAX_DEPTH = 16


class UnreadableXml(ValueError):
    """The text is no XML of plain elements, or more of it than is read; the message says why."""


@dataclass(slots=True)
class Element:
    """One element: its depth (the root has 0), its name, its attributes, and the text directly in it."""

    depth: int
    name: str
    attributes: Mapping[str, str]
    text: str = ""


class _Reading:
    def __init__(self) -> None:
        self.found: list[Element] = []
        self._open: list[Element] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self._open) >= MAX_DEPTH:
            raise UnreadableXml(f"its elements are nested more than {MAX_DEPTH} deep")
        if len(self.found) >= MAX_ELEMENTS:
            raise UnreadableXml(f"it has more than {MAX_ELEMENTS} elements")
        if len(attributes) > MAX_ATTRIBUTES:
            raise UnreadableXml(f"an element has more than {MAX_ATTRIBUTES} attributes")
        element = Element(len(self._open), name, attributes)
        self._open.append(element)
        self.found.append(element)

    def end(self, name: str) -> None:
        self._open.pop()

    def characters(self, text: str) -> None:
        self._open[-1].text += text


def _no_doctype(*_: object) -> NoReturn:
    raise UnreadableXml("it has a DOCTYPE")


def _no_instruction(*_: object) -> NoReturn:
    raise UnreadableXml("it has a processing instruction")


def elements(xml: str) -> list[Element]:
    """Return the elements in the order in which they start, the root first. Raises UnreadableXml for anything else.

    A DOCTYPE is refused before its content is read: without one, expat knows only the five entities of XML.
    """
    try:
        octets = xml.encode("utf-8")
    except UnicodeEncodeError:
        raise UnreadableXml("it holds half of a surrogate pair") from None
    if len(octets) > MAX_BYTES:
        raise UnreadableXml(f"it is longer than {MAX_BYTES // 1024} kB")
    reading = _Reading()
    parser = expat.ParserCreate("utf-8")  # whatever encoding the text claims
    parser.buffer_text = True
    parser.StartElementHandler = reading.start
    parser.EndElementHandler = reading.end
    parser.CharacterDataHandler = reading.characters
    parser.StartDoctypeDeclHandler = _no_doctype
    parser.ProcessingInstructionHandler = _no_instruction
    try:
        parser.Parse(octets, True)
    except expat.ExpatError as error:
        why = expat.ErrorString(error.code)
        raise UnreadableXml(f"it is not well formed ({why}, line {error.lineno}, column {error.offset})") from None
    return reading.found

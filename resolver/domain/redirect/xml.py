"""Read untrusted XML as a flat list of plain elements, bounded, without expanding or fetching anything (L6)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NoReturn
from xml.parsers import expat

from resolver.domain.message import Message, MessageError

MAX_BYTES = 64 * 1024
MAX_ELEMENTS = 300  # one for each country of the world, and some more; each may hold the name, which may be long
MAX_ATTRIBUTES = 64
MAX_DEPTH = 16


class UnreadableXml(MessageError):
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

    def characters(self, text: str) -> None:
        self._open[-1].text += text


def _no_doctype(*_: object) -> NoReturn:
    raise UnreadableXml(Message("it has a DOCTYPE"))


def _no_instruction(*_: object) -> NoReturn:
    raise UnreadableXml(Message("it has a processing instruction"))


def parse_elements(xml: str) -> list[Element]:
    """Return the elements in the order in which they start, the root first. Raises UnreadableXml for anything else.

    A DOCTYPE is refused before its content is read: without one, expat knows only the five entities of XML.
    """
    try:
        octets = xml.encode("utf-8")
    except UnicodeEncodeError:
        raise UnreadableXml(Message("it holds half of a surrogate pair")) from None
    if len(octets) > MAX_BYTES:
        raise UnreadableXml(Message("it is longer than {count} kB", count=MAX_BYTES // 1024))
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
        why = Message(
            "it is not well formed ({fault}, line {line}, column {column})",
            fault=expat.ErrorString(error.code),
            line=str(error.lineno),
            column=str(error.offset),
        )
        raise UnreadableXml(why) from None
    return reading.found

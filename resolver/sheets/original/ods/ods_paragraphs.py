"""The text of an OpenDocument cell as it is written: paragraphs of pieces, each with its place in the XML."""

import re
from dataclasses import dataclass, field

from doi_reading import LONGEST_TEXT
from resolver.sheets.bibliographic.places import TOO_LONG
from resolver.sheets.bibliographic.xml_leaves import MIXED
from resolver.sheets.left_out import NotWritable
from resolver.sheets.original.written_tags import unescape_xml
from resolver.sheets.workbook.ods import ASIDE, WHITE
from resolver.sheets.workbook.rows import parse_whole_number

_TOKEN = re.compile(
    r"""<!--.*?-->|<\?.*?\?>|<!\[CDATA\[(?P<cdata>.*?)\]\]>|</(?P<end>[^\s>]++)\s*+>"""
    r"""|<(?P<start>[^\s/>]++)(?:[^"'>]|"[^"]*+"|'[^']*+')*+>|(?P<white>[ \t\r\n]++)|(?P<reference>&[^;]*+;)"""
    r"""|(?P<plain>[^<& \t\r\n]++)""",
    re.DOTALL,
)
_COUNT = re.compile(r"""[\s:]c\s*=\s*["']\s*([0-9]+)\s*["']""")
_WHITE_RUN = re.compile(r"[ \t\r\n]+")
_MAX_PIECES = 3 * LONGEST_TEXT


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A part of a text, and where it is written. A `plain` one is written just so. `link` is the number of the
    hyperlink around it, 0 for none."""

    text: str
    start: int
    stop: int
    plain: bool
    link: int


@dataclass(slots=True)
class Paragraph:
    """An element with this name, and where its tag and its content begin and end. Of one that is not `simple` no part
    can be changed alone, and one that is `mixed` holds more than text, such as a note, a picture or a hyperlink."""

    name: str
    tag: int
    start: int
    stop: int
    is_closed: bool  # by its own tag
    pieces: list[TextPiece] = field(default_factory=list)
    simple: bool = True
    mixed: bool = False

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)


class CellContent:
    """What is in an OpenDocument cell, read as `read_ods_rows` reads it: its paragraphs, and the places of the tags of
    its hyperlinks. Raises NotWritable for a text longer than LONGEST_TEXT, or in elements that no cell has."""

    def __init__(self, xml: str, start: int, stop: int) -> None:
        """Read `xml` from `start` to `stop`. It must be well-formed."""
        self.xml = xml
        self.paragraphs: list[Paragraph] = []
        self.links: list[tuple[int, int]] = []
        self._open: list[int] = []  # for each open element the number of the hyperlink around its content
        self._aside = 0
        self._after_white = False
        self._room = LONGEST_TEXT
        self._count = 0
        for token in _TOKEN.finditer(xml, start, stop):
            kind = token.lastgroup
            if kind == "start":
                self._begin(token)
            elif kind == "end":
                self._end(token.start())
            elif kind and self._open and not self._aside:
                self._add_text(token, kind)

    @property
    def text(self) -> str:
        return "\n".join(paragraph.text for paragraph in self.paragraphs)

    def _begin(self, token: re.Match[str]) -> None:
        self._after_white = False
        name, has_content = token["start"].rpartition(":")[2], not token[0].endswith("/>")
        link = self._open[-1] if self._open else 0
        if self._aside:
            self._aside += has_content
        elif name == "a":
            self.links.append(token.span())
            link = len(self.links)
            if self._open:
                self.paragraphs[-1].mixed = True
        elif name == "p":
            if self._open:
                raise NotWritable(MIXED)
            self.paragraphs.append(Paragraph(token["start"], *token.span(), token.end(), not has_content))
        elif name in ASIDE or not self._open:
            self._aside = int(has_content)
            if self._open:
                self.paragraphs[-1].mixed = True
        elif name == "s" or name in WHITE:
            found = _COUNT.search(token[0]) if name == "s" else None
            times = max(1, parse_whole_number(found[1])) if found else 1
            self._put(WHITE.get(name, " ") * min(times, self._room + 1), token)
            self.paragraphs[-1].simple &= not has_content
        if has_content and not self._aside:
            if not self._open and name == "a":
                raise NotWritable(MIXED)
            self._open.append(link)

    def _end(self, at: int) -> None:
        self._after_white = False
        if self._aside:
            self._aside -= 1
            return
        self._open.pop()
        if not self._open:
            self.paragraphs[-1].stop = at

    def _add_text(self, token: re.Match[str], kind: str) -> None:
        text = token[0]
        if kind == "cdata":
            text = _WHITE_RUN.sub(" ", token["cdata"])
        elif kind == "reference":
            text = unescape_xml(text)
        if kind != "plain":
            text = _WHITE_RUN.sub(" ", text)
            if self._after_white:
                text = text.removeprefix(" ")
        self._put(text, token, plain=text == token[0])
        if text:
            self._after_white = text.endswith(" ")

    def _put(self, text: str, token: re.Match[str], *, plain: bool = False) -> None:
        self._room -= len(text)
        self._count += 1
        if self._room < 0 or self._count > _MAX_PIECES:
            raise NotWritable(TOO_LONG)
        self.paragraphs[-1].pieces.append(TextPiece(text, *token.span(), plain, self._open[-1]))

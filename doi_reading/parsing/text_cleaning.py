"""Clean a text before its name is located: remove what a program wrote into it and what can't be part of a name.

That is the white space around the signs of a name, escapes of its slash, marks of quoted lines, and commands of TeX.
"""

import quopri
import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

from doi_reading.late_pattern import compile_late
from doi_reading.parsing import checks
from doi_reading.problems.problem import MOST_PROBLEMS, Problem, make_problem
from doi_reading.repair.divided_names import LOOK_AHEAD, find_sure_spaces
from doi_reading.repair.program_leftovers import BREAK_COMMAND
from doi_reading.text.html_entities import decode_html_entities
from doi_reading.text.source_text import MOST_PLACES, WHITE, SourceText

Cleaned = tuple[SourceText, list[Problem]]

_SPACED = compile_late(rf"10\.[0-9]{{4,9}}(?:\.[0-9]{{1,9}}){{0,4}}/[^{WHITE}]{{1,200}}+(?=[{WHITE}]{{1,3}}[/._:-])")
_ESCAPED_SLASH = compile_late(
    r"(?:(?<![0-9A-Za-z\\.])|(?<=doi\.org\\)|(?<=doi\.org\\\\))10\.[0-9]{4,9}(?:\.[0-9]{1,9}){0,4}"
    r"((?:\\|%(?:25){0,3}5c){1,8}(?:/|%(?:25){0,3}2f|u002f|x2f|slash(?:\{\}|[ ])?)?|\{\\?(?:/|slash)[ ]?\}"
    r"|%u002f|&#(?:x2f(?![0-9a-f;])|0?47(?![0-9;])))(?=[0-9A-Za-z(])",
    re.IGNORECASE,
)
_ESCAPED_ADDRESS = compile_late(
    rf"(?<![0-9A-Za-z])https?:(?:\\{{1,4}}(?:u002f|x2f)){{2}}[^{WHITE}\"'<>]{{1,2000}}", re.IGNORECASE
)
_ESCAPE_IN_ADDRESS = compile_late(r"\\{1,4}(?:u002f|x2f)", re.IGNORECASE)
_QUOTED_PRINTABLE = compile_late(
    r"(?:(?<![0-9A-Za-z\\.])|(?<==[2-7][0-9a-f]))"
    r"(?:https?=3a(?:=2f){2}|10\.[0-9]{4,9}(?:\.[0-9]{1,9}){0,4}=2f)"
    rf"(?:=\r?\n|[^{WHITE}\"'<>]){{1,2000}}",
    re.IGNORECASE,
)
_QUOTED_SIGN = compile_late(
    r"=\r?\n|=(?:0[9ad]|[2-6][0-9a-f]|7[0-9a-e])|=[c-f][0-9a-f](?:=[89ab][0-9a-f]){1,3}", re.IGNORECASE
)
"""The end of a line that continues, or one character as UTF-8."""
_QUOTE = compile_late(r"[ ]{0,3}(?:>[ ]?){1,9}")
_QUOTE_AND_SPACE = compile_late(r"[ ]{0,3}(?:>[ ]?){0,8}>[ ]")
_COMMENTS = tuple(compile_late(rf"[ ]{{0,8}}{mark}{{1,3}}[ \t]") for mark in ("#", "//", "%"))
_MOST_LINES = 200
_TEX_BREAK = compile_late(
    rf"(?<=[./_:(-]){BREAK_COMMAND}[ \n](?=[0-9a-z./_:(-])"
    rf"|(?<=[0-9A-Za-z]){BREAK_COMMAND}[ \n](?=[./_:-])"
    rf"|(?<=[0-9A-Za-z./_:(-]){BREAK_COMMAND}(?=[0-9A-Za-z./_:(-])"
)
"""White space ends the command. Before a letter or digit it may end the name too, unless a sign precedes it."""


def _remove_line_marks(excerpt: SourceText) -> Cleaned:
    """Remove the `>` of quoted mail, or the marks of comments, before every line.

    A name may continue in the next line. Bullets stay: an entry of a list doesn't continue in the next one. The first
    line of a quotation may lack its mark, if white space follows all other marks. In a SICI a line may begin with `>`,
    but without white space after it.
    """
    lines = excerpt.text.split("\n", _MOST_LINES)
    if not 1 < len(lines) < _MOST_LINES:
        return excerpt, []
    for marks, first in ((_QUOTE, True), (_QUOTE_AND_SPACE, False), *((mark, True) for mark in _COMMENTS)):
        spans, at, every = [], 0, True
        for number, line in enumerate(lines):
            if mark := marks.match(line):
                spans.append((at, at + mark.end()))
            every = every and (bool(mark) or not line.strip() or (number == 0 and not first))
            at += len(line) + 1
        if every and spans:
            cleaned = excerpt.with_replaced([(*span, "") for span in spans])
            return cleaned, [make_problem("surrounding-text", *excerpt.span(*spans[0]))]
    return excerpt, []


def _remove_tex_breaks(excerpt: SourceText) -> Cleaned:
    """Remove the commands with which TeX lets a line end inside a name: `10.1016/j.\\allowbreak cell`."""
    if "\\" not in excerpt.text:
        return excerpt, []
    spans = [match.span() for match in islice(_TEX_BREAK.finditer(excerpt.text), MOST_PROBLEMS)]
    problems = [make_problem("surrounding-text", *excerpt.span(*span)) for span in spans]
    return excerpt.with_replaced([(*span, "") for span in spans]), problems


def _close_sure_spaces(excerpt: SourceText) -> Cleaned:
    """Remove white space that is surely inside a name: the part before it may be the name of a journal."""
    pieces: list[tuple[int, int, str]] = []
    problems: list[Problem] = []
    for match in islice(_SPACED.finditer(excerpt.text), MOST_PLACES):
        start, before = match.end(), excerpt.text[max(match.start() - checks.LOOK_BEHIND, 0) : match.start()]
        code = "unescaped-space" if before.endswith("/") and "//" in before.split()[-1] else "inner-space"
        for first, last in find_sure_spaces(match.group(), excerpt.text[start : start + LOOK_AHEAD]):
            pieces.append((start + first, start + last, ""))
            problems += checks.build_white_space_problems(code, excerpt, start + first, start + last)
    return excerpt.with_replaced(pieces), problems[:MOST_PROBLEMS]


def _unescape_address(excerpt: SourceText) -> Cleaned:
    r"""Replace the escapes of JSON in an address of which every slash has one: `https:\u002F\u002Fdoi.org`."""
    if "\\" not in excerpt.text:
        return excerpt, []
    pieces, problems = [], []
    for match in islice(_ESCAPED_ADDRESS.finditer(excerpt.text), MOST_PLACES):
        spans = [one.span() for one in islice(_ESCAPE_IN_ADDRESS.finditer(excerpt.text, *match.span()), MOST_PROBLEMS)]
        pieces += [(*span, "/") for span in spans]
        written = excerpt.text[slice(*spans[0])]
        problems.append(make_problem("leftover", *excerpt.span(*spans[0]), characters=written))
    return excerpt.with_replaced(pieces), problems


def _decode_quoted_printable(excerpt: SourceText) -> Cleaned:
    """Decode an address or a name as the source of an email holds it: `https=3A=2F=2Fdoi.org=2F10.1000=2F182`.

    No address begins so, and no prefix ends so: a program wrote all these signs. It would write = as =3D.
    """
    pieces, problems = [], []
    for match in islice(_QUOTED_PRINTABLE.finditer(excerpt.text), MOST_PLACES):
        signs = list(_QUOTED_SIGN.finditer(excerpt.text, *match.span()))
        pieces += [(*sign.span(), _decode_quoted_sign(sign[0])) for sign in signs]
        problems.append(make_problem("leftover", *excerpt.span(*signs[0].span()), characters=signs[0][0]))
    return excerpt.with_replaced(pieces), problems


def _decode_quoted_sign(sign: str) -> str:
    """Return the character; the sign itself if its bytes are no UTF-8."""
    try:
        return quopri.decodestring(sign).decode()
    except UnicodeDecodeError:
        return sign


def _unescape_slash(excerpt: SourceText) -> Cleaned:
    r"""Replace the escape of JSON, LaTeX, Markdown or HTML at the slash of a name: `10.1016\/j.cell`.

    No prefix may hold one, so the text is no name with it.
    """
    spans = [match.span(1) for match in islice(_ESCAPED_SLASH.finditer(excerpt.text), MOST_PROBLEMS)]
    problems = [
        make_problem("leftover", *excerpt.span(*span), characters=excerpt.text[slice(*span)][:20]) for span in spans
    ]
    return excerpt.with_replaced([(*span, "/") for span in spans]), problems


LAYERS: tuple[tuple[str, str, Callable[[SourceText], Cleaned]], ...] = (
    (
        "> https://doi.org/10.1136/gutjnl-2015-\n> 310752",
        "https://doi.org/10.1136/gutjnl-2015-\n310752",
        _remove_line_marks,
    ),
    ("10.1136/gutjnl-2015-\\allowbreak 310752", "10.1136/gutjnl-2015-310752", _remove_tex_breaks),
    ("10.1093/molbev /msu300", "10.1093/molbev/msu300", _close_sure_spaces),
    ("https:\\u002F\\u002Fdoi.org\\u002F10.1000\\u002F182", "https://doi.org/10.1000/182", _unescape_address),
    ("https=3A=2F=2Fdoi.org=2F10.1000=2F182", "https://doi.org/10.1000/182", _decode_quoted_printable),
    ("10.1016\\/j.cell.2010.01.001", "10.1016/j.cell.2010.01.001", _unescape_slash),
)
"""In the order in which they are removed, each with an example: a text, and what is left of it around the name."""


@dataclass(slots=True)
class CleanedText:
    """A text without HTML entities (`plain`), and without these layers (`excerpt`), with the places of both."""

    plain: SourceText
    entities: list[tuple[int, int]]
    excerpt: SourceText
    problems: list[Problem]


def clean_text(text: str) -> CleanedText:
    """Return the text without HTML entities, these layers, and white space around it."""
    plain, entities = decode_html_entities(SourceText.of(text))
    excerpt, problems = plain, list[Problem]()
    for _text, _left, remove in LAYERS:
        excerpt, found = remove(excerpt)
        problems += found
    return CleanedText(plain, entities, excerpt.strip(), problems)

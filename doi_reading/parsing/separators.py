"""Signs between two identifiers without white space: `10.1000/1||10.1000/2`, a DOI and an ISBN."""

import re

from doi_reading.tables.other_identifiers import find_other_identifier
from doi_reading.text.source_text import WHITE

_DOI = r"10\.[0-9]{2,9}(?:\.[0-9]{1,9}){0,4}/[^\s/]"
_NEXT = rf"(?:https?://[^;,|\s]{{1,200}}?/|(?:dx\.|www\.)?doi\.org/|urn:doi:|info:doi/|doi:){_DOI}|{_DOI}"
_OTHER = r"https?://|97[89]|[0-9]{1,7}-|(?:pm|[ep]?-?issn|e?-?isbn|urn:|hdl:|ark:|arxiv|orcid|info:)"
"""How other identifiers begin. Whether one really follows is checked afterwards."""
_IN_TEXT = re.compile(rf"[;,|]{{1,4}}(?=(?P<doi>{_NEXT}))|[;|]{{1,4}}(?={_OTHER})", re.IGNORECASE)
_IN_URL = re.compile(
    r"[;,|]{1,4}(?=(?P<link>https?://[^;,|\s]{1,200}?/" + _DOI + rf"))|[;|]{{1,4}}(?=(?P<doi>{_NEXT})|{_OTHER})",
    re.IGNORECASE,
)
"""In a URL `,10.1000/2` is part of the path: a name may hold it."""
_PIECE = re.compile(rf"[^{WHITE};|]{{4,300}}(?=[{WHITE};|]|\Z)")
_ADDRESS = re.compile(r"https?://[^/]{3,100}/.+", re.IGNORECASE)


def find_separator(text: str, start: int = 0, end: int | None = None, *, in_url: bool = False) -> int | None:
    """Return where the first separator between `start` and `end` begins, None if there is none. A DOI, another
    identifier or an address follows it. Lookahead stops at `end`, so a separator right before it is not found."""
    pattern, end = _IN_URL if in_url else _IN_TEXT, len(text) if end is None else end
    while match := pattern.search(text, start, end):
        if match.lastgroup or _is_identifier(text, match.end(), end):
            return match.start()
        start = match.end()
    return None


def _is_identifier(text: str, start: int, end: int) -> bool:
    piece = _PIECE.match(text, start, end)
    return piece is not None and bool(_ADDRESS.fullmatch(piece[0]) or find_other_identifier(piece[0]))


class Separators:
    """The separators in a text. No part of it is searched twice, so that reading stays linear."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._searched = (0, 0)
        self._found = 0

    def find_next(self, start: int, end: int) -> int:
        """Return where the first separator between `start` and `end` begins, or `end`."""
        first, last = self._searched
        if last != end or not first <= start <= self._found:
            found = find_separator(self._text, start, end)
            self._searched, self._found = (start, end), end if found is None else found
        return self._found

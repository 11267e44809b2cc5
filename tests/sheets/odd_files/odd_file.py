"""An odd file as a row of a table: its name, its content, and what must happen."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Odd:
    """Either `dois` (the texts of the DOI column, row for row) or `refused` (words of the reason) is given."""

    name: str
    content: bytes
    dois: tuple[str, ...] = ()
    header: tuple[str, ...] | None = None
    refused: str = ""
    line: int | None = None
    column: str | None = None


def read(name: str, content: bytes | str, *dois: str, header: tuple[str, ...] | None = None) -> Odd:
    """A file that is read: it gives these texts, under this header."""
    return Odd(name, content.encode() if isinstance(content, str) else content, dois, header)


def refused(name: str, content: bytes | str, words: str, line: int | None = None) -> Odd:
    """A file that is refused with these words, at this line."""
    return Odd(name, content.encode() if isinstance(content, str) else content, refused=words, line=line)

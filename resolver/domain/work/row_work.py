"""The work that a row of a list describes."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RowWork:
    """What a row says of its work, as texts of its file; empty for what it doesn't say. `authors`: one text a name, or
    one text with several. `text`: a whole reference in one cell, where it has no title of its own."""

    title: str = ""
    authors: tuple[str, ...] = ()
    year: str = ""
    container: str = ""
    volume: str = ""
    first_page: str = ""
    text: str = ""

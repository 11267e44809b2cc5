"""The work that a row of a list, or a person beside one DOI, describes."""

import re
from dataclasses import dataclass

from resolver.domain.work.words import LONGEST_TEXT_CHARACTERS

LEAST_WORDS_OF_A_REFERENCE = 5  # beside the DOI: fewer have no author, title and year
_NAME = re.compile(r"\S*(?:10\.|://)\S*")
_WORD = re.compile(r"[^\W\d_]{2,}")


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


def is_reference(text: str) -> bool:
    """Whether the text has enough words beside its DOIs and addresses to be a reference. A longer one than is compared
    isn't: its title might stand in the rest."""
    if len(text) > LONGEST_TEXT_CHARACTERS:
        return False
    return len(_WORD.findall(_NAME.sub(" ", text))) >= LEAST_WORDS_OF_A_REFERENCE

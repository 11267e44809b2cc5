"""What a search service is asked for: the words of a row about its work."""

import re
from dataclasses import dataclass
from unicodedata import normalize

from resolver.domain.work.authors import split_authors
from resolver.domain.work.metadata import YEAR
from resolver.domain.work.row_work import RowWork, is_reference
from resolver.domain.work.search_words import count_search_words
from resolver.domain.work.words import decode_markup, split_words

LEAST_WORDS_OF_A_TITLE = 4
"""A shorter title stands for too many works."""
LONGEST_QUERY_CHARACTERS = 500  # of each text that is sent

_DOIS_AND_ADDRESSES = re.compile(r"(?:https?://|doi:\s{0,3}|10\.\d{4,9}/)\S{0,2000}", re.IGNORECASE)
_OF_DATA = frozenset(
    "dataset datasets dataverse dryad figshare pangaea software supplementary zenodo forschungsdaten datensatz".split()
)


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """The texts that are sent: `title`, `author` (the surname of the first), `container` and `year`, or the `text` of a
    whole reference. `of_data`: the row names data or a repository of data."""

    title: str = ""
    author: str = ""
    container: str = ""
    year: str = ""
    text: str = ""
    of_data: bool = False

    @property
    def bibliographic(self) -> str:
        """All of it as one text, as Crossref's `query.bibliographic` takes it."""
        return self.text or " ".join(filter(None, (self.title, self.author, self.container, self.year)))

    @property
    def key(self) -> str:
        """The same for queries whose parts differ in case, blanks and composition at most. Words that a service tells
        apart, as "Maße" and "Masse", make two."""
        parts = (self.title, self.author, self.container, self.year, self.text)
        return "\n".join(" ".join(normalize("NFC", part.lower()).split()) for part in parts)


def build_search_query(work: RowWork, *, title_alone: bool = False) -> SearchQuery | None:
    """Return the query for a row's work; None if there is too little to search for: no title of four words, or nothing
    beside the title. `title_alone`: nothing else is needed."""
    text = _shorten(_DOIS_AND_ADDRESSES.sub(" ", work.text))
    title, container = _shorten(_DOIS_AND_ADDRESSES.sub(" ", work.title)), _shorten(work.container)
    of_data = not _OF_DATA.isdisjoint(split_words(f"{title} {container} {text}"))
    if not title:
        return SearchQuery(text=text, of_data=of_data) if is_reference(text) and YEAR.search(text) else None
    people = split_authors(work.authors[:1])
    author = _find_surname(people[0].family, people[0].given) if people else ""
    found = YEAR.search(work.year[:100])
    year = found.group() if found else ""
    has_more = title_alone or author or container or year or work.first_page
    if count_search_words(title) < LEAST_WORDS_OF_A_TITLE or not has_more:
        return None
    return SearchQuery(title, author, container, year, of_data=of_data)


def _find_surname(family: str, given: str) -> str:
    """Return the surname; of a name in unknown order all of it, without initials."""
    name = family if given else " ".join(word for word in family.split() if len(word.strip(".")) > 1) or family
    return _shorten(name)


def _shorten(text: str) -> str:
    text = normalize("NFC", decode_markup(text[: LONGEST_QUERY_CHARACTERS * 4]))
    return " ".join(text.split())[:LONGEST_QUERY_CHARACTERS]

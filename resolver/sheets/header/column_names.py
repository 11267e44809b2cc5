"""What the names of columns say: which mean DOIs, and which texts name no column."""

import re

DATA = re.compile(r"(?<![\d.])10\.\d|://|\d{4}|\d[./]\d|[./]\d|\d/")
"""Figures and links: they are found in records, not in names."""
NAMES = (
    "doi", "dois", "doiname", "doinames", "doinumber", "doicode", "doi1", "digitalobjectidentifier", "articledoi",
    "dcidentifierdoi", "dctermsidentifierdoi", "identifierdoi", "prismdoi", "bibodoi", "doiurl", "doilink", "doiuri",
    "urldoi", "linkdoi", "do", "di",
)  # fmt: skip
"""Names that mean DOIs, without signs and in lower case, the surest first."""
TWO_LETTERS = frozenset({"do", "di"})
"""RIS and Web of Science tags: too short to believe without a DOI below."""
NOT_A_NAME = frozenset({"no", "not", "without", "http", "https", "org", "has", "is", "invalid"})
"""Words of entries, not of names."""
_MOST_WORDS = 4
_LONGEST = 200


def fold_name(name: str) -> str:
    """Return the letters and digits of the name, in lower case."""
    return re.sub(r"[\W_]+", "", name.casefold())


def split_words(name: str) -> set[str]:
    """Return the words of the name, in lower case."""
    return set(re.split(r"[\W_]+", name.casefold()))


def is_doi_column_name(name: str) -> bool:
    """Whether a column of this name is surely meant for DOIs."""
    plain = fold_name(name)
    return plain in NAMES and plain not in TWO_LETTERS


def rank_doi_name(name: str) -> int | None:
    """Return the place of a column name among those that mean DOI, len(NAMES) for one that has the word, or None."""
    if len(name) > _LONGEST:
        return None
    plain = fold_name(name)
    if plain in NAMES:
        return NAMES.index(plain)
    words = split_words(name) - {""}
    says_doi = not words.isdisjoint({"doi", "dois"}) and words.isdisjoint(NOT_A_NAME) and len(words) <= _MOST_WORDS
    return len(NAMES) if says_doi else None

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


def fold_name(name: str) -> str:
    """Return the letters and digits of the name, in lower case."""
    return re.sub(r"[\W_]+", "", name.casefold())


def is_doi_column_name(name: str) -> bool:
    """Whether a column of this name is surely meant for DOIs."""
    plain = fold_name(name)
    return plain in NAMES and plain not in TWO_LETTERS

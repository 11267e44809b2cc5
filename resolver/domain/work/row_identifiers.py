"""DOIs that a row gives beside its DOI cell: identifiers that are a DOI by their registrant's rule, and links."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from doi_reading import Message, fold, read_all
from doi_reading.repair import NameByRule, find_names_by_rule

MOST_IDENTIFIERS = 3
MOST_CELLS = 200  # of a row that are looked at
LONGEST_CELL = 1000  # characters; a longer one is an abstract
MOST_CELLS_WITH_DOIS = 10  # of a row that are read as a text with DOIs
LONGEST_SHOWN = 200  # characters of the cell in the evidence

_WORDS = re.compile(r"[^\W\d_]+")
_SIGNS = re.compile(r"[\W_]+")
_CAMEL_CASE = re.compile(r"(?<=[a-z])(?=[A-Z](?!x?iv))")  # primaryClass, but not arXiv and bioRxiv
_NUMBERED_FIELDS = frozenset({"024a", "0247a", "856u", "l1", "l2"})
"""Fields of MARC and RIS for identifiers and links, of which the letters alone say nothing."""
_OF_THE_WORK = frozenset(
    """
    link links url urls uri uris href address web website weblink webadresse adresse permalink lien enlace ur lk
    identifier identifiers identifikator kennung id ids doi dois handle accession
    arxiv eprint preprint pii jstor ssrn zenodo figshare osf biorxiv medrxiv fulltext volltext pdf
    """.split()
)
"""Words of columns whose links and identifiers are those of the row's work."""
_OF_ANOTHER_WORK = frozenset(
    """
    related relation relations references cited cites citing bibliography version versions translation review reviews
    abstract summary data dataset datasets supplement supplementary supplemental supporting code software
    license licence rights funder funding grant orcid isbn issn
    verwandt verwandte zitiert zitierte literatur literaturverzeichnis zusammenfassung daten datensatz forschungsdaten
    lizenz rechte
    """.split()
)
_OF_THE_WHOLE = frozenset(
    "journal container publisher series host issue conference zeitschrift verlag reihe heft revue revista".split()
)
_LABELS = {
    "arxiv": "arXiv:",
    "pii": "PII: ",
    "jstor": "JSTOR ",
    "ssrn": "SSRN ",
    "zenodo": "zenodo.",
    "figshare": "m9.figshare.",
}
"""What a number lacks in a column that is named after its registrant."""
_NUMBER_WORDS = frozenset("id ids identifier number numbers no nr nummer record stable eprint code".split())
_EPRINT_TYPES = frozenset({"archiveprefix", "eprinttype"})
_EPRINT_CLASSES = frozenset({"primaryclass", "eprintclass"})
_BESIDE = re.compile(
    r"(?:[\s.,;:()<>{}\"'/#-]|\[[a-z.-]{2,20}\]|preprint|e-?print|arxiv|corr|abs|available|online|at|from|url|pdf|id"
    r"|version|(?:19|20)[0-9]{2}(?![0-9]))*",
    re.IGNORECASE,
)
"""What may stand beside an identifier that is all that a cell says."""


class _Column(NamedTuple):
    """What the name of a column says: whether it is of the row's own work, of another one, and the label that its
    numbers lack."""

    own: bool
    other: bool
    label: str
    folded: str


@dataclass(frozen=True, slots=True)
class RowIdentifier:
    """A DOI name that a cell of the row gives. `registrant`: whose rule it follows from; "" for a DOI that is written
    there. `text`: the cell, at most LONGEST_SHOWN characters of it. Nobody has asked yet whether it is registered."""

    doi: str
    registrant: str
    column: str
    text: str

    @property
    def sentence(self) -> Message:
        """The evidence for people."""
        if not self.registrant:
            return Message("The row's {column} has the DOI {doi}.", column=self.column, doi=self.doi)
        return Message(
            "The row's {column} is {text}, which is {doi} by {registrant}'s rule.",
            column=self.column,
            text=self.text,
            doi=self.doi,
            registrant=self.registrant,
        )


def find_row_identifiers(cells: Sequence[tuple[str, str]], *, without: str = "") -> tuple[RowIdentifier, ...]:
    """Return the DOI names that the cells of a row give, in their order, each once, at most MOST_IDENTIFIERS.

    `cells`: those beside the DOI cell, each the name of its column or field, and its text. `without`: the DOI of the
    row, which isn't returned.

    An identifier counts if it is all that its cell says, or if the column is one for links and identifiers. A DOI that
    is written out counts in such a column only: that of a note may be of another work. Columns of related works,
    references and data are left out. One identifier may lead to several names, of which at most one is registered.
    """
    seen, found = {fold(without)} if without else set(), []
    for identifier in _find_all(cells[:MOST_CELLS]):
        key = fold(identifier.doi)
        if key not in seen:
            seen.add(key)
            found.append(identifier)
            if len(found) == MOST_IDENTIFIERS:
                break
    return tuple(found)


def _find_all(cells: Sequence[tuple[str, str]]) -> Iterator[RowIdentifier]:
    left = MOST_CELLS_WITH_DOIS
    for name, cell in cells:
        if not cell or len(cell) > LONGEST_CELL or len(name) > LONGEST_CELL:
            continue
        column = _read_column_name(name)
        if column.other:
            continue
        text = cell.strip()
        names = _find_by_rule(text, column, cells)
        for one in names:
            yield RowIdentifier(one.doi, one.registrant, name, text[:LONGEST_SHOWN])
        if not names and column.own and "10." in text and left:
            left -= 1
            for reading in read_all(text):
                if reading.doi:
                    yield RowIdentifier(str(reading.doi), "", name, text[:LONGEST_SHOWN])


def _find_by_rule(text: str, column: _Column, cells: Sequence[tuple[str, str]]) -> tuple[NameByRule, ...]:
    names = find_names_by_rule(text)
    if names:
        return names if column.own or _is_all(text, names[0].written) else ()
    label = column.label or (_find_type_of_eprint(cells) if column.folded == "eprint" else "")
    if not label:
        return ()
    labelled = label + text
    names = find_names_by_rule(labelled)
    return names if names and _is_all(labelled, names[0].written) else ()


def _is_all(text: str, written: str) -> bool:
    """Return whether the text says nothing but the identifier."""
    return bool(written) and _BESIDE.fullmatch(text.replace(written, " ", 1)) is not None


def _find_type_of_eprint(cells: Sequence[tuple[str, str]]) -> str:
    """Return the label of the number in BibTeX's `eprint`. Only arXiv's have a class."""
    for name, cell in cells:
        folded = _read_column_name(name[:LONGEST_CELL]).folded
        if folded in _EPRINT_TYPES:
            return _LABELS.get(cell.strip().casefold(), "")
        if folded in _EPRINT_CLASSES and cell.strip():
            return _LABELS["arxiv"]
    return ""


@lru_cache(maxsize=1024)
def _read_column_name(name: str) -> _Column:
    words = [word.casefold() for word in _WORDS.findall(_CAMEL_CASE.sub(" ", name))]
    known = set(words)
    named = known & _LABELS.keys()
    label = _LABELS[named.pop()] if len(named) == 1 and known <= {*_LABELS, *_NUMBER_WORDS} else ""
    is_own = not known.isdisjoint(_OF_THE_WORK) or _SIGNS.sub("", name).casefold() in _NUMBERED_FIELDS
    return _Column(
        own=is_own and known.isdisjoint(_OF_THE_WHOLE),
        other=not known.isdisjoint(_OF_ANOTHER_WORK),
        label=label,
        folded="".join(words),
    )

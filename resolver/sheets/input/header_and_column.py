"""The column with the DOIs, and whether the first row names the columns."""

import re
from collections import Counter
from collections.abc import Sequence

from doi_reading import Message
from resolver.sheets.doi_pattern import has_doi_pattern
from resolver.sheets.errors import NeedsChoice
from resolver.sheets.header.column_names import (
    DATA,
    NAMES,
    NOT_A_NAME,
    TWO_LETTERS,
    fold_name,
    rank_doi_name,
    split_words,
)
from resolver.sheets.header.exported_columns import find_exported_columns
from resolver.sheets.input.layout import name_unnamed_column
from resolver.sheets.input.layout_choices import LayoutChoices
from resolver.sheets.workbook.typed_cell import get_link

_DOI_FIRST = re.compile(r"\s*(?:<|\()?(?:https?://\S*?|[Dd][Oo][Ii][:.]?\s*|urn:doi:|info:doi/)?10\.\d")
_MISSING = frozenset({"", "-", "--", "n/a", "na", "none", "null", "nan", "unknown", "?"})
_LISTED_NAMES = 40  # in a refusal
_WEAK = ("dcidentifier", "dctermsidentifier", "identifier", "identifiers", "url", "link", "uri", "id")


class NoDoiColumn(NeedsChoice):
    """No column was named, and none holds DOIs."""

    def __init__(self, reason: Message) -> None:
        super().__init__("column", reason)


def _compute_score(rows: Sequence[Sequence[str]], column: int) -> float:
    """Return the share of rows with a DOI in the column. A cell that begins with one counts twice."""
    total = 0.0
    for row in rows:
        cell = row[column] if column < len(row) else ""
        if has_doi_pattern(cell):
            total += 1.0 if _DOI_FIRST.match(cell) else 0.5
    return total / len(rows) if rows else 0.0


def build_no_such_column_error(about: str, column: int, width: int) -> NeedsChoice:
    """Return the refusal of a chosen column beyond the last."""
    reason = Message(
        "With these settings there is no column {column}. Choose one from 1 to {last}.", column=column + 1, last=width
    )
    return NeedsChoice(about, reason)


def list_names(names: Sequence[str]) -> str:
    """Return the names for a sentence, shortened: each may be as long as any cell."""
    short = [name if len(name) <= 80 else f"{name[:80]}…" for name in names[:_LISTED_NAMES]]
    shown, more = ", ".join(f"“{name}”" for name in short), len(names) - _LISTED_NAMES
    return Message("{names} and {count} more", names=shown, count=str(more)) if more > 0 else shown


def find_header_and_column(sample: Sequence[Sequence[str]], wanted: str | None = None) -> tuple[bool, int]:
    """Return whether the first row is a header, and the index of the column with the DOIs: the named one, else found by
    header, else by content. Ties go to the left."""
    first = sample[0]
    width = max(len(row) for row in sample)
    if wanted:
        return _find_named_column(sample, wanted, width)
    scores = [_compute_score(sample[1:] or sample, column) for column in range(width)]
    ranked = [
        (scores[column] == 0, rank, -scores[column], column)
        for column, name in enumerate(first)
        if (rank := rank_doi_name(name)) is not None
        and not has_doi_pattern(name)
        # "do" and "DOI status" need a DOI below to be believed; "doi" does not.
        and (scores[column] > 0 or (rank < len(NAMES) and fold_name(name) not in TWO_LETTERS))
    ]
    # A cell such as "doi 10.1000/1" in the first row is data; only a row without any DOI can be a header.
    if ranked and not any(has_doi_pattern(cell) for cell in first):
        return True, min(ranked)[3]
    if width == 1:
        return _is_header(first, 0) and scores[0] > 0 and len(sample) > 1, 0
    scores = [_compute_score(sample, column) for column in range(width)]
    if not any(scores):  # then hyperlinks may
        linked = [[get_link(cell) or cell for cell in row] for row in sample]
        scores = [_compute_score(linked, column) for column in range(width)]
    if not any(scores):
        names = list_names(list(first))
        reason = Message("No column seems to contain DOIs. If one of these does, choose it: {names}.", names=names)
        raise NoDoiColumn(reason)
    weak = [fold_name(name) in _WEAK for name in first] + [False] * width
    column = max(range(width), key=lambda index: (scores[index], weak[index], -index))
    return _is_header(sample[0], column), column


def choose_header_and_column(
    sample: Sequence[Sequence[str]], wanted: str | None, choices: LayoutChoices
) -> tuple[bool, int, int | None]:
    """Return whether the first row is a header, the index of the column with the DOIs, and that of the column to read
    where its cell is empty, if any. A person's choices are kept. Raises NeedsChoice if there is no such column."""
    instead = None
    if choices.column is None and not wanted and (exported := find_exported_columns(sample)):
        has_header, (index, instead) = True, exported
    elif choices.column is None:
        has_header, index = find_header_and_column(sample, wanted)
    else:
        width = max(map(len, sample))
        if choices.column >= width:
            raise build_no_such_column_error("column", choices.column, width)
        has_header, index = _is_header(sample[0], choices.column), choices.column
    if choices.header_row is not None:
        has_header = choices.header_row > 0
    return has_header if choices.has_header is None else choices.has_header, index, instead


def find_other_columns(rows: Sequence[Sequence[str]], column: int, instead: int | None) -> tuple[int, ...]:
    """Return the columns with many cells that begin with a DOI other than that of the chosen column; none in our own
    results, which have `instead`."""
    if instead is not None:
        return ()
    found = Counter[int]()
    with_text = Counter[int]()
    for row in rows:
        chosen = row[column].casefold() if column < len(row) else ""
        for place, cell in enumerate(row):
            if place != column and cell:
                with_text[place] += 1
                begins_with_doi = _DOI_FIRST.match(cell) and has_doi_pattern(cell)
                found[place] += bool(begins_with_doi) and _differ(cell.casefold(), chosen)
    return tuple(sorted(place for place, count in found.items() if count >= max(1, 0.3 * with_text[place])))


def _differ(one: str, other: str) -> bool:
    """Return whether the DOIs of two cells, in lower case, are not the same one in another form."""
    names = [each[each.find("10.") :].rstrip("/. ") if "10." in each else "" for each in (one, other)]
    return names[0] != names[1]


def _find_named_column(sample: Sequence[Sequence[str]], wanted: str, width: int) -> tuple[bool, int]:
    first = list(sample[0])
    folded = wanted.strip().casefold()
    for known, name in ((first, wanted), ([each.strip().casefold() for each in first], folded)):
        for column, each in enumerate(known):
            if each == name and not has_doi_pattern(first[column]):
                return True, column
    numbers = [name_unnamed_column(position) for position in range(width)]
    if folded in numbers:
        column = numbers.index(folded)
        return _is_header(sample[0], column), column
    has_header = not any(has_doi_pattern(cell) for cell in first)
    names = first if has_header else numbers
    reason = Message(
        "There is no column “{name}”. Choose one of these: {names}. If the column names are further down, choose "
        "their row (header_row).",
        name=wanted,
        names=list_names(names),
    )
    raise NeedsChoice("column", reason)


def _is_header(first: Sequence[str], column: int) -> bool:
    """Whether the first row names the columns, given that one of them holds DOIs further down."""
    if any(has_doi_pattern(cell) for cell in first):
        return False
    cell = first[column] if column < len(first) else ""
    if cell.strip().casefold() in _MISSING:
        # Either an unnamed column or a record without a DOI: figures and links are found in records.
        return len(first) > 1 and not any(DATA.search(other) for other in first)
    if len(first) == 1 and (re.search(r"\d", cell) or not split_words(cell).isdisjoint(NOT_A_NAME)):
        return False  # "no DOI", "PMID 123": in a list rather an entry that went wrong than a name
    return not DATA.search(cell)

"""Findings from the reading of a file, apart from its rows."""

from dataclasses import dataclass, field

from doi_reading import Message
from resolver.sheets.errors import UnreadableFile

MAX_LISTED_SHEETS = 200  # of a workbook, from which one can be chosen
MAX_SHEET_NAME = 100  # characters


@dataclass(slots=True)
class SheetFindings:
    """Filled while rows are read. `sheet` is the name of the one that is read, `sheets` those of an ODS up to it.

    `formulas` are those without results, which some programs write: for each column (by its index) their number, and
    the row of the first. `gave_up`: the reading stopped after too much without a row with text. `without_doi`: the
    number of records of a bibliographic file without a DOI, and of all. `first_place`: the number of the first place in
    the record that is being read, None in a table. `encoding` is that of the whole text.
    """

    sheet: str = ""
    sheets: list[str] = field(default_factory=list)
    formulas: dict[int, tuple[int, int]] = field(default_factory=dict)
    gave_up: bool = False
    without_doi: tuple[int, int] = (0, 0)
    first_place: int | None = None
    encoding: str = ""
    encoding_assumed: bool = False

    def add_formula(self, column: int, row: int) -> None:
        """Count a formula without a result."""
        count, first = self.formulas.get(column, (0, row))
        self.formulas[column] = (count + 1, first)

    def explain(self, refusal: UnreadableFile) -> UnreadableFile:
        """Return the refusal of a file without rows: because of the formulas, if there are any."""
        if not self.formulas:
            return refusal
        return build_formulas_without_results_error(min(first for _, first in self.formulas.values()))


def build_formulas_without_results_error(row: int) -> UnreadableFile:
    """Return the refusal of a workbook whose DOIs are formulas from this row on."""
    reason = Message(
        "The sheet has formulas without results. Open the workbook in a spreadsheet program, and save it there."
    )
    return UnreadableFile(reason, row)

"""What the reading of a workbook tells beside its rows: which sheet it is, and formulas that nobody has worked out."""

from dataclasses import dataclass, field

from resolver.domain.message import Message
from resolver.sheets.errors import UnreadableFile


@dataclass(slots=True)
class SheetInfo:
    """Filled while rows are read. `sheet` is the name of the one that is read, `sheets` those of an ODS up to it.

    A program that is no spreadsheet may write formulas without their results, and a reader of files works none out.
    `formulas` has for each column (by its index) how many of these the sheet has, and the row of the first.
    """

    sheet: str = ""
    sheets: list[str] = field(default_factory=list)
    formulas: dict[int, tuple[int, int]] = field(default_factory=dict)

    def add_formula(self, column: int, row: int) -> None:
        """One more without a result."""
        count, first = self.formulas.get(column, (0, row))
        self.formulas[column] = (count + 1, first)

    def nothing(self, refusal: UnreadableFile) -> UnreadableFile:
        """The refusal of a file in which nothing was found: because of the formulas, where there are some."""
        if not self.formulas:
            return refusal
        return without_results(min(first for _, first in self.formulas.values()))


def without_results(row: int) -> UnreadableFile:
    """The refusal of a workbook whose DOIs are formulas from this row on."""
    return UnreadableFile(
        Message(
            "The sheet has formulas without results. Open the workbook in a spreadsheet program, and save it there."
        ),
        row,
    )

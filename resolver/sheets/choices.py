"""What a person has chosen about a file, where what `look` found is wrong."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Choices:
    """None leaves it to be found. `delimiter` is "" for a plain list, `encoding` one of ENCODINGS, `column` the index
    of the column with the DOIs, `sheet` the place of the sheet among `sheet_names`."""

    delimiter: str | None = None
    encoding: str | None = None
    has_header: bool | None = None
    column: int | None = None
    sheet: int | None = None


NOTHING_CHOSEN = Choices()

"""The choices of a person or a program on how to read a file: sheet, encoding, separator, header row, column."""

from collections.abc import Mapping
from dataclasses import dataclass

from doi_reading import Message
from resolver.domain.foreign_text import parse_whole_number
from resolver.sheets.errors import NeedsChoice
from resolver.sheets.header.column_names import fold_name
from resolver.sheets.input.text.text_encoding import ENCODINGS, find_declared_codec, label_encoding


@dataclass(frozen=True, slots=True)
class LayoutChoices:
    """A person's choices. None leaves a setting to the detection.

    `delimiter` is "" for a plain list, `encoding` one of ENCODINGS, `column` an index, `sheet` a place among the names
    that `read_sheet_names` returns. `header_row` is the number of the row with the column names, as a spreadsheet shows
    it: rows above it are not read, and 0 means none. `has_header` is about the first row with text. `fields` are those
    of a bibliographic file that are read. `all_records`: see Layout. `declared_encoding` is no choice: see
    `find_encoding`.
    """

    delimiter: str | None = None
    encoding: str | None = None
    has_header: bool | None = None
    column: int | None = None
    sheet: int | None = None
    header_row: int | None = None
    fields: tuple[str, ...] | None = None
    all_records: bool = False
    declared_encoding: str = ""


NOTHING_CHOSEN = LayoutChoices()
DELIMITERS: Mapping[str, str] = {
    **{sign: sign for sign in (",", ";", "\t", "|")},
    **{"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|", "none": ""},
}
"""The column separators by the words of programs: the character or its name. "none" is a plain list."""
OPTIONS = ("sheet", "encoding", "delimiter", "header_row")
"""The choices of a program beside the column."""
LAST_HEADER_ROW = 1_000
HEADER_ROW = "[0-9]{1,3}|1000"
"""A pattern of the numbers up to LAST_HEADER_ROW."""
_LISTED_SHEETS = 20  # in a refusal


@dataclass(frozen=True, slots=True)
class LayoutOptions:
    """A program's choices: texts, "" for what is to be found. Equal ones mean the same, however they were written."""

    sheet: str = ""
    encoding: str = ""
    delimiter: str = ""
    header_row: str = ""

    @classmethod
    def of(cls, said: Mapping[str, str | None]) -> "LayoutOptions":
        """Return the options from values by the names in OPTIONS. Raises NeedsChoice for an impossible value."""
        header_row = (said.get("header_row") or "").strip()
        return cls(
            said.get("sheet") or "",
            _read_encoding((said.get("encoding") or "").strip()),
            _read_delimiter(said.get("delimiter") or ""),
            header_row and str(_read_row(header_row)),
        )

    def list_chosen(self) -> dict[str, str]:
        """Return what was chosen, by name."""
        return {name: value for name in OPTIONS if (value := getattr(self, name))}

    def find_field(self, error: NeedsChoice, column: str) -> str:
        """Return the field that caused the refusal: an option, or `column` if a column was named; "" if none did."""
        name = "header_row" if error.about == "has_header" else error.about
        chosen = self.list_chosen() | ({"column": column} if column else {})
        return name if name in chosen else ""

    def build_choices(self, sheets: list[str]) -> LayoutChoices:
        """Return the choices for a file with these sheets (none: a text). Raises NeedsChoice for what it hasn't."""
        if not sheets and self.sheet:
            reason = Message("The file isn't a workbook, so it has no sheets. Leave this setting empty.")
            raise NeedsChoice("sheet", reason)
        for name in ("encoding", "delimiter"):
            if sheets and getattr(self, name):
                reason = Message(
                    "This setting is only for text files, and the file is a workbook. Leave the setting empty."
                )
                raise NeedsChoice(name, reason)
        return LayoutChoices(
            delimiter=DELIMITERS[self.delimiter] if self.delimiter else None,
            encoding=self.encoding or None,
            sheet=_find_sheet(self.sheet, sheets) if self.sheet else None,
            header_row=int(self.header_row) if self.header_row else None,
        )


NO_OPTIONS = LayoutOptions()


_CODECS = {fold_name(name): codec for codec in ENCODINGS for name in (codec, label_encoding(codec))}
_CODECS |= dict.fromkeys(("latin1", "iso88591", "ascii"), "cp1252")  # of which they are parts
_CODECS |= {fold_name(f"windows-{codec[2:]}"): codec for codec in ENCODINGS if codec.startswith("cp125")}


def _read_encoding(said: str) -> str:
    if not said:
        return ""
    codec = _CODECS.get(fold_name(said[:100])) or _CODECS.get(fold_name(find_declared_codec(said)))
    if codec is None:
        reason = Message("We can't read this encoding. Choose one of these: {names}.", names=", ".join(ENCODINGS))
        raise NeedsChoice("encoding", reason)
    return codec


def _read_delimiter(said: str) -> str:
    if not said:
        return ""
    sign = DELIMITERS.get(said if said in DELIMITERS else said.strip().casefold())
    if sign is None:
        names = ", ".join(name for name in DELIMITERS if name.isalpha())
        reason = Message("Unknown column separator. Use the character or its name: {names}.", names=names)
        raise NeedsChoice("delimiter", reason)
    return next(name for name, one in DELIMITERS.items() if one == sign and name.isalpha())


def _read_row(said: str) -> int:
    row = parse_whole_number(said, LAST_HEADER_ROW + 1)
    if row is None or row > LAST_HEADER_ROW:
        raise NeedsChoice(
            "header_row",
            Message("Enter a row number from 0 to {count}. Use 0 if no row has column names.", count=LAST_HEADER_ROW),
        )
    return row


def _find_sheet(said: str, sheets: list[str]) -> int:
    """Return the place of the sheet with this name, in this or another case, or with this number, counted from 1."""
    if said in sheets:
        return sheets.index(said)
    folded, names = said.strip().casefold(), [name.strip().casefold() for name in sheets]
    if folded in names:
        return names.index(folded)
    number = parse_whole_number(folded, len(sheets) + 1)
    if number and number <= len(sheets):
        return number - 1
    listed = ", ".join(f"“{name}”" for name in sheets[:_LISTED_SHEETS])
    if (more := len(sheets) - _LISTED_SHEETS) > 0:
        listed = Message("{names} and {count} more", names=listed, count=more)
    reason = Message("The workbook doesn't have this sheet. Choose one of these: {names}.", names=listed)
    raise NeedsChoice("sheet", reason)

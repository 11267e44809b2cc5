"""How a file is laid out: found by `detect` or `detect_from_start`, stored with the job, and used by later readings."""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from resolver.domain.message import Message
from resolver.sheets.errors import NeedsChoice
from resolver.sheets.input.text_encoding import ENCODINGS, label_encoding

WorkbookKind = Literal["xlsx", "ods", "xls", "xlsb"]


@dataclass(frozen=True, slots=True)
class Layout:
    """Everything that is needed to read the file again. It is stored as JSON without loss.

    `header` has a name for every column: the file's own, unchanged, then "column 5" … for cells beyond them, and for
    all columns of a file without a header row. `delimiter` is "" for a plain list. If not `complete`, only the
    beginning was read: `total` rows were seen, wider ones may follow, and the encoding is a guess that the next reading
    confirms, unless a person chose it (`encoding_chosen`). `sheet` is the name of a workbook's sheet, `sheet_chosen`
    its place among the sheets if it was chosen. Rows above `header_row`, if that was chosen, are not read. `options` is
    what a program chose, so that a repeated request is recognised.
    """

    kind: Literal["csv"] | WorkbookKind
    encoding: str
    delimiter: str
    quoted: bool
    has_header: bool
    header: tuple[str, ...]
    column: int
    total: int
    gzipped: bool = False  # a layout stored by an earlier version does not say it, nor what follows
    complete: bool = True
    sheet: str = ""
    encoding_chosen: bool = False
    sheet_chosen: int | None = None
    header_row: int = 0
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def column_name(self) -> str:
        """The name of the column with the DOIs."""
        return self.header[self.column]

    @property
    def width(self) -> int:
        """How many cells `read_table` yields for each row."""
        return len(self.header)

    def cell(self, row: Sequence[str]) -> str:
        """Return the cell of a row that is to be read as a DOI."""
        return row[self.column] if self.column < len(row) else ""

    def grown(self, width: int, total: int, *, complete: bool = False) -> "Layout":
        """Return the layout after `total` rows, the widest of which has so many cells."""
        more = tuple(name_column(position) for position in range(self.width, width))
        total = total if complete else max(total, self.total)
        return dataclasses.replace(self, header=self.header + more, total=total, complete=complete)

    def to_json(self) -> dict[str, Any]:
        """Return the layout as JSON values."""
        return dataclasses.asdict(self) | {"header": list(self.header)}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Layout":
        """Return the layout of which `to_json` made this."""
        return cls(**{**value, "header": tuple(value["header"])})


def name_column(position: int) -> str:
    """Return the name of a column beyond the header row."""
    return f"column {position + 1}"


@dataclass(frozen=True, slots=True)
class LayoutChoices:
    """A person's choices. None leaves it to be found.

    `delimiter` is "" for a plain list, `encoding` one of ENCODINGS, `column` an index, `sheet` a place among
    `sheet_names`. `header_row` is the number of the row with the column names, as a spreadsheet shows it: rows above it
    are not read, and 0 means none. `has_header` is about the first row with text.
    """

    delimiter: str | None = None
    encoding: str | None = None
    has_header: bool | None = None
    column: int | None = None
    sheet: int | None = None
    header_row: int | None = None


NOTHING_CHOSEN = LayoutChoices()
DELIMITERS: Mapping[str, str] = {
    **{sign: sign for sign in (",", ";", "\t", "|")},
    **{"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|", "none": ""},
}
"""What programs may send for each column separator: itself or its name. "none" is a plain list."""
OPTIONS = ("sheet", "encoding", "delimiter", "header_row")
"""What a program may choose beside the column."""
LAST_HEADER_ROW = 1_000
_SHOWN_SHEETS = 20


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
            _encoding(said.get("encoding") or ""),
            _delimiter(said.get("delimiter") or ""),
            header_row and str(_row(header_row)),
        )

    def said(self) -> dict[str, str]:
        """Return what was chosen, by name."""
        return {name: value for name in OPTIONS if (value := getattr(self, name))}

    def field_of(self, error: NeedsChoice) -> str:
        """Return the option that caused the refusal, "" if none did."""
        name = "header_row" if error.about == "has_header" else error.about
        return name if name in self.said() else ""

    def choices(self, sheets: list[str]) -> LayoutChoices:
        """Return the choices for a file with these sheets (none: a text). Raises NeedsChoice for what it hasn't."""
        if not sheets and self.sheet:
            raise NeedsChoice(
                "sheet", Message("The file isn't a workbook, so it has no sheets. Leave this setting empty.")
            )
        for name in ("encoding", "delimiter"):
            if sheets and getattr(self, name):
                raise NeedsChoice(
                    name,
                    Message(
                        "This setting is only for text files, and the file is a workbook. Leave the setting empty."
                    ),
                )
        return LayoutChoices(
            delimiter=DELIMITERS[self.delimiter] if self.delimiter else None,
            encoding=self.encoding or None,
            sheet=_place(self.sheet, sheets) if self.sheet else None,
            header_row=int(self.header_row) if self.header_row else None,
        )


NO_OPTIONS = LayoutOptions()


def _plain(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))


_CODECS = {_plain(name): codec for codec in ENCODINGS for name in (codec, label_encoding(codec))}
_CODECS |= {_plain(f"windows-{codec[2:]}"): codec for codec in ENCODINGS if codec.startswith("cp125")}


def _encoding(said: str) -> str:
    codec = _CODECS.get(_plain(said[:100]))
    if said and codec is None:
        raise NeedsChoice(
            "encoding",
            Message("We can't read this encoding. Choose one of these: {names}.", names=", ".join(ENCODINGS)),
        )
    return codec or ""


def _delimiter(said: str) -> str:
    """Return the name of the separator."""
    if not said:
        return ""
    sign = DELIMITERS.get(said if said in DELIMITERS else said.strip().casefold())
    if sign is None:
        names = ", ".join(name for name in DELIMITERS if name.isalpha())
        raise NeedsChoice(
            "delimiter", Message("Unknown column separator. Use the character or its name: {names}.", names=names)
        )
    return next(name for name, one in DELIMITERS.items() if one == sign and name.isalpha())


def _row(said: str) -> int:
    if not (said.isascii() and said.isdecimal()) or len(said) > 9 or int(said) > LAST_HEADER_ROW:
        raise NeedsChoice(
            "header_row",
            Message("Enter a row number from 0 to {count}. Use 0 if no row has column names.", count=LAST_HEADER_ROW),
        )
    return int(said)


def _place(said: str, sheets: list[str]) -> int:
    """Return the place of the sheet with this name, in this or another case, or with this number, counted from 1."""
    if said in sheets:
        return sheets.index(said)
    folded, names = said.strip().casefold(), [name.strip().casefold() for name in sheets]
    if folded in names:
        return names.index(folded)
    if folded.isascii() and folded.isdecimal() and len(folded) < 6 and 1 <= int(folded) <= len(sheets):
        return int(folded) - 1
    listed = ", ".join(f"“{name}”" for name in sheets[:_SHOWN_SHEETS])
    if (more := len(sheets) - _SHOWN_SHEETS) > 0:
        listed = Message("{names} and {count} more", names=listed, count=more)
    raise NeedsChoice(
        "sheet", Message("The workbook doesn't have this sheet. Choose one of these: {names}.", names=listed)
    )

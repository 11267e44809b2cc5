"""The arguments and the final messages that checkdois and inspectdois share."""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError

from resolver.sheets.errors import NeedsChoice, UnreadableFile
from resolver.sheets.input.layout import Layout
from resolver.sheets.input.layout_choices import DELIMITERS, LayoutOptions
from resolver.sheets.input.read_as import describe_layout, list_notes
from resolver.sheets.input.text.text_encoding import ENCODINGS
from resolver.sheets.input.work_columns import WORK_FIELDS

_FILE_OPTIONS = {
    "column": ("NAME", "the column with the DOIs (default: found by header or content)"),
    "sheet": ("NAME", "the sheet of a workbook, by name or number (default: the first with content)"),
    "encoding": ("NAME", f"of a text: {', '.join(ENCODINGS)} (default: found by content)"),
    "delimiter": (
        "SIGN",
        "the column separator of a text: the character itself, or comma, semicolon, tab or bar; none for a plain list "
        "(default: found by content)",
    ),
    "header-row": (
        "N",
        "the row with the column names, numbered as in a spreadsheet; rows above it are left out; 0 if there is none "
        "(default: found by content)",
    ),
    "output": (
        "OUT",
        "file for the results; .csv, .tsv, .jsonl or .xlsx sets the format (default: CSV to standard output)",
    ),
}


def add_file_arguments(parser: ArgumentParser) -> None:
    """Add FILE, --column, the options for reading the file, and --output."""
    parser.add_argument(
        "file",
        metavar="FILE",
        help="CSV, tab- or semicolon-separated text, a plain list, XLSX, XLSB, XLS or ODS; - reads standard input",
    )
    for name, (metavar, meaning) in _FILE_OPTIONS.items():
        parser.add_argument(f"--{name}", metavar=metavar, help=meaning)


def read_options(given: Mapping[str, Any]) -> LayoutOptions:
    """Return the options for reading the file. An impossible value ends the command with exit status 2."""
    try:
        return LayoutOptions.of(given)
    except NeedsChoice as error:
        raise CommandError(f"--{error.about.replace('_', '-')}: {error.reason}", returncode=2) from error


_COLUMNS = ("expected", *(f"{field}_column" for field in WORK_FIELDS))


def build_command_error(name: str, error: UnreadableFile, options: LayoutOptions, column: str | None) -> CommandError:
    """Return the error of a command that can't read its file, with exit status 2 and the option at fault, if any."""
    about = options.find_field(error, column or "") if isinstance(error, NeedsChoice) else ""
    if isinstance(error, NeedsChoice) and error.about in _COLUMNS:
        about = error.about
    blamed = f"--{about.replace('_', '-')}: " if about else ""
    return CommandError(f"{name}: {blamed}{error}", returncode=2)


def summarize_outcomes(total: int, counts: Mapping[str, int]) -> str:
    """Return one line with the number of rows and of each outcome, the most frequent first."""
    parts = [f"{count:,} {name}" for name, count in Counter(counts).most_common() if count]
    return f"{total:,} {'row' if total == 1 else 'rows'}: {', '.join(parts) or 'nothing asked'}."


def describe_reading_of(layout: Layout) -> str:
    """Return a line that says how the file was read, and a line for each note about it."""
    read_as = describe_layout(layout)
    assumed = " (assumed)" if read_as["encoding_assumed"] else ""
    delimiter = read_as["delimiter"]
    described = {
        "sheet": read_as["sheet"],
        "header row": read_as["header_row"],
        "delimiter": next((name for name, sign in DELIMITERS.items() if sign == delimiter and name.isalpha()), None),
        "encoding": f"{read_as['encoding']}{assumed}" if read_as["encoding"] else None,
        "column": None if layout.is_bibliographic else layout.column_name,
    }
    said = "".join(f", {name} {value}" for name, value in described.items() if value is not None)
    return "\n".join((f"Read as {read_as['kind']}{said}.", *(str(note.message) for note in list_notes(layout))))

"""`manage.py inspectdois`: read a list of DOIs and report problems, without the network."""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from resolver.management.input_file import label_input_file, open_input_file
from resolver.management.list_command import (
    add_file_arguments,
    build_command_error,
    describe_reading_of,
    read_options,
    summarize_outcomes,
)
from resolver.management.output_file import open_output_file, refuse_other_format
from resolver.management.parallel_inspect import describe_reading, inspect_rows
from resolver.services.result_files.columns import list_columns
from resolver.services.result_files.json_members import build_object
from resolver.services.result_files.result_row import ResultRow
from resolver.sheets.errors import UnreadableFile
from resolver.sheets.input.layout import Layout
from resolver.sheets.input.layout_detection import detect_table_layout
from resolver.sheets.input.place_rows import read_unreadable
from resolver.sheets.input.preview import read_choices
from resolver.sheets.input.table import OperatorBounds, read_numbered_table
from resolver.sheets.output.result_table import ResultTable


class Command(BaseCommand):
    """Report reading and encoding problems: no network, no database, and memory that doesn't grow with the file."""

    help = "Reads a list of DOIs without the network: the same results file, with reading and encoding problems only."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options."""
        add_file_arguments(parser)

    def handle(self, *args: object, **options: Any) -> None:
        """Read all rows. Exit status 2 if the file can't be read or the results can't be written."""
        name, how, counts = options["file"], read_options(options), Counter[str]()
        refuse_other_format(options["output"])
        with (
            open_output_file(options["output"], name) as out,
            open_input_file(name) as given,
            TemporaryDirectory() as folder,
        ):
            path = Path(folder, "list")  # beside which the table of an XLS or XLSB is made
            path.symlink_to(given.absolute())
            try:
                layout = detect_table_layout(
                    path, options["column"], choices=read_choices(path, how, **_read_bounds()), **_read_bounds()
                )
                if options["verbosity"]:
                    self.stderr.write(describe_reading_of(layout), style_func=str)
                rows = _inspect_rows(path, layout, counts)
                out.write(ResultTable(layout.header, rows, list_columns(), build_object))
            except UnreadableFile as error:
                raise build_command_error(label_input_file(name), error, how, options["column"]) from error
            except KeyboardInterrupt:
                self.stderr.write("Interrupted: nothing was kept.")
                raise SystemExit(130) from None
        if options["verbosity"]:
            self.stderr.write(summarize_outcomes(layout.total, counts), style_func=str)


def _read_bounds() -> OperatorBounds:
    return {"max_rows": settings.MAX_ROWS, "max_field": settings.MAX_FIELD, "max_expanded": settings.MAX_EXPANDED}


def _inspect_rows(path: Path, layout: Layout, counts: Counter[str]) -> Iterator[ResultRow]:
    source = ((row, layout.get_cell(row[1])) for row in read_numbered_table(path, layout, **_read_bounds()))
    for line, ((number, cells), (found, counted)) in enumerate(inspect_rows(source, longest=settings.MAX_CELL), 1):
        if layout.is_bibliographic and (unreadable := read_unreadable(cells)):
            found, counted = describe_reading(unreadable, "")
        counts[counted] += 1
        yield ResultRow(cells=cells, line=line, row=number, **found)

"""`manage.py inspectdois`: read a list of DOIs and report problems, without the network."""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.core.management.base import BaseCommand

from resolver import conf
from resolver.management.arguments import add_file_arguments, command_error, read_options, summarize
from resolver.management.input_file import open_source, shown_name
from resolver.management.output_file import open_destination
from resolver.management.parallel_inspect import inspect_rows
from resolver.sheets.input.open import ReadingBounds
from resolver.sheets.input.preview import choices_from_options
from resolver.sheets.input.read import Layout, UnreadableFile, detect, read_table
from resolver.sheets.output.result_row import ResultRow


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
        with (
            open_destination(options["output"], name) as out,
            open_source(name) as given,
            TemporaryDirectory() as folder,
        ):
            path = Path(folder, "list")  # beside which the table of an XLS or XLSB is made
            path.symlink_to(given.absolute())
            try:
                layout = detect(
                    path, options["column"], choices=choices_from_options(path, how, **_bounds()), **_bounds()
                )
                out.write(layout.header, _inspected(path, layout, counts))
            except UnreadableFile as error:
                raise command_error(shown_name(name), error, how) from error
            except KeyboardInterrupt:
                self.stderr.write("Interrupted: nothing was kept.")
                raise SystemExit(130) from None
        if options["verbosity"]:
            self.stderr.write(summarize(layout.total, counts), style_func=str)


def _bounds() -> ReadingBounds:
    return {"max_rows": conf.max_rows(), "max_field": conf.max_field(), "max_expanded": conf.max_expanded()}


def _inspected(path: Path, layout: Layout, counts: Counter[str]) -> Iterator[ResultRow]:
    source = ((cells, layout.cell(cells)) for cells in read_table(path, layout, **_bounds()))
    for line, (cells, (found, counted)) in enumerate(inspect_rows(source, longest=conf.max_cell()), 1):
        counts[counted] += 1
        yield ResultRow(cells=cells, line=line, **found)

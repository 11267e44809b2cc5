"""`manage.py checkdois`: check a list from the shell, in this process."""

import signal
from argparse import ArgumentParser, BooleanOptionalAction
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files import File
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import Error as AnyDatabaseError
from django.db import connection

from resolver.domain.report.row_task import TASKS
from resolver.domain.work.evidence import VERDICTS
from resolver.management.check_chunks import check_free_chunks
from resolver.management.database_tables import are_tables_up_to_date, require_tables
from resolver.management.extra_processes import count_extra_processes, run_extra_processes
from resolver.management.input_file import label_input_file, open_input_file
from resolver.management.list_command import (
    add_file_arguments,
    build_command_error,
    describe_reading_of,
    read_options,
    summarize_outcomes,
)
from resolver.management.output_file import OutputFile, open_output_file, refuse_other_format
from resolver.management.progress_bar import progress_bar, show_check_progress
from resolver.models import Job, State
from resolver.services.accounts.owners import SHELL
from resolver.services.jobs import import_rows, lifecycle
from resolver.services.jobs.create import LayoutRequest, NewList, create_job
from resolver.services.jobs.import_rows import ROWS_IN_CHUNK
from resolver.services.maintenance.cleanup import prune_shell_jobs
from resolver.services.proxy_answers.configured_proxy import DoiProxy, proxy_from_settings
from resolver.services.results.export import build_results_table
from resolver.services.results.no_original_file import find_refusal
from resolver.services.results.original_file import iterate_original
from resolver.services.results.row_queries import RowFilter
from resolver.services.storage.clock import read_clock
from resolver.services.uploads.file_reader import ShellReader
from resolver.services.uploads.stored_uploads import UploadTooLarge
from resolver.sheets.errors import UnreadableFile
from resolver.sheets.input.layout import Layout
from resolver.sheets.input.layout_choices import LayoutOptions
from resolver.sheets.input.work_columns import WORK_FIELDS, WorkChoice
from resolver.sheets.left_out import LeftOut


class Command(BaseCommand):
    """Check a list with the reading, the checks and the results file of an upload, without a worker."""

    help = "Checks a list of DOIs at the DOI proxy and writes the results file."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options."""
        add_file_arguments(parser)
        parser.add_argument(
            "--quick",
            action="store_true",
            help="check only existence and agency, by Which RA: far fewer requests, no URLs",
        )
        parser.add_argument(
            "--write-back",
            metavar="OUT",
            help="write FILE again, with every suggestion that is not doubtful put in",
        )
        parser.add_argument(
            "--columns",
            action="store_true",
            help="add the columns corrected_doi and correction to the table of --write-back",
        )
        parser.add_argument(
            "--expected",
            metavar="NAME",
            help="the column with the web addresses to which the DOIs should lead: each row says how they differ",
        )
        parser.add_argument(
            "--compare",
            action="store_true",
            help="compare title and author of each row with what the agency of its DOI says; only DOIs are sent",
        )
        parser.add_argument(
            "--search",
            action="store_true",
            help="search for a DOI where a row has none, or not a right one; this sends title, author, journal and "
            "year of these rows to Crossref, DataCite, or the service of SEARCH_URL",
        )
        for field in WORK_FIELDS:
            parser.add_argument(
                f"--{field}-column",
                metavar="NAME",
                default="",
                help=f"the column with the {field} to compare or to search for; by default found by its name",
            )
        parser.add_argument(
            "--fail-on",
            metavar="VERDICT",
            choices=VERDICTS,
            action="append",
            default=[],
            help="end with exit status 1 if a row has this verdict about its work; may be repeated. "
            f"Verdicts: {', '.join(VERDICTS)}.",
        )
        parser.add_argument(
            "--task",
            metavar="CODE",
            choices=[*map(str, TASKS)],
            default="",
            help="write only the rows of this task. "
            + " ".join(f"{task}: {rows.sentence}." for task, rows in TASKS.items()),
        )
        parser.add_argument(
            "--split",
            action=BooleanOptionalAction,
            help="give each DOI of a cell a row of its own; by default only in a repository's column, such as "
            "dc.identifier.uri[], with values joined by ||",
        )

    def handle(self, *args: object, **options: Any) -> None:
        """Check all rows. Exit status 1 for a verdict of --fail-on, 2 if it couldn't run, 130 if it was interrupted."""
        name, how = options["file"], read_options(options)
        refuse_other_format(options["output"])
        _refuse_one_output(options["output"], options["write_back"])
        _refuse_works_options(options)
        columns = options["columns"]
        if columns and options["write_back"] is None:
            raise CommandError("--columns is for the table of --write-back. Name that, too.", returncode=2)
        with (
            _end_by_sigterm(),
            open_output_file(options["output"], name) as out,
            nullcontext() if options["write_back"] is None else open_output_file(options["write_back"], name) as back,
            open_input_file(name) as path,
        ):
            _need_tables()
            prune_shell_jobs(read_clock())
            proxy = proxy_from_settings()
            job = _create(path, name, options, how, proxy)
            try:
                if back and (reason := find_refusal(job, columns=columns)):
                    raise CommandError(f"--write-back: {reason}", returncode=2)
                self._run(job, out, proxy, RowFilter(task=options["task"]), verbose=bool(options["verbosity"]))
                if back:
                    back.write_blocks(iterate_original(job, "suggested", self._report_left_out, columns=columns))
            finally:
                lifecycle.delete_job(job)
        found = job.counts.get("work", {})
        if failed := [f"{found[word]:,} {word}" for word in options["fail_on"] if found.get(word)]:
            raise CommandError(f"Rows by their work: {', '.join(failed)}.", returncode=1)

    def _run(self, job: Job, out: OutputFile, proxy: DoiProxy, wanted: RowFilter, *, verbose: bool) -> None:
        try:
            with run_extra_processes(job.id, count_extra_processes(job.total, proxy.config.rate)):
                total = job.total if Layout.from_json(job.layout).complete else None
                with progress_bar("Reading", total=total, unit=" rows") as bar:
                    for _ in import_rows.read_into_rows(job.id):
                        # The last chunk is usually smaller.
                        bar.update(ROWS_IN_CHUNK if total is None else min(ROWS_IN_CHUNK, total - bar.n))
                job.refresh_from_db()  # the whole file has been read by now
                with show_check_progress(job.id, job.total):
                    check_free_chunks(job.id, proxy, reads=True)
        except KeyboardInterrupt:
            self._keep(job, out, wanted)
            raise SystemExit(128 + signal.SIGINT) from None  # as shells report a program that a signal ended
        job.refresh_from_db()
        out.write(build_results_table(job, wanted=wanted, as_cells=out.has_values))
        if job.state == State.FAILED:
            raise CommandError(f"{job.filename}: {job.error}", returncode=2)
        if verbose:
            self._say(describe_reading_of(Layout.from_json(job.layout)))
            self._say(summarize_outcomes(job.total, job.counts["outcome"]))
            if found := job.counts.get("found_by"):
                self._say(f"Searched for: {', '.join(f'{rows:,} {word}' for word, rows in sorted(found.items()))}.")

    def _keep(self, job: Job, out: OutputFile, wanted: RowFilter) -> None:
        lifecycle.cancel_job(job, now=read_clock())
        out.write(build_results_table(job, wanted=wanted, as_cells=out.has_values))
        every_row = "every row, those not checked with an empty outcome"
        held = f"the rows of {wanted.task}" if wanted.task else every_row
        self._say(
            f"Interrupted: {job.done:,} of {job.total:,} rows were checked. {out.name or 'The output'} has {held}. "
            "The answers are kept for a day: run it again to continue."
        )

    def _report_left_out(self, left: LeftOut) -> None:
        record = f"record {left.record}, " if left.record else ""
        self._say(f"Row {left.number}, {record}{left.field}: {left.name} was not written. {left.reason}")

    def _say(self, text: str) -> None:
        self.stderr.write(text, style_func=str)


def _need_tables() -> None:
    """Create the tables in the embedded SQLite; elsewhere end the command with exit status 2 if they aren't there."""
    try:
        # SQLite in the data folder belongs to the portal. A server's database belongs to its operator, who migrates it.
        if connection.vendor != "sqlite":
            require_tables()
        elif not are_tables_up_to_date():
            call_command("migrate", interactive=False, verbosity=0)
    except AnyDatabaseError as error:
        reason = str(error).strip().splitlines()
        raise CommandError(f"The database cannot be used: {reason[0] if reason else error!r}", returncode=2) from error


def _create(path: Path, name: str, given: Mapping[str, Any], how: LayoutOptions, proxy: DoiProxy) -> Job:
    try:
        with path.open("rb") as stream, progress_bar(f"Looking at {label_input_file(name)}", bar_format="{desc} …"):
            job, _ = create_job(
                File(stream),
                NewList(owner=SHELL, filename=label_input_file(name), quick=given["quick"]),
                proxy=proxy,
                now=read_clock(),
                wanted=LayoutRequest(
                    column=given["column"] or "",
                    expected_column=given["expected"] or "",
                    works=WorkChoice(given["compare"], given["search"]),
                    work_columns={field: given[f"{field}_column"] for field in WORK_FIELDS},
                    options=how,
                    split=given["split"],
                ),
                reader=ShellReader(),
            )
    except UnreadableFile as error:
        raise build_command_error(label_input_file(name), error, how, given["column"]) from error
    except UploadTooLarge as error:
        raise CommandError(f"{error} (The setting is MAX_UPLOAD_BYTES.)", returncode=2) from error
    return job


def _refuse_works_options(given: Mapping[str, Any]) -> None:
    """End the command with exit status 2 if works are asked for and must not be, or the other way round."""
    if given["compare"] and not settings.METADATA:
        raise CommandError("--compare: METADATA=0 forbids it.", returncode=2)
    if given["search"] and not settings.SEARCH:
        raise CommandError("--search: SEARCH=0 forbids it.", returncode=2)
    if given["search"] and given["quick"]:
        raise CommandError("--search: a quick check doesn't search. Leave out one of the two.", returncode=2)
    if given["fail_on"] and not given["compare"]:
        raise CommandError("--fail-on is for works. Add --compare.", returncode=2)
    option = next((field for field in WORK_FIELDS if given[f"{field}_column"]), None)
    if option and not (given["compare"] or given["search"]):
        raise CommandError(f"--{option}-column is for works. Add --compare or --search.", returncode=2)


def _refuse_one_output(output: str | None, back: str | None) -> None:
    """End the command with exit status 2 if the results and the file that is written back would go to one place."""
    if back is None:
        return
    results = "-" if output is None else output
    if back == results or ("-" not in (back, results) and Path(back).resolve() == Path(results).resolve()):
        raise CommandError("--output and --write-back name the same place. Choose another for one.", returncode=2)


@contextmanager
def _end_by_sigterm() -> Iterator[None]:
    """End the command on SIGTERM with an exception, so that its job and temporary files are removed."""

    def end(*_: object) -> None:
        raise SystemExit(128 + signal.SIGTERM)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)

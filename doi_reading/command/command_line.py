"""`doi-read [FILE …]`: read files, report what is wrong with their DOIs, and correct what is certain."""

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from doi_reading.command.file_text import FileText, RefusedFile, WrongFormat, read_text, replace_file
from doi_reading.command.findings import MOST_FINDINGS, DoiFinding, FileFindings, find_in_file
from doi_reading.command.formats import FORMATS
from doi_reading.command.input_files import STDIN, list_files
from doi_reading.command.installed_version import find_version
from doi_reading.command.outcomes import COULD_NOT_ASK, OUTCOMES
from doi_reading.command.output import REPORTS
from doi_reading.command.output.unified_diff import write_diff
from doi_reading.problems.catalogue import CATALOGUE

if TYPE_CHECKING:
    from doi_reading.command.check.registrations import Registrations

_FAILURES = {"error": ("error",), "warning": ("error", "warning"), "never": ()}
CLEAN, FOUND, UNREADABLE = 0, 1, 2
"""Exit statuses: nothing that --fail-on names; something; usage, or a file that couldn't be read or written."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit status."""
    options = _build_parser().parse_args(arguments)
    if options.fix and not options.diff and STDIN in options.files:
        _say("standard input can't be corrected in place: use --diff, or name a file")
        return UNREADABLE
    run = _Run(options)
    if (wrong := run.prepare()) is not None:
        _say(wrong)
        return UNREADABLE
    try:
        _print(run.show_changes() if options.diff else _encode(REPORTS[options.format](run.find(), options.pages)))
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            _say(f"the report can't be written: {error.strerror or error}")
            return UNREADABLE
    return run.status


class _Run:
    """One run over the files. `status` is the exit status so far."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._failures = _FAILURES[options.fail_on]
        self._ignored = frozenset[str](options.ignore)
        self._registrations: Registrations | None = None
        self.status = CLEAN

    def prepare(self) -> str | None:
        """Return why the run can't begin, None if it can."""
        if "" in self._options.files:
            return "a name of a file is empty"
        if sys.stdout is None:
            return "standard output is closed"
        if not self._options.check or self._options.diff:
            return None
        from doi_reading.command.check.registrations import Registrations
        from doi_reading.command.check.service import DOI_ORG, DoiService, UnusableSetting

        try:
            service = DoiService(os.environ.get("DOIPORTAL_URL") or DOI_ORG, self._options.contact)
        except UnusableSetting as error:
            return str(error)
        self._registrations = Registrations(service)
        if service.url == DOI_ORG and not self._options.contact:
            _say("without CONTACT_EMAIL, doi.org can't write to you before it blocks your address")
        return None

    def find(self) -> Iterator[DoiFinding]:
        """Yield the findings. With --fix the files are corrected, and what is left is yielded; with --check it is asked
        whether the DOIs that are left are registered."""
        files = (self._fix(one) if self._options.fix and one.edits else one for one in self._read_files())
        for found in self._check(files, self._registrations) if self._registrations else files:
            self._count(found)
            yield from found.findings

    def _check(self, files: Iterator[FileFindings], registrations: "Registrations") -> Iterator[FileFindings]:
        from doi_reading.command.check.checked_files import check_files

        yield from check_files(files, registrations, self._ignored)
        for why, count in registrations.count_failures().items():
            dois = "1 DOI" if count == 1 else f"{count:,} DOIs"
            _say(f"{registrations.service.url}: {dois} couldn't be checked: {why}")
            if COULD_NOT_ASK not in self._ignored:
                self.status = UNREADABLE

    def show_changes(self) -> Iterator[bytes]:
        """Yield the changes of --fix as a unified diff."""
        for found in self._read_files():
            self._count(found)
            if found.edits and (after := self._correct(found)) is not None:
                yield from write_diff(found.name, found.source, after)
                if found.source.charset.startswith("utf-16"):
                    _say(f"{found.name}: git skips its part of the diff, because it is in UTF-16; --fix corrects it")

    def _read_files(self) -> Iterator[FileFindings]:
        is_empty = True
        try:
            for name in list_files(self._options.files):
                is_empty = False
                if found := self._read_file(name, self._options.stdin_name if name == STDIN else name):
                    yield found
        except RefusedFile as error:
            self._refuse(error)
        if is_empty:
            _say("there are no files to read")

    def _read_file(self, name: str, shown: str) -> FileFindings | None:
        """Read a file; None if it can't be read. Of a folder, what isn't of its format is left out."""
        try:
            found = self._find_in(_read_file(name), shown)
        except WrongFormat as error:
            if name in self._options.files:
                self._refuse(f"{shown}: {error}")
            else:
                _say(f"{shown}: left out, because {error}")
            return None
        except RefusedFile as error:
            self._refuse(f"{shown}: {error}")
            return None
        if not found.is_whole:
            what = "findings or DOIs" if self._registrations else "findings"
            self._refuse(f"{shown}: it has more than {MOST_FINDINGS:,} {what}, so the rest of it wasn't read")
        return found

    def _find_in(self, source: FileText, name: str) -> FileFindings:
        return find_in_file(source, name, ignored=self._ignored, with_places=self._registrations is not None)

    def _fix(self, found: FileFindings) -> FileFindings:
        """Return what is left after the file has been corrected."""
        after = self._correct(found)
        if after is None:
            return found
        try:
            replace_file(Path(found.name), found.source.encode(after))
        except RefusedFile as error:
            self._refuse(f"{found.name}: {error}")
            return found
        _say(f"{found.name}: corrected")
        corrected = FileText(after, found.source.mark, found.source.charset)
        return self._find_in(corrected, found.name)

    def _correct(self, found: FileFindings) -> str | None:
        try:
            return found.correct()
        except RefusedFile as error:
            self._refuse(f"{found.name}: {error}")
            return None

    def _count(self, found: FileFindings) -> None:
        if any(one.severity in self._failures for one in found.findings):
            self.status = max(self.status, FOUND)

    def _refuse(self, why: object) -> None:
        _say(str(why))
        self.status = UNREADABLE


def _read_file(name: str) -> FileText:
    try:
        if name == STDIN:
            return read_text(sys.stdin.buffer)
        with Path(name).open("rb") as stream:
            return read_text(stream)
    except FileNotFoundError:
        raise RefusedFile("there is no such file") from None
    except OSError as error:
        raise RefusedFile(f"it can't be read: {error.strerror or error}") from error


def _encode(pieces: Iterable[str]) -> Iterator[bytes]:
    return (piece.encode("utf-8", "backslashreplace") for piece in pieces)


def _print(pieces: Iterable[bytes]) -> None:
    for piece in pieces:
        sys.stdout.buffer.write(piece)
    sys.stdout.flush()


def _say(text: str) -> None:
    sys.stderr.write(f"doi-read: {ascii(text)[1:-1] if not text.isprintable() else text}\n")


def _build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="doi-read",
        description="Reads files, reports what is wrong with their DOIs, and corrects what is certain. It opens no "
        "connection without --check. "
        f"Known formats: {', '.join(one[1:] for one in FORMATS)}; anything else is read as plain text.",
        epilog="Exit status: 0 if no problem has the severity of --fail-on, 1 if one has, 2 if a file couldn't be read "
        "or a DOI couldn't be checked.",
    )
    parser.add_argument(
        "files", nargs="*", default=[STDIN], metavar="FILE", help="files or folders; - for standard input"
    )
    parser.add_argument("--format", choices=REPORTS, default="text", help="the form of the report")
    parser.add_argument(
        "--fail-on", choices=_FAILURES, default="error", help="the severity from which on the exit status is 1"
    )
    parser.add_argument(
        "--fix",
        action="store_true",
        help="correct old resolvers, repeated prefixes, labels and links in fields for DOIs, and the encoding of "
        "links, in place",
    )
    parser.add_argument("--diff", action="store_true", help="show what --fix would change, and write nothing")
    parser.add_argument(
        "--check",
        action="store_true",
        help="check with doi.org, or the portal whose address is in DOIPORTAL_URL, whether the DOIs are registered. "
        "Only DOIs are sent: those of the files, and for one that isn't registered those that may be meant",
    )
    parser.add_argument(
        "--contact",
        metavar="ADDRESS",
        default=os.environ.get("CONTACT_EMAIL", ""),
        help="an e-mail address or a page (https://…) for those who run the server that --check uses; by default that "
        "of CONTACT_EMAIL",
    )
    parser.add_argument(
        "--ignore",
        metavar="CODE",
        choices=[*CATALOGUE, *OUTCOMES],
        action="append",
        default=[],
        help="report no such problem",
    )
    parser.add_argument(
        "--stdin-name", metavar="NAME", default="stdin.txt", help="the name of standard input; its ending is the format"
    )
    parser.add_argument(
        "--pages",
        metavar="URL",
        default=os.environ.get("DOIPORTAL_URL", "") and os.environ["DOIPORTAL_URL"].rstrip("/") + "/help/problems",
        help="the address of the pages that explain the codes, for sarif; by default those of DOIPORTAL_URL",
    )
    parser.add_argument("--version", action="version", version=find_version())
    return parser

"""The command `doiportal`: the whole portal in one terminal, and what operators and librarians run beside it."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import django
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line, load_command_class

from doiportal.supervisor.__main__ import refuse, supervise
from doiportal.version import VERSION

# The commands of ours that have a short name.
SHORT = {"check": "checkdois", "inspect": "inspectdois", "doctor": "doctor"}
MAKE_TABLES = frozenset({"migrate", "prepare"})
HELP = """\
Check DOIs in a portal of your own. Without a command this starts the portal
at http://127.0.0.1:8000/ and Ctrl-C ends it.

commands:
  check FILE    check a list of DOIs and write a results file
  inspect FILE  read a list of DOIs and report problems, without the network
  doctor        look at this installation and say what to do
  manage NAME   run a command for administrators; "doiportal manage help" lists them

"doiportal COMMAND --help" says more about a command.
"""
SETTINGS = """\
Settings are environment variables:
  PORT                the port of the web server (8000)
  DOIPORTAL_DATA_DIR  the folder of all data
  DOI_PROXY_URL       the DOI proxy to use (https://doi.org)
The manual for operators has all of them.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command. `arguments`: those of the shell by default. Return its exit code: 0 if all went well, 1 if a
    process of the portal died, 2 if it could not start. Raises SystemExit with the exit code of another command."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    command, rest = build_parser().parse_args(words[:1]).command, words[1:]  # each command reads the rest itself
    try:
        settings.INSTALLED_APPS  # noqa: B018 - reads the settings
    except ImproperlyConfigured as error:
        return refuse(str(error))
    if command is None:
        return supervise()
    if settings.DATA_DIR_IS_NEW:  # the portal itself says where its data is
        sys.stderr.write(f"doiportal: made a new data folder, {settings.DOIPORTAL_DATA_DIR}\n")
    with explain_trouble(rest):
        if command == "manage":
            execute_from_command_line(["doiportal manage", *rest])
        else:
            django.setup()
            load_command_class("resolver", SHORT[command]).run_from_argv(["doiportal", command, *rest])
    return 0


@contextmanager
def explain_trouble(arguments: Sequence[str]) -> Iterator[None]:
    """End a command with exit code 2 and a sentence if a setting is wrong, the database or Redis is away, a table is
    missing, or a file can't be used. `--traceback` among the arguments shows where."""
    try:
        yield
    except ImproperlyConfigured as error:
        if "--traceback" in arguments:
            raise
        sys.exit(refuse(str(error)))
    except Exception as error:  # what is no trouble of a store is raised again
        from django.db import DatabaseError

        from resolver.management.database_tables import (  # these read the settings
            are_tables_up_to_date,
            explain_old_tables,
        )
        from resolver.services.storage import storage_errors

        if storage_errors.is_store_away(error):
            why = storage_errors.AWAY
        elif storage_errors.is_unwritable(error):
            why = "The disk of the data folder or of the database is full or read-only, so nothing was stored."
        elif isinstance(error, PermissionError):
            why = "This account may not use a file or folder."
        elif isinstance(error, DatabaseError) and MAKE_TABLES.isdisjoint(arguments) and not are_tables_up_to_date():
            why = explain_old_tables()
        else:
            raise
        if "--traceback" in arguments:
            raise
        first_line = next(iter(str(error).strip().splitlines()), "")
        sys.exit(refuse(f"{why} ({type(error).__name__}: {first_line})"))


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="doiportal",
        usage="doiportal [--version] [--help] [COMMAND …]",
        description=HELP,
        epilog=SETTINGS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"doiportal {VERSION}")
    parser.add_argument("command", nargs="?", metavar="COMMAND", choices=[*SHORT, "manage"], help=argparse.SUPPRESS)
    return parser

"""Whether the tables of the database are those of this version, as most commands need them."""

from django.conf import settings
from django.core.management import CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor


def are_tables_up_to_date() -> bool:
    """Return whether the database has the tables of this version."""
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def require_tables() -> None:
    """End the command with exit status 2 if the tables aren't up to date, and name the command that makes them."""
    if not are_tables_up_to_date():
        raise CommandError(explain_old_tables(), returncode=2)


def explain_old_tables() -> str:
    """Return the sentence that names the command that makes the tables."""
    return f"The database is not up to date: run `{settings.MANAGE_COMMAND} prepare` first."

"""The tables that a command needs."""

from django.core.management import CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from resolver import conf


def are_tables_up_to_date() -> bool:
    """Return whether the database has the tables of this version."""
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def require_tables() -> None:
    """End the command with exit status 2 if the tables aren't up to date, and name the command that makes them."""
    if not are_tables_up_to_date():
        command = f"{conf.manage_command()} prepare"
        raise CommandError(f"The database is not up to date: run `{command}` first.", returncode=2)

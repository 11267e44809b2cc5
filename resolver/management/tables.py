"""The tables that a command needs: made on the spot in the embedded SQLite, asked for elsewhere."""

from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor


def need_tables() -> None:
    """Make sure that the tables are there and up to date; exit status 2 when they are not."""
    try:
        executor = MigrationExecutor(connection)
        if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return
        # SQLite under the data folder is ours alone. A server's database is its operator's, who migrates it.
        if connection.vendor != "sqlite":
            raise CommandError("The database is not up to date: run `python manage.py migrate` first.", returncode=2)
        call_command("migrate", interactive=False, verbosity=0)
    except DatabaseError as error:
        reason = str(error).strip().splitlines()
        raise CommandError(f"The database cannot be used: {reason[0] if reason else error!r}", returncode=2) from error

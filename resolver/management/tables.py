"""The database tables that a command needs: created in the embedded SQLite, required elsewhere."""

from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor


def need_tables() -> None:
    """Ensure that the tables exist and are up to date, else end the command with exit status 2."""
    try:
        executor = MigrationExecutor(connection)
        if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return
        # SQLite in the data folder belongs to the portal. A server's database belongs to its operator, who migrates it.
        if connection.vendor != "sqlite":
            raise CommandError("The database is not up to date: run `python manage.py migrate` first.", returncode=2)
        call_command("migrate", interactive=False, verbosity=0)
    except DatabaseError as error:
        reason = str(error).strip().splitlines()
        raise CommandError(f"The database cannot be used: {reason[0] if reason else error!r}", returncode=2) from error

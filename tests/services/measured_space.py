"""How much of the database its rows take."""

from django.db import connection

from resolver.services.health.storage_sizes import measure_database

DIFFERENCE = (
    185  # bytes of a difference between two lists, with its entries in indexes: 181 in PostgreSQL, less in SQLite
)


def measure_without_free_space() -> int:
    """Return the bytes of the database, without what other tests have left in it."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("VACUUM FULL resolver_row, resolver_difference")
            return measure_database()
        cursor.execute("SELECT freelist_count * page_size FROM pragma_freelist_count(), pragma_page_size()")
        return measure_database() - int(cursor.fetchone()[0])

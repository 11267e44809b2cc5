"""Django's PostgreSQL, but a kept connection is checked without a query to the server."""

import select

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """With CONN_HEALTH_CHECKS Django would send a query before each request's first."""

    def is_usable(self) -> bool:
        """Return whether the connection can be used. A server that ended it has sent something, which waits in the
        socket: then, and after an error, send Django's query."""
        silent = self.connection is not None and not self.connection.closed and not self.errors_occurred
        if silent and not _has_arrived(self.connection.fileno()):
            return True
        return super().is_usable()


def _has_arrived(file: int) -> bool:
    waiting = select.poll()  # not select(): that knows no file above 1,023
    waiting.register(file, select.POLLIN)
    return bool(waiting.poll(0))

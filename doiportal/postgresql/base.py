"""Django's PostgreSQL, but whether a kept connection still lives is seen without a question to the server."""

import select

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """Where CONN_HEALTH_CHECKS has Django send a query, and wait for its answer, before each request's first."""

    def is_usable(self) -> bool:
        """Whether the connection can be used. A server that ended it has said so: that lies in the socket. Where
        something lies there, and after an error, the server is asked."""
        silent = self.connection is not None and not self.connection.closed and not self.errors_occurred
        if silent and not _has_arrived(self.connection.fileno()):
            return True
        return super().is_usable()


def _has_arrived(file: int) -> bool:
    waiting = select.poll()  # not select(): that knows no file above 1,023
    waiting.register(file, select.POLLIN)
    return bool(waiting.poll(0))

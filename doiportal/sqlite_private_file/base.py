"""The connection to SQLite (Django's name for the module)."""

from pathlib import Path
from typing import Any

from django.db.backends.sqlite3 import base


class DatabaseWrapper(base.DatabaseWrapper):
    """SQLite makes its file with the rights that the umask leaves. The files beside it take after it."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Make the file with mode 0600, unless it is there: opening and closing it would free SQLite's own locks."""
        path = Path(conn_params["database"])
        if path.is_absolute() and path.parent.is_dir() and not path.exists():
            path.touch(mode=0o600)
        return super().get_new_connection(conn_params)

"""Django's SQLite, with a database that no other account on the machine may read."""

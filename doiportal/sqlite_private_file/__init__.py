"""Django's SQLite, whose database nobody else on the machine may read."""

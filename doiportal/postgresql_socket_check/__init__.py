"""The database engine where DATABASE_URL names a PostgreSQL: Django's own, with a cheaper look at kept connections."""

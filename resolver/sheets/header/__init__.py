"""The top of a table: how many rows stand above the header, and what the names of its columns say."""

"""The top of a table: the titles above the header, and the names of the columns."""

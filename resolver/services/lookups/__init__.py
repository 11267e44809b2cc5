"""One text looked up, and the history of such lookups."""

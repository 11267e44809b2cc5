"""The review of a list: a person's decisions about corrections, of one row or many, and undo."""

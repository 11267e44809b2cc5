"""The review of a list: a person's decisions about the corrections of its rows, one by one or many, and undo."""

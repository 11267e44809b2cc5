"""OpenDocument: the changed cells of a sheet, and their hyperlinks."""

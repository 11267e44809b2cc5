"""Handle records: the DOI proxy's answers about a name, read and written."""

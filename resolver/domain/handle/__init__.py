"""Handle records: what the DOI proxy says of a name, and what we answer in its words."""

"""What lookups and the rows of lists store of a report, as one table of its values."""

"""The rows of a list: found by filters, counted by facets, and written to files."""

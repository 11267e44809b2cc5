"""A DOI name: its syntax, and how it is written as URL, URI and URN."""

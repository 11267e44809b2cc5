"""The DOI name: its syntax, and its forms as URL, URI and URN."""

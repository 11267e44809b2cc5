"""The sample DOI proxy: a real server that answers as doi.org does, from its own records."""

"""What the DOI proxy says of names: from the cache, or from one request for all that wait."""

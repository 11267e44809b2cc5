"""What the DOI proxy says of names: from the cache, or asked for once for all who wait."""

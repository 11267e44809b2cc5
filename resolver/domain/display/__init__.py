"""Handle records in words, for the record page, the lookup page and the gateway's pages."""

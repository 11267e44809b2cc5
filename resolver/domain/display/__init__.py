"""Handle records in the words of a person: what the record page, the lookup page and the gateway's pages show."""

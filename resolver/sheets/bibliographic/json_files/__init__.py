"""JSON files: CSL-JSON and the answers of services, with the places of their members."""

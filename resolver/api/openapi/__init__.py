"""The description of the REST API: OpenAPI 3.1, and the page made from it."""

"""The bodies of requests and the objects of answers, field by field, for DRF and for the OpenAPI document."""

"""Requests and their answers, for the use cases: an attempt at a request, its first answer, and files to download."""

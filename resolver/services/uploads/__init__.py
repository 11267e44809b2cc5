"""Uploaded files: how many bytes may come, where they are stored, and who reads one while a person waits."""

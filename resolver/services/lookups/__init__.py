"""Texts looked up, their reports as stored columns and sentences, and the history of lookups."""

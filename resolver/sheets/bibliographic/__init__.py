"""Bibliographic files: the DOIs of their records, read and written back without a change to any other byte."""

"""Bibliographic files: the DOIs of their records, read where they stand, and put back without touching another byte."""

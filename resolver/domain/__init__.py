"""What a text means as a DOI name, and what an answer about it says: standard library only, no clock, no I/O."""

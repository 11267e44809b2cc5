"""The meaning of texts as DOI names, and of answers about them: standard library only, no clock, no I/O."""

"""The pages on which two runs of a list are compared."""

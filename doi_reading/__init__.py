"""What a text means as a DOI name, what is wrong with it, and what was probably meant: the standard library alone."""

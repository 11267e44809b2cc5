"""Whether a DOI stands for the work that a row describes: both sides, the comparison, and the evidence."""

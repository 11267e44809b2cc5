"""Whether the DOIs of rows stand for the works that the rows describe."""

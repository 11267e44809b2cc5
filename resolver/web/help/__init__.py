"""Help: outcomes, problems, agencies, and the encoding of names."""

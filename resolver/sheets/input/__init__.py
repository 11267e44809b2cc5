"""Reading tables: formats, encodings, delimiters, and the column that holds the DOIs."""

"""CSV, TSV and plain lists: the changed cells alone, byte for byte."""

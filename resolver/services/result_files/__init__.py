"""The rows of result files: their columns, and their members in JSON lines."""

"""What the rows of result files hold: their columns, and their members in JSON lines."""

"""How many DOIs a caller of the API may ask about in a minute."""

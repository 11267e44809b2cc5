"""The hosts to which the DOIs of a list lead, and whether their servers can be reached."""

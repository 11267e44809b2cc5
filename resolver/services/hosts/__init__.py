"""The hosts to which the DOIs of a list lead: collected, checked, exported."""

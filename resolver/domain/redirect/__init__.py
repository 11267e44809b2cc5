"""Where a name leads: URL values, 10320/loc locations, and content negotiation."""

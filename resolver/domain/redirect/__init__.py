"""Where a name leads: its URL values, 10320/loc locations, and content negotiation."""

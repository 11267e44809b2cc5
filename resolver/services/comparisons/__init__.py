"""A list checked again, and two runs compared."""

"""What an operator's programs ask: which workers are alive, and whether the portal can work."""

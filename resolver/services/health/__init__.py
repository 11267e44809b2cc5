"""What operators and their programs check: which workers are alive, and whether the portal can work."""

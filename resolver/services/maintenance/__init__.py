"""The upkeep of a running portal: what is removed with time, and what the operation page shows."""

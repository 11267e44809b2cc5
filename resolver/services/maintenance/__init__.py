"""The upkeep of a running portal: the cleanup, and the data of the operation page."""

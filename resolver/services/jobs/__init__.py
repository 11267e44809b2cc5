"""Lists: taken in, read into rows, checked by workers, retried."""

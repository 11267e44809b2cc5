"""Lists: taken in, checked by workers, retried, filtered, and exported."""

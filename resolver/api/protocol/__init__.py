"""What all endpoints share: who may call, what a request may hold, and the limits, pages and ETags of answers."""

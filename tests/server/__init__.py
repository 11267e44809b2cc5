"""The web server: what HTTP asks of it, and slow clients."""

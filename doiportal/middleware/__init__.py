"""The middlewares of the portal."""

"""The log: its lines as text or JSON, and the ids that stand in them."""

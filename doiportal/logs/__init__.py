"""The log: its lines as text or JSON, and the ids in each line."""

"""Logging in: how often somebody may guess a password, and how many passwords are hashed at a time."""

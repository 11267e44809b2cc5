"""Webhooks: which there are, the events that they are told, and how these are delivered."""

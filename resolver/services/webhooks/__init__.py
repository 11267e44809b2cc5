"""Webhooks: their registration, their events, and the deliveries of these."""

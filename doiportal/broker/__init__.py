"""Celery's brokers, scheduler and processes, so that no full disk, kill or lost connection stops them."""

"""Watches: when they run, what a run finds, what is told of it and to whom."""

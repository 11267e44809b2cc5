"""Watches: their schedule, their runs, the changes that a run finds, and the mails about them."""

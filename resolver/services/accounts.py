"""Accounts are Django's; what belonged to one goes with it."""

from resolver.services.jobs import lifecycle
from resolver.services.lookups import history


def forget(owner: str) -> None:
    """Remove an owner's jobs and lookups, since nobody else may see them. A job that runs stops: whoever works on it
    finds it gone."""
    for job in history.jobs(owner):
        lifecycle.delete(job)
    history.delete_lookups(owner)

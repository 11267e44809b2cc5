"""What nobody can see any more, since it belonged to an account that was deleted."""

from resolver.services import history, jobs


def forget_owner(owner: str) -> None:
    """Remove an owner's jobs and lookups, since nobody else may see them. A job that runs stops: whoever works on it
    finds it gone."""
    for job in history.jobs(owner):
        jobs.delete(job)
    history.delete_lookups(owner)

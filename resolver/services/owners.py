"""Whose history and jobs they are: a user's, or an anonymous session's; invisible to everybody else."""

import secrets
from typing import Any

from resolver.services.jobs import lifecycle
from resolver.services.lookups import history

SESSION_KEY = "owner"
SHELL = "shell"  # the jobs of `checkdois`
NOBODY = "session:"  # nothing is ever stored under it


def owner_of(request: Any) -> str:
    """The owner that a request acts for. What an anonymous session stored becomes the user's once they log in."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return of_session(request.session)
    owner = of_user(user)
    if SESSION_KEY in request.session:
        history.adopt(_session_owner(request.session.pop(SESSION_KEY)), owner)
    return owner


def reader_of(request: Any) -> str:
    """The owner whose objects a request reads. Who has stored nothing owns nothing, and gets no session for looking."""
    known = request.user.is_authenticated or SESSION_KEY in request.session
    return owner_of(request) if known else NOBODY


def of_user(user: Any) -> str:
    """A user of Django's accounts."""
    return f"user:{user.pk}"


def of_session(session: Any) -> str:
    """An anonymous session: a random token of its own, since Django changes the session's key at log-in."""
    if SESSION_KEY not in session:
        session[SESSION_KEY] = secrets.token_urlsafe(24)
    return _session_owner(session[SESSION_KEY])


def forget(owner: str) -> None:
    """Remove an owner's jobs and lookups with the account, since nobody else may see them. A job that runs stops:
    whoever works on it finds it gone."""
    for job in history.jobs(owner):
        lifecycle.delete(job)
    history.delete_lookups(owner)


def _session_owner(token: str) -> str:
    return f"session:{token}"

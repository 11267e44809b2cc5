"""Whose history a page reads: `services.owners` says it, but looking around must not make a session."""

from django.http import HttpRequest

from resolver.services.owners import SESSION_KEY, owner_of

__all__ = ["owner_of", "reader"]


def reader(request: HttpRequest) -> str:
    """Like `owner_of`; empty for a visitor who has stored nothing so far, and who therefore owns nothing."""
    known = request.user.is_authenticated or SESSION_KEY in request.session
    return owner_of(request) if known else ""

"""Whose objects a request is about."""

from rest_framework.request import Request

from resolver.services import owners

NOBODY = "session:"


def storing(request: Request) -> str:
    """The owner of what is about to be stored; an anonymous caller gets a session for it."""
    return owners.owner_of(request)


def reading(request: Request) -> str:
    """The owner whose objects are read. Who has stored nothing owns nothing, and gets no session for looking."""
    if request.user.is_authenticated or owners.SESSION_KEY in request.session:
        return owners.owner_of(request)
    return NOBODY

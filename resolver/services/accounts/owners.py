"""Owners of lookups, drafts and jobs: an account, or an anonymous session. No owner sees objects of another."""

import logging
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from typing import Any

import redis
from django.core.cache import cache
from django.db import Error as AnyDatabaseError
from django.db import transaction
from django.db.models import BigAutoField

from resolver.domain.foreign_text import parse_whole_number
from resolver.models import Draft, Job, Lookup, Watch
from resolver.services.doi_limits.doi_limit import name_address
from resolver.services.http.idempotent_requests import transfer_answers

SESSION_KEY = "owner"
SHELL = "shell"  # the jobs of `checkdois`
OF_ACCOUNTS = "user:"  # the beginning of owners that are accounts
NO_OWNER = "session:"  # nothing is ever stored under it

log = logging.getLogger(__name__)


def get_owner(request: Any) -> str:
    """Return the owner of a request: the account, after `adopt_session`, or the session, which gets one if needed."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return get_session_owner(request.session)
    adopt_session(request)
    return get_user_owner(user)


def adopt_session(request: Any, account: Any = None) -> None:
    """Give the account of a request what its session stored before the login. A token is no login.

    `account`: the account that `give_session_to` is about to log in. An account that is logged in already in this
    browser takes precedence. After a login elsewhere, as in the admin, the next request adopts the session.
    """
    if SESSION_KEY in request.session and getattr(request, "auth", None) is None:
        owner = get_user_owner(request.user if request.user.is_authenticated else account)
        transfer_ownership(_build_session_owner(request.session.pop(SESSION_KEY)), owner)


@contextmanager
def give_session_to(request: Any, account: Any) -> Iterator[None]:
    """Give the account what the session has stored, and log in within this.

    The objects are moved before the login, which gives the session another key. If the portal failed or was killed
    then, the browser would never learn that key, and the session would be lost. If the login fails, later objects of
    the browser stay its own: it can't see the account.
    """
    token = request.session.get(SESSION_KEY)
    try:
        adopt_session(request, account)
        yield
    except BaseException:
        if token:
            with suppress(OSError, redis.RedisError):
                cache.delete(_build_moved_key(_build_session_owner(token)))
        raise


def follow_login(request: Any) -> None:
    """Give the account what this request has stored for its session, if the browser has logged in meanwhile. Call it
    after everything is stored: the login moves what is stored before it."""
    if request.user.is_authenticated or SESSION_KEY not in request.session:
        return
    owner, account = _build_session_owner(request.session[SESSION_KEY]), None
    # Objects that stay with the session are better than an error after they are stored.
    with suppress(OSError, redis.RedisError):
        account = cache.get(_build_moved_key(owner))
    if account:
        try:
            transfer_ownership(owner, account)
        except AnyDatabaseError:
            log.warning("What a request stored during its browser's login isn't given to the account.", exc_info=True)


def get_owner_for_reading(request: Any) -> str:
    """Return the owner whose objects a request reads: NO_OWNER if nothing is stored, so reading makes no session."""
    known = request.user.is_authenticated or SESSION_KEY in request.session
    return get_owner(request) if known else NO_OWNER


def get_user_owner(user: Any) -> str:
    """Return the owner of a Django account."""
    return get_account_owner(user.pk)


def get_account_owner(account_id: int) -> str:
    """Return the owner of the account with this number."""
    return f"{OF_ACCOUNTS}{account_id}"


def find_account_id(owner: str) -> int | None:
    """Return the number of the account that is this owner; None for a session or the shell."""
    number = owner.removeprefix(OF_ACCOUNTS)
    return parse_whole_number(number, BigAutoField.MAX_BIGINT) if number != owner else None


def get_session_owner(session: Any) -> str:
    """Return the owner of an anonymous session: a random token, because a login changes the session's key."""
    if SESSION_KEY not in session:
        session[SESSION_KEY] = secrets.token_urlsafe(24)
    return _build_session_owner(session[SESSION_KEY])


def get_sharer(request: Any) -> str:
    """Return the address in whose turns the lists of a request without an account are served: one for the /64 of an
    IPv6 address, as a digest that the address can't be read from; "" with an account."""
    return "" if request.user.is_authenticated else name_address(request)


def get_decider_name(request: Any) -> str:
    """Return the name under which a request's decisions are kept: that of the account; "" for a session."""
    return str(request.user.get_username()) if request.user.is_authenticated else ""


def transfer_ownership(old_owner: str, new_owner: str) -> None:
    """Give everything of one owner to another.

    A request under way may still store something for the old owner. So the move is noted in the cache first, for longer
    than a request takes, and the request calls `follow_login` after it has stored its objects.
    """
    with suppress(OSError, redis.RedisError):  # a full disk or Redis that is away prevents no login
        cache.set(_build_moved_key(old_owner), new_owner, timeout=600)
    with transaction.atomic():
        # First, as in the deletion of a list: otherwise both would wait for each other.
        Watch.objects.filter(owner=old_owner).update(owner=new_owner)
        taken = Job.objects.filter(owner=new_owner).exclude(idempotency_key="").values("idempotency_key")
        Job.objects.filter(owner=old_owner, idempotency_key__in=taken).update(idempotency_key="")
        transfer_answers(old_owner, new_owner)
        for model in (Lookup, Job, Draft):
            model.objects.filter(owner=old_owner).update(owner=new_owner)
        Job.objects.filter(owner=new_owner).exclude(sharer="").update(sharer="")


def _build_moved_key(owner: str) -> str:
    return f"moved:{sha256(owner.encode()).hexdigest()}"


def _build_session_owner(token: str) -> str:
    return f"session:{token}"

"""API tokens: made once, shown once, found by their hash."""

import secrets
from datetime import datetime, timedelta
from hashlib import sha256

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from resolver.models import ApiToken, TokenScope
from resolver.models.single_objects import find_object

PREFIX = "doiportal_"  # so that a person, or a program that looks for leaked keys, knows what it is
MOST_TOKENS = 50  # of one account
LONGEST_NAME = 100  # characters
LONGEST_LIFE_DAYS = 3650
USED_EVERY = timedelta(minutes=1)  # how exact `last_used_at` is, so that few requests write it


class TokenNameTaken(ValueError):
    """The account has a token with this name already."""


class TooManyTokens(ValueError):
    """The account has MOST_TOKENS tokens."""


def create_token(
    account: User, name: str, scope: TokenScope, *, now: datetime, days: int | None = None
) -> tuple[ApiToken, str]:
    """Store a token for the account, and return it with its key, which is stored nowhere. `days`: how long it lasts;
    None: until it is revoked. Raises TokenNameTaken and TooManyTokens."""
    key = PREFIX + secrets.token_urlsafe(32)  # bytes: too many to guess, so a fast hash is enough
    ends_at = None if days is None else now + timedelta(days=days)
    try:
        with transaction.atomic():
            # Tokens of one account are made one after the other: two at once could pass the bound together.
            User.objects.select_for_update().get(pk=account.pk)
            if ApiToken.objects.filter(account=account).count() >= MOST_TOKENS:
                raise TooManyTokens
            token = ApiToken.objects.create(
                account=account, name=name, scope=scope, digest=_digest(key), created_at=now, ends_at=ends_at
            )
    except IntegrityError as error:
        raise TokenNameTaken from error
    return token, key


def find_token(key: str, *, now: datetime) -> ApiToken | None:
    """Return the token with this key, and remember that it was used; None if it is unknown, has ended or was revoked,
    or its account is not active."""
    if len(key) > 200:  # no key is as long
        return None
    token = find_object(ApiToken, digest=_digest(key))
    if token is None or (token.ends_at is not None and token.ends_at <= now):
        return None
    account = find_object(User, pk=token.account_id)
    if account is None or not account.is_active:
        return None
    token.account = account
    stale_at = now - USED_EVERY
    if token.last_used_at is None or token.last_used_at <= stale_at:
        stale = Q(last_used_at=None) | Q(last_used_at__lte=stale_at)
        ApiToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)
    return token


def list_tokens(account: User) -> QuerySet[ApiToken]:
    """Return the account's tokens, the newest first; those that have ended too."""
    return ApiToken.objects.filter(account=account).order_by("-created_at", "-pk")


def revoke_token(token: ApiToken) -> None:
    """Delete the token: its key is refused from now on."""
    token.delete()


def _digest(key: str) -> str:
    return sha256(key.encode("utf-8", "surrogatepass")).hexdigest()

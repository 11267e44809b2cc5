"""People who have logged in at a server in front, which names them and their groups (REMOTE_USER_HEADER)."""

from typing import Any

from django.contrib.auth.backends import RemoteUserBackend
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User

from resolver.services.logins.identities import is_bound
from resolver.services.logins.usernames import find_named, is_username


class LoggedInBefore(RemoteUserBackend):
    """Makes an account without a password at a person's first login. An account with a password is not theirs: it was
    made here, perhaps by another person of the same name. Nor is one that is bound to an identity."""

    def authenticate(self, request: Any, *args: Any, **credentials: Any) -> Any:
        """Return the account of `remote_user`, or None if this person can't have it, or a password was sent instead."""
        remote_user = credentials.get("remote_user", "")
        if not is_username(remote_user):
            return None
        user = find_named(remote_user) or _make_account(remote_user)
        return user if self.user_can_authenticate(user) and _is_theirs(user) else None


def find_remote_account(remote_user: str) -> User | None:
    """Return the account of a person who has logged in so before."""
    account = find_named(remote_user)
    return account if account is not None and _is_theirs(account) else None


def _make_account(name: str) -> User:
    # In one step: an account without this mark counts as one with a password, and would be lost to its person.
    account, _ = User.objects.get_or_create(username=name, defaults={"password": make_password(None)})
    return account


def _is_theirs(account: User) -> bool:
    return not account.has_usable_password() and not is_bound(account)

"""People who have logged in at a server before the portal, which names them and their groups (REMOTE_USER_HEADER)."""

from collections.abc import Collection
from typing import Any

from django.contrib.auth.backends import RemoteUserBackend
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User

from resolver import conf

LONGEST = 150  # characters of the name of an account


class LoggedInBefore(RemoteUserBackend):
    """Makes an account without a password for a person who comes for the first time. An account with a password is not
    theirs: it was made here, perhaps by somebody else of the same name."""

    def authenticate(self, request: Any, *args: Any, **credentials: Any) -> Any:
        """Return the account of `remote_user`, or None if this person can't have it, or a password was sent instead."""
        remote_user = credentials.get("remote_user", "")
        if not remote_user or len(remote_user) > LONGEST or not remote_user.isprintable():
            return None
        # In one step: an account without this mark counts as one with a password, and would be lost to its person.
        name = self.clean_username(remote_user)
        User.objects.get_or_create(username=name, defaults={"password": make_password(None)})
        user = super().authenticate(request, remote_user)
        return None if user is None or user.has_usable_password() else user


def may_use(groups: Collection[str]) -> bool:
    """Return whether a person of these groups may use the portal."""
    wanted = conf.remote_user_groups() | conf.remote_admin_groups()
    return not conf.remote_user_groups() or not wanted.isdisjoint(groups)


def update_rights(user: User, groups: Collection[str]) -> None:
    """Let a person of these groups administer the portal, or no longer. An account with a password keeps its rights,
    and so does everyone if the settings name no group."""
    if user.has_usable_password() or not conf.remote_admin_groups():
        return
    is_admin = not conf.remote_admin_groups().isdisjoint(groups)
    if (user.is_staff, user.is_superuser) != (is_admin, is_admin):
        user.is_staff = user.is_superuser = is_admin
        user.save(update_fields=["is_staff", "is_superuser"])

"""The rights that groups of a server in front or an identity provider give: one rule for all ways to log in."""

from collections.abc import Collection
from dataclasses import dataclass

from django.contrib.auth.models import User


@dataclass(frozen=True, slots=True)
class GroupRights:
    """The groups that may use the portal (none: everyone may), and those that may administer it, and use it (none: an
    administrator gives this right in the admin pages)."""

    users: Collection[str]
    admins: Collection[str]

    def let_in(self, groups: Collection[str]) -> bool:
        """Return whether a person of these groups may use the portal."""
        return not self.users or not {*self.users, *self.admins}.isdisjoint(groups)

    def update(self, user: User, groups: Collection[str]) -> None:
        """Let a person of these groups administer the portal, or no longer. An account with a password keeps its
        rights, and so does everyone if no group administers."""
        if user.has_usable_password() or not self.admins:
            return
        is_admin = not set(self.admins).isdisjoint(groups)
        if (user.is_staff, user.is_superuser) != (is_admin, is_admin):
            user.is_staff = user.is_superuser = is_admin
            user.save(update_fields=["is_staff", "is_superuser"])


def read_groups(named: object) -> frozenset[str]:
    """Return the groups in a text that separates them by commas, or the texts of a list. In a list a comma separates
    nothing: people may choose the names of groups, and must not get into another group by one."""
    texts = named.split(",") if isinstance(named, str) else named if isinstance(named, list | tuple) else []
    return frozenset(text.strip() for text in texts if isinstance(text, str) and text.strip())

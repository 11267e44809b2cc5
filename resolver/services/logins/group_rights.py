"""What people may do by the groups that a server or an identity provider names: one rule for all ways to log in."""

from collections.abc import Collection
from dataclasses import dataclass

from django.contrib.auth.models import User

from resolver import conf


@dataclass(frozen=True, slots=True)
class GroupRights:
    """The groups that may use the portal (none: everyone may), and those that may administer it, and use it (none: an
    administrator gives this right in the admin pages)."""

    users: frozenset[str]
    admins: frozenset[str]

    def let_in(self, groups: Collection[str]) -> bool:
        """Return whether a person of these groups may use the portal."""
        return not self.users or not (self.users | self.admins).isdisjoint(groups)

    def update(self, user: User, groups: Collection[str]) -> None:
        """Let a person of these groups administer the portal, or no longer. An account with a password keeps its
        rights, and so does everyone if no group administers."""
        if user.has_usable_password() or not self.admins:
            return
        is_admin = not self.admins.isdisjoint(groups)
        if (user.is_staff, user.is_superuser) != (is_admin, is_admin):
            user.is_staff = user.is_superuser = is_admin
            user.save(update_fields=["is_staff", "is_superuser"])


def build_remote_group_rights() -> GroupRights:
    """Return the rule for people whom a server in front names."""
    return GroupRights(conf.remote_user_groups(), conf.remote_admin_groups())


def build_oidc_group_rights() -> GroupRights:
    """Return the rule for people whom the OpenID provider names."""
    return GroupRights(conf.oidc_user_groups(), conf.oidc_admin_groups())


def build_saml_group_rights() -> GroupRights:
    """Return the rule for people whom the SAML identity provider names."""
    return GroupRights(conf.saml_user_groups(), conf.saml_admin_groups())


def read_groups(named: object) -> frozenset[str]:
    """Return the groups in a text that separates them by commas, or those of a list, each of which is one group: people
    may choose the names of groups, and a comma in one must not name another. Anything else in a list names no group."""
    texts = named.split(",") if isinstance(named, str) else named if isinstance(named, list | tuple) else []
    return frozenset(text.strip() for text in texts if isinstance(text, str) and text.strip())

"""Accounts of people who log in at an identity provider. An account is bound to the provider and to the subject, which
stays with one person: usernames and e-mail addresses may be given to another."""

from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field

from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from resolver.services.logins.group_rights import GroupRights
from resolver.services.logins.usernames import find_named, is_username


class LoginRefused(Exception):
    """A person has logged in at the provider, and may not use the portal."""


class NoGroupMayUse(LoginRefused):
    """None of the person's groups may use the portal."""


class AccountNotTheirs(LoginRefused):
    """The account has a password, was bound to another identity, or is switched off."""


class NoUsername(LoginRefused):
    """The provider named no username, or one that an account can't have."""


@dataclass(frozen=True, slots=True)
class Identity:
    """A person, as a provider names them. `provider`: kind and issuer; `subject`: an identifier that never passes to
    another person."""

    provider: str
    subject: str
    username: str
    groups: Collection[str] = field(default=frozenset())


def log_in_identity(identity: Identity, rights: GroupRights) -> User:
    """Return the person's account with the rights of the groups. Makes it at the first login, without a password. A
    person who is refused loses the right to administer. Raises NoGroupMayUse, AccountNotTheirs and NoUsername."""
    account = find_account(identity)
    if account is not None:
        rights.update(account, identity.groups)
    if not rights.let_in(identity.groups):
        raise NoGroupMayUse
    if account is None:
        account = _make_account(identity)
        rights.update(account, identity.groups)
    if account.has_usable_password() or not account.is_active:
        raise AccountNotTheirs
    return account


def find_account(identity: Identity) -> User | None:
    """Return the account that is bound to the identity."""
    return User.objects.filter(socialaccount__provider=identity.provider, socialaccount__uid=identity.subject).first()


def list_identities(account: User) -> QuerySet[SocialAccount]:
    """Return the identities that the account is bound to: one, or none."""
    found: QuerySet[SocialAccount] = SocialAccount.objects.filter(user=account).order_by("pk")
    return found


def is_bound(account: User) -> bool:
    """Return whether the account belongs to an identity."""
    return list_identities(account).exists()


def _make_account(identity: Identity) -> User:
    name = User.normalize_username(identity.username).strip()
    if not is_username(name):
        raise NoUsername
    if find_named(name) is None:
        # Unless another login takes the name at this moment, or makes the account of the same person.
        with suppress(IntegrityError), transaction.atomic():
            # In one step: an account without this mark counts as one with a password, and would be lost to its person.
            account = User.objects.create(username=name, password=make_password(None))
            SocialAccount.objects.create(user=account, provider=identity.provider, uid=identity.subject)
            return account
    theirs = find_account(identity)
    if theirs is None:
        raise AccountNotTheirs
    return theirs

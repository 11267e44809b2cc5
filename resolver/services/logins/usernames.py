"""Usernames that a server in front or an identity provider gives. In directories `ada` and `Ada` are one person."""

from django.contrib.auth.models import User


def is_username(name: str) -> bool:
    """Return whether an account may have this name: a character that can't be seen could make it look like another."""
    return bool(name) and len(name) <= 150 and name.isprintable()


def find_named(name: str) -> User | None:
    """Return the account of this name; if there is none, the oldest whose name differs only in case, A to Z.

    Other letters count as they are: databases differ about them, and take different letters for one. In
    PostgreSQL the upper case of `ı` is `I`, so `admın` would be `admin`.
    """
    if not is_username(name):
        return None
    if account := User.objects.filter(username=name).first():
        return account
    alike = User.objects.filter(username__iexact=name).order_by("pk")
    return next((account for account in alike if _fold(account.username) == _fold(name)), None)


def _fold(name: str) -> bytes:
    return name.encode().lower()  # of bytes, these are A to Z alone

"""The mail address of an account: stored, confirmed by a link, and stopped by another one."""

import secrets
from datetime import datetime, timedelta
from hashlib import sha256

from django.contrib.auth.models import User
from django.utils.crypto import constant_time_compare

from resolver import conf
from resolver.models import MailAddress

ASK_AGAIN = timedelta(minutes=1)  # between two links for one account: nobody is to be flooded by it
VALID = timedelta(days=3)  # of a link
_ACCOUNT = "user:"
_BYTES = 24  # of chance


class AskedTooSoon(Exception):
    """A link was sent to this account's address a moment ago."""


def set_address(account: User, address: str, *, portal: str, language: str, now: datetime) -> tuple[MailAddress, str]:
    """Store the address, which counts once it is confirmed. Return it, and the token for the link to be sent. Raises
    AskedTooSoon."""
    earlier = MailAddress.objects.filter(account=account).first()
    if earlier is not None and earlier.confirm_digest and now - earlier.created_at < ASK_AGAIN:
        raise AskedTooSoon
    token = secrets.token_urlsafe(_BYTES)
    stored, _ = MailAddress.objects.update_or_create(
        account=account,
        defaults={
            "address": address,
            "language": language,
            "portal": portal.rstrip("/"),
            "created_at": now,
            "confirm_digest": _digest(token),
            "confirmed_at": None,
            "stopped_at": None,
            "stop_token": secrets.token_urlsafe(_BYTES),
        },
    )
    return stored, token


def confirm_address(account_id: int, token: str, now: datetime) -> MailAddress | None:
    """Confirm the address to which the token was sent. Return it; None for a wrong or old token."""
    stored = MailAddress.objects.filter(account_id=account_id, confirmed_at=None).exclude(confirm_digest="").first()
    if stored is None or not constant_time_compare(stored.confirm_digest, _digest(token)):
        return None
    if now - stored.created_at > VALID:
        return None
    stored.confirmed_at, stored.confirm_digest = now, ""
    stored.save(update_fields=("confirmed_at", "confirm_digest"))
    return stored


def find_by_stop_token(token: str) -> MailAddress | None:
    """Return the address that this token stops."""
    return MailAddress.objects.filter(stop_token=token).first() if token else None


def stop_mails(address: MailAddress, now: datetime) -> None:
    """Send nothing more to the address."""
    MailAddress.objects.filter(pk=address.pk, stopped_at=None).update(stopped_at=now)


def delete_address(account: User) -> None:
    """Forget the address of the account."""
    MailAddress.objects.filter(account=account).delete()


def find_address(owner: str) -> MailAddress | None:
    """Return the address of the account, confirmed or not."""
    if not owner.startswith(_ACCOUNT):
        return None
    return MailAddress.objects.filter(account_id=int(owner.removeprefix(_ACCOUNT))).first()


def find_usable_address(owner: str) -> MailAddress | None:
    """Return the address to which mails for the owner go, if the portal sends any."""
    found = find_address(owner) if conf.sends_mail() else None
    return found if found is not None and found.is_usable else None


def _digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()

"""The mail address of an account: stored, confirmed by a link, and stopped by another link."""

from datetime import datetime, timedelta
from hashlib import sha256

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.crypto import constant_time_compare

from resolver import conf
from resolver.models import MailAddress
from resolver.services.accounts.owners import find_account_id
from resolver.services.accounts.secret_addresses import make_secret, may_be_secret

# Links of one account: the shortest time between two, and the most in a day. No stranger must be flooded by them.
LINK_INTERVAL = timedelta(minutes=1)
MOST_LINKS = 5
LINKS_COUNTED = timedelta(days=1)
LINK_VALID = timedelta(days=3)


class LinkSentRecently(Exception):
    """A link was sent for this account a moment ago."""


class TooManyLinks(Exception):
    """The links of a day were sent for this account."""


def set_address(account: User, address: str, *, portal: str, language: str, now: datetime) -> tuple[MailAddress, str]:
    """Store the address, which replaces the earlier one when it is confirmed. Return the stored row, and the token for
    the link to be sent. Raises LinkSentRecently and TooManyLinks."""
    token = make_secret()
    made = {"language": language, "portal": portal, "created_at": now, "stop_token": make_secret()}
    with transaction.atomic():
        MailAddress.objects.get_or_create(account=account, defaults=made)
        stored = MailAddress.objects.select_for_update().get(account=account)
        _count_link(stored, now)
        stored.pending_address, stored.confirm_digest = address, _digest(token)
        stored.portal, stored.language = portal.rstrip("/"), language
        stored.save()
    return stored, token


def confirm_address(account_id: int, token: str, now: datetime) -> MailAddress | None:
    """Confirm the address to which the token was sent. Return it; None for a wrong or old token. The token that stops
    mails changes with the address only: the links in sent mails keep working."""
    with transaction.atomic():
        waiting = MailAddress.objects.select_for_update().exclude(confirm_digest="")
        stored = waiting.filter(account_id=account_id).first()
        if stored is None or not constant_time_compare(stored.confirm_digest, _digest(token)):
            return None
        if (sent_at := stored.asked_at) is None or now - sent_at > LINK_VALID:
            return None
        if stored.address and stored.address.casefold() != stored.pending_address.casefold():
            stored.stop_token = make_secret()
        stored.address, stored.pending_address, stored.confirm_digest = stored.pending_address, "", ""
        stored.confirmed_at, stored.stopped_at = now, None
        stored.save()
    return stored


def find_by_stop_token(token: str) -> MailAddress | None:
    """Return the address that this token stops."""
    return MailAddress.objects.filter(stop_token=token).first() if may_be_secret(token) else None


def stop_mails(address: MailAddress, now: datetime) -> None:
    """Send nothing more to the address."""
    MailAddress.objects.filter(pk=address.pk, stopped_at=None).update(stopped_at=now)


def delete_address(account: User) -> None:
    """Delete the address of the account. The times of sent links and mails stay: they bound the next ones."""
    nothing = {"address": "", "pending_address": "", "confirm_digest": "", "confirmed_at": None, "stopped_at": None}
    MailAddress.objects.filter(account=account).update(**nothing)


def find_address(owner: str) -> MailAddress | None:
    """Return the address of the account, confirmed or not; None if it has none, or removed it."""
    account = find_account_id(owner)
    if account is None:
        return None
    return MailAddress.objects.exclude(address="", pending_address="").filter(account_id=account).first()


def find_usable_address(owner: str) -> MailAddress | None:
    """Return the address for the owner's mails, if the portal sends any."""
    found = find_address(owner) if conf.sends_mail() else None
    return found if found is not None and found.is_usable else None


def _count_link(stored: MailAddress, now: datetime) -> None:
    if (sent_at := stored.asked_at) is not None and now - sent_at < LINK_INTERVAL:
        raise LinkSentRecently
    if stored.links_since is None or now - stored.links_since >= LINKS_COUNTED:
        stored.links, stored.links_since = 0, now
    if stored.links >= MOST_LINKS:
        raise TooManyLinks
    stored.links, stored.asked_at = stored.links + 1, now


def _digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()

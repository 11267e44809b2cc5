"""Mails about watches: at most one a day for each account, with all changes since the last one.

A run's `mail_due` is the outbox: it is stored with the changes, and removed once the mail server has the mail. The
successor of a worker that is killed in between sends the same mail again, with the same Message-ID.
"""

import logging
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from smtplib import SMTPDataError, SMTPException, SMTPRecipientsRefused
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.db.models import QuerySet

from resolver import conf
from resolver.models import MailAddress, WatchRun
from resolver.services.storage.clock import read_clock
from resolver.services.storage.leases import Clock, LeaseColumns
from resolver.services.watches.mail_addresses import find_address

EVERY = timedelta(hours=24)  # between two mails to an account
TRY_AGAIN = timedelta(minutes=15)
REFUSED_FOR = timedelta(hours=12)  # after the server refused a mail: it seldom accepts it soon after
GIVEN_UP = timedelta(days=7)  # after the change: a mail would be too late
_LEASES = LeaseColumns("claim", "claimed_until")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Mail:
    """The content of a mail, as plain text and HTML. `stop`: the address that ends all mails with one click, or ""."""

    subject: str
    text: str
    html: str
    stop: str = ""


class MailWriter:
    """The function that writes the mail about some runs, in the language of the address. The app sets it when it is
    loaded (resolver/apps.py), because it is in the pages, which are above the services."""

    write: Callable[[Sequence[WatchRun], MailAddress], Mail]


MAIL_WRITER = MailWriter()


class MailNotSent(Exception):
    """The mail server didn't take the mail."""


class ServerAway(MailNotSent):
    """The mail server couldn't be reached, hung up, or takes no mail of this portal: no login, or no such sender."""


def send_due_mails(now: datetime, *, clock: Clock = read_clock) -> int:
    """Send the mails that are due at `now`, the time of the schedule. Return their number. A mail that can't be written
    doesn't delay the others; if the mail server can't be reached, the others wait for the next call."""
    due = WatchRun.objects.filter(mail_due=True)
    due.filter(settled_at__lt=now - GIVEN_UP).update(mail_due=False)
    sent = 0
    if not conf.sends_mail():
        return sent
    for owner in list(due.order_by("watch__owner").values_list("watch__owner", flat=True).distinct()):
        try:
            sent += _send_to(owner, now, clock)
        except ServerAway:
            break
        except Exception:
            log.exception("The mail about the watches of an account could not be made")
    return sent


def is_sending(clock: Clock = read_clock) -> bool:
    """Return whether another process is sending a mail, or was killed a moment ago while it did."""
    return MailAddress.objects.exclude(claim="").filter(claimed_until__gte=clock()).exists()


def send_mail(mail: Mail, address: str, *, message_id: str = "") -> None:
    """Give one mail to the mail server. Raises MailNotSent."""
    headers = {"Auto-Submitted": "auto-generated"} | ({"Message-ID": message_id} if message_id else {})
    if mail.stop:  # RFC 2369 and RFC 8058
        headers |= {"List-Unsubscribe": f"<{mail.stop}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    message = EmailMultiAlternatives(mail.subject, mail.text, settings.EMAIL_FROM, [address], headers=headers)
    message.attach_alternative(mail.html, "text/html")
    try:
        message.send()
    # Neither the text of an error nor its traceback is passed on: it may hold the address.
    except (SMTPRecipientsRefused, SMTPDataError) as error:
        raise MailNotSent(f"{type(error).__name__} {getattr(error, 'smtp_code', '')}".strip()) from None
    except (SMTPException, OSError, ValueError) as error:
        raise ServerAway(type(error).__name__) from None


def _send_to(owner: str, now: datetime, clock: Clock) -> bool:
    """Send the owner's mail, if it is time for one. Return whether it was sent. Raises ServerAway."""
    due = WatchRun.objects.filter(mail_due=True, watch__owner=owner)
    address = find_address(owner)
    if address is None or address.stopped_at is not None:
        due.update(mail_due=False)
        return False
    if not address.is_usable or (address.last_mail_at is not None and now - address.last_mail_at < EVERY):
        return False
    if address.retry_at is not None and clock() < address.retry_at:
        return False
    usable = MailAddress.objects.filter(pk=address.pk, last_mail_at=address.last_mail_at, stopped_at=None)
    lease = _LEASES.take(usable.filter(confirmed_at__isnull=False), clock())
    if lease is None:
        return False
    runs, batch = _choose_batch(due)
    message_id = f"<{batch}@{urlsplit(lease.row.portal).hostname or 'localhost'}>"  # the same for the same mail
    try:
        with lease.keep(clock):
            send_mail(MAIL_WRITER.write(runs, lease.row), lease.row.address, message_id=message_id)
    except ServerAway as error:
        log.warning("The mail server couldn't be reached: %s", error)
        lease.give_back(retry_at=clock() + TRY_AGAIN)
        raise
    except MailNotSent as error:
        log.warning("A mail about watches was refused: %s", error)
        lease.give_back(retry_at=clock() + REFUSED_FOR)
        return False
    except BaseException:
        lease.give_back(retry_at=clock() + TRY_AGAIN)
        raise
    with transaction.atomic():
        WatchRun.objects.filter(mail_batch=batch).update(mail_due=False, mailed_at=now)
        lease.give_back(last_mail_at=now, retry_at=None)
    return True


def _choose_batch(due: QuerySet[WatchRun]) -> tuple[list[WatchRun], str]:
    """Return the runs of the next mail and its id: those of a mail that was begun, else all that are due."""
    batch = due.exclude(mail_batch="").values_list("mail_batch", flat=True).first()
    if batch is None:
        batch = str(uuid.uuid4())
        due.update(mail_batch=batch)
    runs = due.filter(mail_batch=batch).select_related("watch", "watch__job").order_by("settled_at", "pk")
    return list(runs), batch

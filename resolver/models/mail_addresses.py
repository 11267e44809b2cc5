"""The mail address of an account, to which messages about its watches go."""

from django.conf import settings
from django.db import models


class MailAddress(models.Model):
    """An address to which its person has opened the link, and perhaps another one that waits for that.

    Mails go to `address`. A `pending_address` takes its place once it is confirmed. Both are "" after the removal: the
    row stays, because its times bound how many links an account sends to strangers. A worker that holds the claim until
    `claimed_until` sends a mail; no other does.
    """

    account = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mail_address")
    address = models.EmailField(blank=True, default="")
    pending_address = models.EmailField(blank=True, default="")
    language = models.CharField(max_length=10)
    portal = models.TextField()  # the address of this portal as its person reaches it, without a final slash
    created_at = models.DateTimeField()
    asked_at = models.DateTimeField(null=True, blank=True)  # when the last link was sent
    links = models.PositiveSmallIntegerField(default=0)  # sent since `links_since`
    links_since = models.DateTimeField(null=True, blank=True)
    confirm_digest = models.CharField(max_length=64, blank=True, default="")  # SHA-256 of the token in the link
    confirmed_at = models.DateTimeField(null=True, blank=True)
    stop_token = models.CharField(max_length=64, unique=True)  # in the link that ends all mails
    stopped_at = models.DateTimeField(null=True, blank=True)
    last_mail_at = models.DateTimeField(null=True, blank=True)
    retry_at = models.DateTimeField(null=True, blank=True)  # after the mail server didn't take a mail
    claim = models.CharField(max_length=36, blank=True, default="")
    claimed_until = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.address or self.pending_address

    @property
    def is_usable(self) -> bool:
        """Whether mails may be sent to it."""
        return bool(self.address) and self.confirmed_at is not None and self.stopped_at is None

"""What an account has besides its login: tokens, quotas and their use, a mail address, and password attempts."""

from django.conf import settings
from django.db import models


class TokenScope(models.TextChoices):
    """What a program with the token may do."""

    READ = "read"
    WRITE = "write"


class ApiToken(models.Model):
    """A key with which a program acts for an account. Only its hash is stored, so no one can read the key again."""

    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100)
    scope = models.CharField(max_length=5, choices=TokenScope.choices, default=TokenScope.READ)
    digest = models.CharField(max_length=64, unique=True)  # SHA-256 of the key, in hexadecimal
    created_at = models.DateTimeField()
    ends_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)  # to the minute

    class Meta:
        verbose_name = "API token"
        ordering = ("account", "-created_at")
        constraints = (models.UniqueConstraint(fields=("account", "name"), name="api_token_name_once"),)

    def __str__(self) -> str:
        return self.name


EMPTY_QUOTA = "Empty: as the settings of the portal say. 0: no limit."


class AccountQuota(models.Model):
    """What one account may use on a day, instead of MAX_LISTS_PER_DAY, MAX_ROWS_PER_DAY and MAX_REQUESTS_PER_DAY."""

    account = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="quota")
    lists = models.PositiveIntegerField(null=True, blank=True, help_text=EMPTY_QUOTA)
    rows = models.PositiveIntegerField(null=True, blank=True, help_text=EMPTY_QUOTA)
    requests = models.PositiveIntegerField(null=True, blank=True, help_text=EMPTY_QUOTA)

    class Meta:
        verbose_name = "daily quota"

    def __str__(self) -> str:
        return str(self.account)


class DailyUse(models.Model):
    """Lists, rows of lists and requests to the API of one owner on one day (UTC)."""

    owner = models.CharField(max_length=80)
    day = models.DateField(db_index=True)
    lists = models.PositiveIntegerField(default=0)
    rows = models.PositiveBigIntegerField(default=0)
    requests = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("owner", "day"), name="daily_use_once"),)

    def __str__(self) -> str:
        return f"{self.owner} on {self.day}: {self.lists} lists, {self.rows} rows, {self.requests} requests"


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


class PasswordWindow(models.Model):
    """The attempts of an account from an address, of an address, or of an account, in the last quarter of an hour.

    `key`: the kind of the window, with a digest of the account and the address. `attempts`: by the id of the attempt
    when it began, in seconds since the epoch. `last_at`: when the last one began.
    """

    key = models.CharField(max_length=48, primary_key=True)
    attempts = models.JSONField(default=dict)
    last_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.key}: {len(self.attempts)} attempts, the last one at {self.last_at}"

"""Where attempts at a password are counted until they are known to be right."""

from django.db import models


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

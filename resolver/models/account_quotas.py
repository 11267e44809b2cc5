"""Daily quotas of one account, set by an operator in the admin."""

from django.conf import settings
from django.db import models

EMPTY = "Empty: as the settings of the portal say. 0: no limit."


class AccountQuota(models.Model):
    """What one account may use on a day, instead of MAX_LISTS_PER_DAY, MAX_ROWS_PER_DAY and MAX_REQUESTS_PER_DAY."""

    account = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="quota")
    lists = models.PositiveIntegerField(null=True, blank=True, help_text=EMPTY)
    rows = models.PositiveIntegerField(null=True, blank=True, help_text=EMPTY)
    requests = models.PositiveIntegerField(null=True, blank=True, help_text=EMPTY)

    class Meta:
        verbose_name = "daily quota"

    def __str__(self) -> str:
        return str(self.account)

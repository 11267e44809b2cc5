"""What an account has used on one day, where the portal has daily quotas."""

from django.db import models


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

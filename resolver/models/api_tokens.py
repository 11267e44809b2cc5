"""API tokens: what a program sends instead of a login."""

from django.conf import settings
from django.db import models


class TokenScope(models.TextChoices):
    """What a program with the token may do."""

    READ = "read"
    WRITE = "write"


class ApiToken(models.Model):
    """A key with which a program acts for an account. Only its hash is stored, so nobody can read the key again."""

    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100)
    scope = models.CharField(max_length=5, choices=TokenScope.choices, default=TokenScope.READ)
    digest = models.CharField(max_length=64, unique=True)  # SHA-256 of the key, in hexadecimal
    created_at = models.DateTimeField()
    ends_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)  # to the minute

    class Meta:
        ordering = ("account", "-created_at")
        constraints = (models.UniqueConstraint(fields=("account", "name"), name="api_token_name_once"),)

    def __str__(self) -> str:
        return self.name

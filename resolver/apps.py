"""The one app of the portal."""

from django.apps import AppConfig


class ResolverConfig(AppConfig):
    name = "resolver"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = "DOI validation"

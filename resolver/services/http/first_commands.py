"""What the commands need that a reader copies to start with the API."""

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse


def describe_access(request: HttpRequest) -> dict[str, str]:
    """Return the address of the API, as the reader can reach it, and how the server's own commands are run."""
    return {
        "api": request.build_absolute_uri(reverse("api:index")).rstrip("/"),
        "manage": settings.MANAGE_COMMAND if settings.INSTALLED else f"python {settings.MANAGE_COMMAND}",
    }

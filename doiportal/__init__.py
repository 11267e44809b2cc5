"""The Django project. The Celery app is loaded with it, so that shared tasks find it."""

from doiportal import garbage  # noqa: F401 - before all else is loaded
from doiportal.celery import app as celery_app

__all__ = ["celery_app"]

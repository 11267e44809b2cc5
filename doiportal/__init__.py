"""The Django project. The Celery app is loaded with it, so that shared tasks find it."""

from doiportal.celery import app as celery_app

__all__ = ["celery_app"]

"""The Django project. Its Celery app (doiportal/celery.py) takes a fifth of a command's start, so only the
addresses of the portal and Celery's own commands load it."""

import os

from doiportal import garbage_collection  # noqa: F401 - before all else is loaded

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "doiportal.settings")

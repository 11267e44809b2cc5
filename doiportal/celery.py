"""The Celery app: settings from Django's, names beginning with CELERY_."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "doiportal.settings")

app = Celery("doiportal")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

"""The Django project. Its Celery app (doiportal/celery.py) takes a fifth of a command's start, so only the
addresses of the portal and Celery's own commands load it."""

import gc
import os

# A start makes 180,000 objects and keeps them. Python 3.11 runs its collector after each 700 new objects by default,
# which took a sixth of the processor time of a start.
gc.set_threshold(10_000, 10, 10)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "doiportal.settings")

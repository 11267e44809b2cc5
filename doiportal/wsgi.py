"""What the web server runs (doiportal/server). gunicorn imports it once, before it forks its processes: so all code is
imported here, and no database, thread or file may be opened."""

import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from doiportal import garbage_collection

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "doiportal.settings")

application = get_wsgi_application()
get_resolver().url_patterns  # noqa: B018 - Django would import the pages at the first request, in each process
garbage_collection.freeze_loaded_objects()

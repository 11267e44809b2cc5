"""What the web server runs (doiportal/server)."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "doiportal.settings")

application = get_wsgi_application()

"""What the web server runs (doiportal/server). gunicorn imports it once, before it forks its processes: so all code is
imported here, and no database, thread or file may be opened."""

import os
from contextlib import suppress
from typing import Any

from django.core.exceptions import TooManyFieldsSent
from django.core.handlers.wsgi import WSGIRequest
from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from doiportal import garbage_collection

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "doiportal.settings")


class PortalRequest(WSGIRequest):
    """A request whose Content-Type has any charset. Django reads the query as soon as there is one, and later a form,
    where nothing handles the errors of that."""

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        with suppress(TooManyFieldsSent):  # it is raised again where a view reads the query, and answered there
            try:
                super()._set_content_type_params(meta)  # type: ignore[misc]  # the stubs lack it
                b"x".decode(self.encoding or "utf-8", "replace")
            except (LookupError, UnicodeError):  # Python knows the name, but it decodes no text: rot13, base64
                self._encoding = None


application = get_wsgi_application()
application.request_class = PortalRequest
get_resolver().url_patterns  # noqa: B018 - Django would import the pages at the first request, in each process
garbage_collection.freeze_loaded_objects()

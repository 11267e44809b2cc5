"""What the web server runs (doiportal/server). gunicorn imports it once, before it forks its processes: so all code is
imported here, and no database, thread or file may be opened."""

import gc
import os
from contextlib import suppress
from typing import Any

from django.core.exceptions import TooManyFieldsSent
from django.core.handlers.wsgi import WSGIRequest
from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver
from django.utils.http import parse_header_parameters

from resolver.domain.foreign_text import find_codec

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "doiportal.settings")


class PortalRequest(WSGIRequest):
    """A request whose Content-Type has any charset: one that reads no texts is none. Django reads the query as soon as
    there is one, and later a form, where nothing handles the errors of that."""

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        if "*" in meta.get("CONTENT_TYPE", ""):  # a parameter in a charset of its own (RFC 2231): all of them go
            meta["CONTENT_TYPE"] = meta["CONTENT_TYPE"].partition(";")[0]
        self.content_type, self.content_params = parse_header_parameters(meta.get("CONTENT_TYPE", ""))
        if codec := find_codec(self.content_params.get("charset", "")):
            with suppress(TooManyFieldsSent):  # it is raised again where a view reads the query, and answered there
                self.encoding = codec


application = get_wsgi_application()
application.request_class = PortalRequest
get_resolver().url_patterns  # noqa: B018 - Django would import the pages at the first request, in each process
gc.freeze()  # no collection looks at these objects, and forked processes share their memory

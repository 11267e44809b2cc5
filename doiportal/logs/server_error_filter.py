"""A filter of the log: of Django's lines about requests it keeps the server errors."""

import logging
from http import HTTPStatus

from django.http import HttpRequest


class ServerErrorFilter(logging.Filter):
    """Keeps the lines about unhandled exceptions. They get the route in place of the address, because the address holds
    what people typed. A status that is an answer on purpose (403, 404, the gateway's 500) isn't logged."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the line is written."""
        if getattr(record, "status_code", 0) < HTTPStatus.INTERNAL_SERVER_ERROR or not record.exc_info:
            return False
        request = getattr(record, "request", None)
        found = request.resolver_match if isinstance(request, HttpRequest) else None
        record.msg = "Server error: %s /%s"
        record.args = (getattr(request, "method", ""), found.route if found else "…")
        return True

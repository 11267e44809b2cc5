"""Which lines of Django about requests are logged."""

import logging
from http import HTTPStatus

from django.http import HttpRequest


class RequestFaults(logging.Filter):
    """The faults of ours, with the route in place of the address, which holds what people typed. An error that a view
    or a parser means (403, 404, 500 in doi.org's place) is none."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the line is written."""
        if getattr(record, "status_code", 0) < HTTPStatus.INTERNAL_SERVER_ERROR or not record.exc_info:
            return False
        request = getattr(record, "request", None)
        found = request.resolver_match if isinstance(request, HttpRequest) else None
        record.msg, record.args = (
            "Server error: %s /%s",
            (getattr(request, "method", ""), found.route if found else "…"),
        )
        return True

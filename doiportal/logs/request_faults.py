"""Which lines of Django about requests are logged."""

import logging

from django.http import HttpRequest


class RequestFaults(logging.Filter):
    """Lets faults of ours pass, with the route in place of the address, which holds what people typed. An error status
    that a view means (404, 403, 500 in doi.org's place) is no fault."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the line is written."""
        if not record.exc_info:
            return False
        request = getattr(record, "request", None)
        found = request.resolver_match if isinstance(request, HttpRequest) else None
        record.msg, record.args = "No answer to %s /%s", (getattr(request, "method", ""), found.route if found else "…")
        return True

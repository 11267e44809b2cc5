"""How many answers the portal gave, by their status, for /metrics."""

from django.http import HttpRequest, HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from resolver.counters import ANSWERS


class AnswerCountMiddleware(MiddlewareMixin):
    """Count each answer by the first digit of its status. Those of /readyz don't count: 503 is no fault there."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if request.path_info != "/readyz":
            ANSWERS(f"{response.status_code // 100}xx").inc()
        return response

"""How many answers the portal gave, by their status, for /metrics."""

from django.http import HttpRequest, HttpResponseBase

from doiportal.middleware.security_headers import GetResponse
from resolver.counters import ANSWERS


class AnswerCountMiddleware:
    """Count each answer by the first digit of its status. Those of /readyz don't count: 503 is no fault there."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if request.path_info != "/readyz":
            ANSWERS(f"{response.status_code // 100}xx").inc()
        return response

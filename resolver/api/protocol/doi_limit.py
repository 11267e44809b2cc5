"""Count the DOIs of a request against the limit of its caller, and say in header fields what is left."""

from typing import Any

from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from resolver.api.problem_types import InvalidInput, TooManyRequestedDois
from resolver.api.protocol.daily_quotas import add_header
from resolver.models import ApiToken
from resolver.services.doi_limits.doi_limit import (
    MoreThanAMinute,
    TooManyDois,
    build_limit_headers,
    count_dois,
    name_caller,
)
from resolver.services.doi_limits.window_counts import WindowUse


class CountedView(APIView):
    """A view whose methods call `count`."""

    _allowance: WindowUse | None = None

    def count(self, request: Request, number: int, *, field: str) -> None:
        """Count the DOIs of the request, before anything is requested. Raises TooManyRequestedDois, and InvalidInput
        about `field` if the number never fits."""
        token = request.auth if isinstance(request.auth, ApiToken) else None
        try:
            self._allowance = count_dois(name_caller(request, token), number)
        except TooManyDois as error:
            self._allowance = error.allowance
            raise TooManyRequestedDois(str(error), wait=error.allowance.wait) from error
        except MoreThanAMinute as error:
            raise InvalidInput(errors={field: [str(error)]}) from error

    def finalize_response(self, request: Request | HttpRequest, response: Any, *args: Any, **kwargs: Any) -> Response:
        """Add what is left, also to errors."""
        if self._allowance is not None:
            for name, value in build_limit_headers(self._allowance).items():
                add_header(self, name, value)
        finished: Response = super().finalize_response(request, response, *args, **kwargs)
        return finished

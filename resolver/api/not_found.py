"""Every address under /api/v1/ that is none: an answer in the API's own shape."""

from typing import Any

from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.views import APIView


class NotFoundView(APIView):
    """No address of the API. A closed portal does not tell a stranger even that."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Before DRF looks for a method: a wrong address is 404 for each of them, never 405."""
        self.check_permissions(request)
        raise NotFound

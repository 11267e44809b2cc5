"""The body of a request that takes no fields."""

from django.conf import settings
from rest_framework.parsers import FormParser, MultiPartParser
from rest_framework.request import Request

from resolver.api.serializers.requests import NoFieldsRequestSerializer


def refuse_fields(request: Request) -> None:
    """Raise InvalidInput for a field: its sender believes that it counts. No body, an empty object and an empty form
    say nothing."""
    request.parsers = [*request.parsers, FormParser(), MultiPartParser()]
    request.parser_context["encoding"] = settings.DEFAULT_CHARSET  # not any that the request names
    NoFieldsRequestSerializer(data=request.data).is_valid(raise_exception=True)

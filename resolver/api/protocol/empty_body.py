"""The body of a request that takes no fields."""

from django.conf import settings
from django.http.request import RawPostDataException
from rest_framework.parsers import FormParser, MultiPartParser
from rest_framework.request import Request

from resolver.api.protocol.json_negotiation import BoundedJsonParser
from resolver.api.serializers.requests import NoFieldsRequestSerializer
from resolver.domain.foreign_text import parse_whole_number

PARSERS_WITHOUT_FIELDS = (BoundedJsonParser, FormParser, MultiPartParser)
"""For views whose POST takes no fields. With a login, the form is parsed before the method runs, to find its token."""
EMPTY_BODIES = (b"", b"{}", b"[]", b"null")
"""Bodies without a field. PHP writes an empty object as a list."""


def refuse_fields(request: Request) -> None:
    """Raise InvalidInput for a field: its sender believes that it counts. An empty body passes with any Content-Type:
    curl calls each body a form."""
    if _is_empty(request):
        return
    request.parsers = [parser() for parser in PARSERS_WITHOUT_FIELDS]
    request.parser_context["encoding"] = settings.DEFAULT_CHARSET  # not any that the request names
    if request.data not in (None, []):
        NoFieldsRequestSerializer.parse(request.data)


def _is_empty(request: Request) -> bool:
    length = parse_whole_number(request.META.get("CONTENT_LENGTH") or "0", 17)
    if length is None or length > 16:  # bytes: EMPTY_BODIES, with white space
        return False
    try:
        return length == 0 or request.body.strip() in EMPTY_BODIES
    except RawPostDataException:  # it was parsed, for the token of a login
        return False

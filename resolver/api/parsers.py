"""What comes in and goes out: JSON only, whatever a client says that it accepts."""

import json
from typing import IO, Any

from django.conf import settings
from rest_framework.exceptions import ParseError
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser, JSONParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from resolver.api.exceptions import TooLarge


class JsonNegotiation(BaseContentNegotiation):
    """A browser, which asks for HTML, still gets the JSON: there is nothing else to give."""

    def select_parser(self, request: Request, parsers: list[BaseParser]) -> BaseParser | None:
        """By the content type, parameters such as charset aside; None becomes 415."""
        sent = (request.content_type or "").partition(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == sent), None)

    def select_renderer(
        self, request: Request, renderers: list[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        return renderers[0], str(renderers[0].media_type)


class BoundedJsonParser(JSONParser):
    """JSON of any content, but not of any size or depth."""

    def parse(self, stream: IO[bytes], media_type: str | None = None, parser_context: Any = None) -> Any:
        """Lone surrogates and NUL pass: they are what librarians' files hold, and what a reading reports."""
        bound = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        body = stream.read(bound + 1)
        if len(body) > bound:
            raise TooLarge(f"The body is larger than the {bound:,} bytes that this portal accepts.")
        try:
            # UTF-8 is what RFC 8259 demands; a BOM is tolerated.
            return json.loads(body.decode("utf-8-sig"), parse_constant=_refuse_constant)
        except RecursionError as error:
            raise ParseError("The body is nested too deeply.") from error
        except UnicodeDecodeError as error:
            raise ParseError(f"The body is not UTF-8 (byte {error.start}).") from error
        except ValueError as error:
            raise ParseError(f"The body is not JSON: {error}.") from error


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} isn't JSON")

"""What comes in and goes out: JSON only, whatever a client says that it accepts."""

import json
from collections import Counter
from typing import IO, Any

from django.conf import settings
from rest_framework.exceptions import ParseError, UnsupportedMediaType
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import BaseParser, JSONParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.utils.json import strict_constant

from resolver.api.errors import QUOTED_CHARACTERS, SENT_TWICE, build_name_errors
from resolver.api.problem_types import InvalidInput, TooLarge


class JsonNegotiation(DefaultContentNegotiation):
    """A browser, which asks for HTML, still gets JSON: there is nothing else."""

    def select_parser(self, request: Request, parsers: list[BaseParser]) -> BaseParser:
        """Return the parser of exactly this media type, whatever its parameters. A parser may have several
        (`media_types`), and read compressed bodies (`codings`). Raises UnsupportedMediaType, which names all that are
        read here."""
        sent = (request.content_type or "").partition(";")[0].strip().lower()
        read = {media_type: one for one in parsers for media_type in getattr(one, "media_types", (one.media_type,))}
        if sent not in read:
            said = (
                f'The Content-Type "{sent[:QUOTED_CHARACTERS]}" isn\'t read here.'
                if sent
                else "There is no Content-Type."
            )
            raise UnsupportedMediaType(sent, f"{said} Send one of these: {', '.join(read)}.")
        coding = request.headers.get("Content-Encoding", "").strip().lower()
        if coding not in ("", "identity", *getattr(read[sent], "codings", ())):
            said = f'The Content-Encoding "{coding[:QUOTED_CHARACTERS]}" isn\'t read here.'
            raise UnsupportedMediaType(sent, f"{said} Send the body without it.")
        return read[sent]

    def select_renderer(
        self, request: Request, renderers: list[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        return renderers[0], str(renderers[0].media_type)


class BoundedJsonParser(JSONParser):
    """JSON of any content, but not of any size or depth. Lone surrogates and NUL pass: files of librarians hold them,
    and a reading reports them."""

    def parse(self, stream: IO[bytes], media_type: str | None = None, parser_context: Any = None) -> Any:
        """Return the decoded body. Raises TooLarge and ParseError."""
        bound = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        body = stream.read(bound + 1)
        if len(body) > bound:
            raise TooLarge(f"The body is larger than the {bound:,} bytes that this portal accepts.")
        try:
            # RFC 8259 demands UTF-8; a BOM is tolerated. DRF's reader would drop a character that is cut at the end.
            text = body.decode("utf-8-sig")
            return json.loads(text, parse_constant=strict_constant, object_pairs_hook=_make_object)
        except UnicodeDecodeError as error:
            raise ParseError(f"The body is not UTF-8 (byte {error.start}).") from error
        except RecursionError as error:
            raise ParseError("The body is nested too deeply.") from error
        except json.JSONDecodeError as error:
            raise ParseError(f"JSON parse error - {error}") from error
        except ValueError as error:  # NaN, Infinity, or thousands of digits: Python says how to change its limit
            raise ParseError("The body contains a number that isn't JSON, or that has too many digits.") from error


def _make_object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object. Of two members with one name one would be passed over without a word."""
    made = dict(members)
    if len(made) < len(members):
        counts = Counter(name for name, _ in members)
        raise InvalidInput(errors=build_name_errors((name for name, count in counts.items() if count > 1), SENT_TWICE))
    return made

"""The JSON answers of doi.org: records and lists of agencies (clauses A and R), in a callback if wanted (JSONP)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from doi_reading import Message
from resolver.domain.handle import proxy_json
from resolver.domain.handle.answers import (
    Answer,
    Failure,
    MissingHandle,
    NoValues,
    ProxyError,
    Unreachable,
    WhichRaAnswer,
)
from resolver.domain.handle.proxy_parameters import ProxyParameters
from resolver.domain.handle.record import Record

JSON = "application/json;charset=UTF-8"
JAVASCRIPT = "application/javascript;charset=UTF-8"
# For response code 2, whatever its cause: programs know 200, 404 and 500 (A2).
ERROR_STATUS = HTTPStatus.INTERNAL_SERVER_ERROR


@dataclass(frozen=True, slots=True)
class JsonReply:
    """An HTTP status, a body and its Content-Type. The caller adds the header that lets every origin read it (A7)."""

    status: int
    body: bytes
    content_type: str = JSON


def record_reply(name: str, answer: Answer, parameters: ProxyParameters) -> JsonReply:
    """Return the answer of `/api/handles/<name>`: the object of the proxy behind the portal, value for value (A1-A7).

    `handle` in it is the name in the case of this request; `answer` may come from a request in another case (S9). A
    callback that is not a plain JavaScript name is refused (A7).
    """
    callback = parameters.callback
    if callback is not None and not is_callback(callback):
        return build_error_reply(name, "The callback is not a plain JavaScript name")
    status, content = _build_content(name, answer, parameters)
    return _wrap(JsonReply(status, proxy_json.encode_json_object(content, pretty=parameters.pretty)), callback)


def build_error_reply(name: str, message: str, *, status: int = ERROR_STATUS, callback: str | None = None) -> JsonReply:
    """Return response code 2 with a message (A2). A callback that is not a plain JavaScript name is ignored."""
    reply = JsonReply(status, proxy_json.encode_error(name, message))
    return _wrap(reply, callback if callback is not None and is_callback(callback) else None)


def _wrap(reply: JsonReply, callback: str | None) -> JsonReply:
    if callback is None:
        return reply
    return JsonReply(reply.status, encode_jsonp(callback, reply.body), JAVASCRIPT)


def build_agencies_reply(verdicts: Sequence[WhichRaAnswer | Failure]) -> JsonReply:
    """Return the answer of Which RA: a list in the order of the request (R1, R3).

    If one name couldn't be checked there is no list, because every status in it would say something about the name. The
    whole answer is then response code 2 with the reason.
    """
    failure = next((verdict for verdict in verdicts if not isinstance(verdict, WhichRaAnswer)), None)
    if failure is not None:
        return JsonReply(ERROR_STATUS, proxy_json.encode_json_object(_build_error(failure)))
    return JsonReply(
        200, proxy_json.encode_agencies(verdict for verdict in verdicts if isinstance(verdict, WhichRaAnswer))
    )


def _build_content(name: str, answer: Answer, parameters: ProxyParameters) -> tuple[int, Mapping[str, Any]]:
    match answer:
        case Record() if parameters.selects:
            kept = [value.raw for value in parameters.select(answer.values)]
            if not kept:
                return 200, _build_object(name, proxy_json.VALUES_NOT_FOUND, {})
            return 200, _build_object(name, proxy_json.SUCCESS, {**answer.raw, "values": kept})
        case Record():
            return 200, _build_object(name, proxy_json.SUCCESS, answer.raw)
        case NoValues():
            return 200, _build_object(name, proxy_json.VALUES_NOT_FOUND, answer.raw)
        case MissingHandle():
            return 404, _build_object(name, proxy_json.NOT_FOUND, answer.raw)
        case ProxyError(raw=raw) if raw:
            return ERROR_STATUS, _build_object(name, proxy_json.ERROR, raw)
        case ProxyError() | Unreachable():
            return ERROR_STATUS, {**_build_error(answer), "handle": name}


def _build_object(name: str, code: int, raw: Mapping[str, Any]) -> dict[str, Any]:
    return {"responseCode": code, **raw, "handle": name}


def _build_error(failure: Failure) -> dict[str, Any]:
    return {"responseCode": proxy_json.ERROR, "message": failure.reason}


_NAME = "[A-Za-z_$][A-Za-z0-9_$]*"
_CALLBACK = re.compile(rf"{_NAME}(?:\.{_NAME})*\Z")
_RESERVED = """
    break case catch class const continue debugger default delete do else enum export extends false finally for function
    if import in instanceof new null return super switch this throw true try typeof var void while with
"""
_NOT_NAMES = frozenset(_RESERVED.split())


def is_callback(name: str) -> bool:
    """Return whether the text is a plain JavaScript name, or several joined by dots (`angular.callbacks._0`), and so
    may be a JSONP callback (A7)."""
    is_short_name = len(name) <= 128 and _CALLBACK.match(name) is not None
    return is_short_name and _NOT_NAMES.isdisjoint(name.split("."))


def encode_jsonp(callback: str, body: bytes) -> bytes:
    """Encode `callback(body);` (A7). Escape the two line separators that end a line in older JavaScript."""
    if not is_callback(callback):
        raise proxy_json.WireError(Message("the callback is not a plain JavaScript name"))
    safe = body.replace(b"\xe2\x80\xa8", b"\\u2028").replace(b"\xe2\x80\xa9", b"\\u2029")
    return callback.encode("ascii") + b"(" + safe + b");"

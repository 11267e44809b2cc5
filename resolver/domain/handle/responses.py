"""The JSON side of doi.org: what a record or a list of agencies is answered with (sections A and R)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from resolver.domain.handle import wire
from resolver.domain.handle.parameters import Parameters
from resolver.domain.handle.record import Agency, Answer, Missing, NoValues, ProxyError, Record, Unreachable

JSON = "application/json;charset=UTF-8"
JAVASCRIPT = "application/javascript;charset=UTF-8"
ERROR_STATUS = 500  # of response code 2, whatever its cause: programs know 200, 404 and 500 (A2)

Failure = ProxyError | Unreachable


@dataclass(frozen=True, slots=True)
class JsonReply:
    """An HTTP status, a body, and its Content-Type. Every origin may read it (A7): that header is the face's."""

    status: int
    body: bytes
    content_type: str = JSON


def record_reply(name: str, answer: Answer, parameters: Parameters) -> JsonReply:
    """The answer of `/api/handles/<name>`: the object that the proxy behind gave, value for value (A1-A7).

    `handle` is the name as it was asked for now, `answer` may have been asked in another case (S9). A callback that is
    no plain JavaScript name is refused (A7).
    """
    callback = parameters.callback
    if callback is not None and not wire.is_callback(callback):
        return error_reply(name, "The callback is not a plain JavaScript name")
    status, content = _content(name, answer, parameters)
    body = wire.encode_object(content, pretty=parameters.pretty)
    if callback is None:
        return JsonReply(status, body)
    return JsonReply(status, wire.encode_jsonp(callback, body), JAVASCRIPT)


def error_reply(name: str, message: str, *, status: int = ERROR_STATUS) -> JsonReply:
    """Response code 2 with a message (A2)."""
    return JsonReply(status, wire.encode_error(name, message))


def agencies_reply(verdicts: Sequence[Agency | Failure]) -> JsonReply:
    """The answer of Which RA: a list in the order asked (R1, R3).

    Where one name could not be asked there is no list, since every status of it would say something of the name: the
    whole answer is then response code 2 with the reason.
    """
    failure = next((verdict for verdict in verdicts if not isinstance(verdict, Agency)), None)
    if failure is not None:
        return JsonReply(ERROR_STATUS, wire.encode_object(_error(failure)))
    return JsonReply(200, wire.encode_agencies(verdict for verdict in verdicts if isinstance(verdict, Agency)))


def _content(name: str, answer: Answer, parameters: Parameters) -> tuple[int, Mapping[str, Any]]:
    match answer:
        case Record() if parameters.selects:
            kept = [value.raw for value in parameters.select(answer.values)]
            if not kept:
                return 200, _echoed(name, wire.VALUES_NOT_FOUND, {})
            return 200, _echoed(name, wire.SUCCESS, {**answer.raw, "values": kept})
        case Record():
            return 200, _echoed(name, wire.SUCCESS, answer.raw)
        case NoValues():
            return 200, _echoed(name, wire.VALUES_NOT_FOUND, answer.raw)
        case Missing():
            return 404, _echoed(name, wire.NOT_FOUND, answer.raw)
        case ProxyError(raw=raw) if raw:
            return ERROR_STATUS, _echoed(name, wire.ERROR, raw)
        case ProxyError() | Unreachable():
            return ERROR_STATUS, {**_error(answer), "handle": name}


def _echoed(name: str, code: int, raw: Mapping[str, Any]) -> dict[str, Any]:
    return {"responseCode": code, **raw, "handle": name}


def _error(failure: Failure) -> dict[str, Any]:
    return {"responseCode": wire.ERROR, "message": failure.reason}

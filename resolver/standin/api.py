"""The two JSON services: REST records (section A) and Which RA (section R)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, unquote_to_bytes

from resolver.domain import wire
from resolver.standin import replies
from resolver.standin.answers import SLOW, Answers, Found
from resolver.standin.replies import Reply

TOO_LONG = 8192


def decoded(text: str) -> str | None:
    """The name behind a part of the request target, decoded once (E10); None for bytes that are no UTF-8 (E15)."""
    try:
        return unquote_to_bytes(text.encode("utf-8", "surrogateescape")).decode("utf-8")
    except UnicodeDecodeError:
        return None


def parameters(query: str) -> list[tuple[str, str]]:
    """The request's parameters, blank ones too (`pretty` needs no value)."""
    return parse_qsl(query, keep_blank_values=True)


def record(answers: Answers, target: str, query: str) -> Reply:
    """GET /api/handles/<name>: A1 to A3, A6, A7."""
    given = parameters(query) if query else []
    pretty = any(key == "pretty" and value.lower() != "false" for key, value in given)
    callback = next((value for key, value in given if key == "callback"), None)
    if callback is not None and not wire.is_callback(callback):
        return replies.data(400, wire.encode_error("", "The callback is not a plain JavaScript name"))
    name = decoded(target)
    if not name:
        return replies.data(400, wire.encode_error(name or "", "The handle is empty or not UTF-8"))
    reply = _record(answers.find(name), given, pretty=pretty)
    if callback is not None and not reply.reset and reply.headers.get("Content-Type") == replies.JSON:
        return replace(
            replies.data(reply.status, wire.encode_jsonp(callback, reply.body), script=True), delay=reply.delay
        )
    return reply


def _record(found: Found, given: list[tuple[str, str]], *, pretty: bool) -> Reply:
    name, fault = found.name, found.fault
    if fault in replies.FAULTY:
        return replies.FAULTY[fault]
    if fault == "error":
        return replies.data(500, wire.encode_error(name, "Internal Error", pretty=pretty))
    if found.values is None:
        return replies.data(404, wire.encode_missing(name, pretty=pretty))
    values = selected(found, given)
    if not values:
        return replies.data(200, wire.encode_values_not_found(name, pretty=pretty))
    shown_name = name + ".other" if fault == "wrongname" else name
    reply = replies.data(200, wire.encode_success(shown_name, values, pretty=pretty))
    return replace(reply, delay=SLOW) if fault == "slow" else reply


def selected(found: Found, given: list[tuple[str, str]]) -> list[Mapping[str, Any]]:
    """The values that any `type=` or `index=` asks for, or all (P9); types without regard to case."""
    types = {value.lower() for key, value in given if key == "type"}
    indexes = {value for key, value in given if key == "index"}
    values = list(found.values or ())
    if not types and not indexes:
        return values
    return [item for item in values if item["type"].lower() in types or str(item["index"]) in indexes]


def agencies(answers: Answers, target: str) -> Reply:
    """GET /doiRA/<names>: split at raw commas, then each decoded once (R1 to R4, E6)."""
    asked = []
    for part in target.split(","):
        name = decoded(part)
        asked.append(part.encode("utf-8", "replace").decode("utf-8") if name is None else name)
    return replies.data(200, wire.encode_agencies([answers.agency(name) for name in asked]))

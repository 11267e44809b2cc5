"""Decode and encode the JSON of doi.org: REST records (A1-A6) and Which RA lists (R1-R4).

All input is untrusted (A9): it raises nothing but `WireError`, and `decode_record` raises nothing at all.
"""

import base64
import binascii
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn

from doi_reading import Message, fold
from doi_reading.message import UnusableInput
from resolver.domain.handle.answers import Answer, MissingHandle, NoValues, ProxyError, WhichRaAnswer
from resolver.domain.handle.record import HandleValue, Record

SUCCESS, ERROR, NOT_FOUND, VALUES_NOT_FOUND = 1, 2, 100, 200
MAX_NESTING = 40
MAX_MESSAGE_CHARACTERS = 300
MAX_AGENCY_CHARACTERS = 200  # the known names have up to 30


class WireError(UnusableInput):
    """The text breaks the dialect; the message says why."""


def _refuse_constant(name: str) -> NoReturn:
    raise WireError(Message("the answer contains {what}, which isn't JSON", what=name))


def _parse_finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise WireError(Message("the answer contains a number that is too large"))
    return number


# Made once: it takes as long as to read.
_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_parse_finite)


def _is_too_deep(body: bytes, value: Any) -> bool:
    if body.count(b"[") + body.count(b"{") <= MAX_NESTING:
        return False
    level = [value]
    for _ in range(MAX_NESTING):
        level = [
            child
            for node in level
            for child in (node.values() if isinstance(node, dict) else node if isinstance(node, list) else ())
        ]
        if not level:
            return False
    return True


def parse_json(body: bytes) -> Any:
    """Return the JSON value. Raises WireError, also if it is nested deeper than other code can walk."""
    if not body.strip():
        raise WireError(Message("the answer is empty"))
    if body.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        raise WireError(Message("the answer is a web page, not data"))
    try:
        value = _DECODER.decode(body.decode(json.detect_encoding(body), "surrogatepass"))
    except RecursionError:
        raise WireError(Message("the answer is nested too deeply")) from None
    except WireError:
        raise
    except ValueError:
        raise WireError(Message("the answer is not JSON")) from None
    if _is_too_deep(body, value):
        raise WireError(Message("the answer is nested too deeply"))
    return value


def _read_integer(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _decode_data(format_name: str, value: Any) -> Any:
    """Decode base64 and hex (A4): to text, to bytes if it is not text, to None if the encoding is broken."""
    if format_name not in ("base64", "hex") or not isinstance(value, str):
        return value
    try:
        octets = base64.b64decode(value, validate=True) if format_name == "base64" else bytes.fromhex(value)
    except (binascii.Error, ValueError):
        return None
    try:
        return octets.decode("utf-8")
    except UnicodeDecodeError:
        return octets


def _decode_value(raw: Any) -> HandleValue:
    """Read one value (A3, A4). Unknown members and formats are kept unchanged (A5)."""
    if not isinstance(raw, dict):
        raise WireError(Message("the record contains something that isn't a handle value"))
    index, kind, data = raw.get("index"), raw.get("type"), raw.get("data")
    if isinstance(index, str) and re.fullmatch(r"[0-9]{1,10}", index):
        index = int(index)
    number = _read_integer(index)
    if number is None or not isinstance(kind, str):
        raise WireError(Message("the record contains a value without an index or a type"))
    if not isinstance(data, dict):
        return HandleValue(number, kind, "", data, raw)
    format_name = data.get("format")
    format_name = format_name if isinstance(format_name, str) else ""
    return HandleValue(number, kind, format_name, _decode_data(format_name, data.get("value")), raw)


def build_answer(raw: Mapping[str, Any], age: float = 0.0) -> Record | NoValues | MissingHandle:
    """Return the meaning of a JSON object of the REST API, `age` seconds old (A1, A2). Raises WireError if it has
    another response code, or values that are no list."""
    code = _read_integer(raw.get("responseCode"))
    if code == NOT_FOUND:
        return MissingHandle(raw, age)
    if code == VALUES_NOT_FOUND:
        return NoValues(raw, age)
    if code != SUCCESS:
        raise WireError(_read_complaint(code, raw.get("message")))
    values = raw.get("values")
    if values is None:
        values = []
    if isinstance(values, dict):
        values = [values]  # the doi: URI document calls `values` an object (A1)
    if not isinstance(values, list):
        raise WireError(Message("the record's values are not a list"))
    return Record(str(raw.get("handle", "")), tuple(_decode_value(value) for value in values), raw, age)


def _read_complaint(code: int | None, message: Any) -> Message:
    if code is None:
        return Message("the answer has no response code")
    text = message.strip()[:MAX_MESSAGE_CHARACTERS] if isinstance(message, str) else ""
    if text:
        return Message("response code {code}: {text}", code=str(code), text=text)
    return Message("response code {code}", code=str(code))


def decode_record(body: bytes, name: str, age: float = 0.0) -> Answer:
    """Read the answer of the REST API about `name`, by its response code and never by the HTTP status (A1, A2)."""
    raw_error: Mapping[str, Any] = {}
    try:
        raw = parse_json(body)
        if not isinstance(raw, dict):
            raise WireError(Message("the answer is not a JSON object"))
        raw_error = raw if _read_integer(raw.get("responseCode")) == ERROR else {}
        answer = build_answer(raw, age)
        handle = raw.get("handle")
        if not isinstance(handle, str):
            raise WireError(Message("the answer does not say which name it is about"))
        if fold(handle) != fold(name):
            raise WireError(Message("the answer is about another name, {name}", name=handle[:MAX_MESSAGE_CHARACTERS]))
    except WireError as error:
        return ProxyError(error.reason, raw_error)
    return answer


def decode_agencies(body: bytes, names: Sequence[str]) -> list[WhichRaAnswer]:
    """Read the answer of Which RA about `names`, in this order (R1-R3). Raises WireError unless it fits one to one."""
    items = parse_json(body)
    if not isinstance(items, list):
        raise WireError(Message("the answer is not a JSON list"))
    if len(items) != len(names):
        raise WireError(
            Message(
                "{first} names were requested, but {last} were answered", first=str(len(names)), last=str(len(items))
            )
        )
    return [_decode_agency(item, name) for item, name in zip(items, names, strict=True)]


def _decode_agency(item: Any, name: str) -> WhichRaAnswer:
    if not isinstance(item, dict):
        raise WireError(Message("the list contains something that isn't an object"))
    answered, ra, status = item.get("DOI"), item.get("RA"), item.get("status")
    if not isinstance(answered, str) or fold(answered) != fold(name):
        raise WireError(Message("the answer is about another name"))
    if isinstance(ra, str) and ra.strip():
        if len(ra) > MAX_AGENCY_CHARACTERS:
            raise WireError(Message("the answer names an agency by more than a name"))
        return WhichRaAnswer(name, ra=ra.strip())
    if isinstance(status, str) and status.strip():
        return WhichRaAnswer(name, status=status.strip())
    raise WireError(Message("the answer names neither an agency nor a status"))


def _dump(value: Any, indent: int | None = None) -> bytes:
    separators = (",", ":") if indent is None else (",", ": ")
    try:
        return json.dumps(value, ensure_ascii=False, indent=indent, separators=separators).encode("utf-8")
    except UnicodeEncodeError:  # a lone surrogate has no UTF-8 form, but a JSON escape
        return json.dumps(value, indent=indent, separators=separators).encode("ascii")


def encode_json_object(raw: Mapping[str, Any], *, pretty: bool = False) -> bytes:
    """Encode any JSON object of the REST API; `pretty` indents it (A6)."""
    return _dump(raw, 2 if pretty else None)


def encode_error(handle: str, message: str) -> bytes:
    """Encode response code 2 with a message (A2)."""
    return encode_json_object({"responseCode": ERROR, "message": message, "handle": handle})


def encode_agencies(agencies: Iterable[WhichRaAnswer]) -> bytes:
    """Encode a Which RA list as the service does, indented by two spaces (R1, R3)."""
    return _dump([_build_agency_item(agency) for agency in agencies], 2)


def _build_agency_item(agency: WhichRaAnswer) -> dict[str, str | None]:
    verdict = {"status": agency.status} if agency.ra is None else {"RA": agency.ra}
    return {"DOI": agency.name, **verdict}

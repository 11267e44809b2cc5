"""What the page about the API shows, read from the OpenAPI document."""

import json
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from django.utils.safestring import SafeString

METHODS = ("get", "post", "patch", "put", "delete")
_REF = "#/components/schemas/"
_ORDER = (
    "Lookups",
    "Jobs",
    "Rows and results",
    "Decisions",
    "Works",
    "Watches",
    "Webhooks",
    "Hosts",
    "Inspections",
    "Agencies",
    "API",
)
"""The groups: what most readers look for first."""


@dataclass(frozen=True, slots=True)
class Member:
    """A field, a query parameter or a header. `target`: the object that it holds, if any; `words`: what it may be."""

    name: str
    type: str
    sentence: str
    example: str
    place: str
    target: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ApiError:
    """A type of error, and the operations that give it."""

    anchor: str
    type: str
    status: int
    title: str
    sentence: str


@cache
def read_docs_page(file: Path) -> dict[str, Any]:
    """Return what the page shows of the document in the file: the operations by tag, the objects, all errors, and those
    common to every operation, which the page lists once. A parameter is explained where it comes first; `known` are
    the others of an operation, with the operation that explains them."""
    document = json.loads(file.read_text(encoding="utf-8"))
    examples = {
        name: each["examples"][0] for name, each in document["components"]["schemas"].items() if "examples" in each
    }
    groups: dict[str, list[dict[str, Any]]] = {}
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                groups.setdefault(item[method]["tags"][0], []).append(
                    _read_operation(path, method, item[method], examples)
                )
    by_operation = [each["errors"] for found in groups.values() for each in found]
    errors = {error.anchor: error for found in by_operation for error in found}
    everywhere = {anchor for anchor in errors if all(anchor in {one.anchor for one in each} for each in by_operation)}
    shown: dict[str, dict[str, Any]] = {}
    explained: dict[Member, str] = {}
    for one in (one for tag in _ORDER for one in groups[tag]):
        one["known"] = [(each.name, explained[each]) for each in one["parameters"] if each in explained]
        one["parameters"] = [each for each in one["parameters"] if each not in explained]
        explained |= dict.fromkeys(one["parameters"], one["id"])
        one["errors"] = [error for error in one["errors"] if error.anchor not in everywhere]
        one["like"] = shown.setdefault(one["answer"], one) if one["example"] else one
    return {
        "groups": [(tag, groups[tag]) for tag in _ORDER],
        "objects": [_read_object(name, schema) for name, schema in document["components"]["schemas"].items()],
        "errors": sorted(errors.values(), key=lambda error: (error.status, error.type)),
        "common": [error for error in errors.values() if error.anchor in everywhere],
    }


def _read_operation(path: str, method: str, said: Mapping[str, Any], examples: Mapping[str, Any]) -> dict[str, Any]:
    """Return a method of an address. `body` and `answer` are names of objects, or "". `media_type`: of the answer.
    `call`: an example of the request for the shell; `example`: of the answer, on the page once for each object."""
    (status, success), *_ = said["responses"].items()
    media_type, content = _read_content(success)
    body_type, body = _read_content(said.get("requestBody", {}))
    return {
        "id": said["operationId"],
        "method": method.upper(),
        "path": path,
        "summary": said["summary"],
        "description": said["description"] if said["description"] != f"{said['summary']}." else "",
        "parameters": [_read_parameter(one) for one in said.get("parameters", ())],
        "body": _find_target(body),
        "body_type": body_type,
        "status": status,
        "says": success["description"],
        "answer": _find_target(content),
        "call": _write_call(path, method, said, examples),
        "example": _write_json(examples.get(_find_target(content))),
        "media_type": media_type,
        "errors": list(_read_errors(said["responses"])),
    }


def _write_call(path: str, method: str, said: Mapping[str, Any], examples: Mapping[str, Any]) -> str:
    """Return a request with curl, with the examples of the document, on lines that a reader sees whole."""
    for parameter in said.get("parameters", ()):
        if parameter["in"] == "path":
            example = next(iter(parameter["examples"].values()))["value"]
            path = path.replace(f"{{{parameter['name']}}}", str(example))
    bodies = said.get("requestBody", {}).get("content", {})
    body = examples.get(_find_target(_read_content(said.get("requestBody", {}))[1]))
    _, success = next(iter(said["responses"].items()))
    parts = [f'curl -sS "$API{path.removeprefix("/api/v1").rstrip("/")}"', '-H "Authorization: Bearer $TOKEN"']
    if method != "get" and (method != "post" or not bodies):
        parts.append(f"-X {method.upper()}")
    if "text/csv" in bodies:
        parts += ["-H 'Content-Type: text/csv'", "--data-binary @list.csv"]
    elif bodies:
        parts += ["-H 'Content-Type: application/json'", f"-d {shlex.quote(json.dumps(body, ensure_ascii=False))}"]
    if _read_content(success)[0] not in ("", "application/json"):
        parts.append("-O")
    return _quote_for_page(" \\\n  ".join(parts))


def _write_json(value: Any) -> str:
    return "" if value is None else _quote_for_page(json.dumps(value, ensure_ascii=False, indent=1))


def _quote_for_page(text: str) -> str:
    """Return the text as HTML between tags. Quotation marks, of which JSON has many, stay as they are."""
    return SafeString(escape(text, quote=False))


def _read_parameter(said: Mapping[str, Any]) -> Member:
    examples = [each["value"] for each in said["examples"].values()]
    shape = {**said["schema"], "description": said["description"], "examples": examples}
    return _read_member(said["name"], shape, place=said["in"])


def _read_content(said: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """Return the media type and the schema of a body or an answer; nothing if it has none."""
    for media_type, content in said.get("content", {}).items():
        return media_type, content["schema"]
    return "", {}


def _read_errors(responses: Mapping[str, Any]) -> Iterator[ApiError]:
    for status, response in responses.items():
        for example in response.get("content", {}).get("application/problem+json", {}).get("examples", {}).values():
            kind, title = example["value"]["type"], example["value"]["title"]
            name = kind.rpartition("/")[2] if kind.startswith("/") else title.lower().replace(" ", "-")
            yield ApiError(f"error-{status}-{name}", kind, int(status), title, example["description"])


def _read_object(name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": name,
        "sentence": schema.get("description", ""),
        "members": [_read_member(member, shape) for member, shape in schema["properties"].items()],
        "example": _write_json(schema.get("examples", [None])[0]),
    }


def _read_member(name: str, shape: Mapping[str, Any], *, place: str = "") -> Member:
    words = tuple(str(word) for word in shape.get("enum", ()) if word)
    example = json.dumps(shape["examples"][0], ensure_ascii=False) if "examples" in shape else ""
    return Member(
        name=name,
        type=_describe_type(shape),
        sentence=shape.get("description", ""),
        example=example if len(example) <= 80 else "",  # the example of an object shows the long ones
        place=place,
        target=_find_target(shape),
        words=words if len(words) <= 15 else (),  # the help has a page for each problem code
    )


def _describe_type(shape: Mapping[str, Any]) -> str:
    kinds = shape.get("type", "object")
    if "oneOf" in shape:
        kinds = ["object", "null"]
    if isinstance(kinds, str):
        kinds = [kinds]
    if "format" in shape:
        kinds = [shape["format"] if kind == "string" else kind for kind in kinds]
    return " or ".join(kinds)


def _find_target(shape: Mapping[str, Any]) -> str:
    """Return the name of the object that is meant, also as an item of a list, or beside null."""
    for one in (shape, shape.get("items", {}), *shape.get("oneOf", ()), *shape.get("allOf", ())):
        if one.get("$ref", "").startswith(_REF):
            return str(one["$ref"].removeprefix(_REF))
    return ""

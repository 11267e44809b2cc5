"""What the page about the API shows, read from the OpenAPI document."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

METHODS = ("get", "post", "patch", "put", "delete")
_REF = "#/components/schemas/"
MOST_WORDS = 15  # of an enumeration: the help has a page for each problem code
LONGEST_EXAMPLE = 80  # characters: the example of an object shows the long ones


@dataclass(frozen=True, slots=True)
class Member:
    """A field, a query parameter or a header. `target`: the object that it holds, if any; `words`: what it may be."""

    name: str
    type: str
    sentence: str
    example: str
    required: bool
    place: str = ""
    target: str = ""
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ApiError:
    """A type of error, and the operations that give it."""

    anchor: str
    type: str
    status: int
    title: str
    sentence: str


@dataclass(frozen=True, slots=True)
class ApiObject:
    """An object of requests or answers, with its members and an example in JSON."""

    name: str
    sentence: str
    members: tuple[Member, ...]
    example: str


@dataclass(frozen=True, slots=True)
class ApiOperation:
    """A method of an address. `body` and `answer` are names of objects, or "". `media_type` is that of the answer."""

    id: str
    method: str
    path: str
    summary: str
    description: str
    parameters: tuple[Member, ...]
    body: str
    body_type: str
    status: str
    says: str
    answer: str
    media_type: str
    errors: tuple[ApiError, ...]


@dataclass(frozen=True, slots=True)
class DocsPage:
    """The operations by their tags, the objects, the errors, and those of them that every operation can give: the page
    says so once."""

    groups: tuple[tuple[str, tuple[ApiOperation, ...]], ...]
    objects: tuple[ApiObject, ...]
    errors: tuple[ApiError, ...]
    common: tuple[ApiError, ...]


def read_docs_page(file: Path) -> DocsPage:
    """Return what the page shows of the document in the file."""
    document = json.loads(file.read_text(encoding="utf-8"))
    groups: dict[str, list[ApiOperation]] = {}
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                groups.setdefault(item[method]["tags"][0], []).append(_read_operation(path, method, item[method]))
    by_operation = [each.errors for found in groups.values() for each in found]
    errors = {error.anchor: error for found in by_operation for error in found}
    everywhere = {anchor for anchor in errors if all(anchor in {one.anchor for one in each} for each in by_operation)}
    schemas = document["components"]["schemas"]
    return DocsPage(
        tuple((tag, tuple(found)) for tag, found in groups.items()),
        tuple(_read_object(name, schema) for name, schema in schemas.items()),
        tuple(sorted(errors.values(), key=lambda error: (error.status, error.type))),
        tuple(error for error in errors.values() if error.anchor in everywhere),
    )


def _read_operation(path: str, method: str, said: Mapping[str, Any]) -> ApiOperation:
    (status, success), *_ = said["responses"].items()
    media_type, content = _read_content(success)
    body_type, body = _read_content(said.get("requestBody", {}))
    return ApiOperation(
        said["operationId"],
        method.upper(),
        path,
        said["summary"],
        said["description"],
        tuple(
            _read_member(
                one["name"],
                {
                    **one["schema"],
                    "description": one["description"],
                    "examples": [each["value"] for each in one["examples"].values()],
                },
                required=one.get("required", False),
                place=one["in"],
            )
            for one in said.get("parameters", ())
        ),
        _find_target(body),
        body_type,
        status,
        success["description"],
        _find_target(content),
        media_type,
        tuple(_read_errors(said["responses"])),
    )


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


def _read_object(name: str, schema: Mapping[str, Any]) -> ApiObject:
    required = schema.get("required", ())
    members = tuple(
        _read_member(member, shape, required=member in required) for member, shape in schema["properties"].items()
    )
    example = json.dumps(schema["examples"][0], ensure_ascii=False, indent=2) if "examples" in schema else ""
    return ApiObject(name, schema.get("description", ""), members, example)


def _read_member(name: str, shape: Mapping[str, Any], *, required: bool, place: str = "") -> Member:
    words = tuple(str(word) for word in shape.get("enum", ()) if word)
    example = json.dumps(shape["examples"][0], ensure_ascii=False) if "examples" in shape else ""
    return Member(
        name,
        _describe_type(shape),
        shape.get("description", ""),
        example if len(example) <= LONGEST_EXAMPLE else "",
        required,
        place,
        _find_target(shape),
        words if len(words) <= MOST_WORDS else (),
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

"""The OpenAPI document of the API: made from its views and serializers, and kept as a file that the portal sends."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.urls import include, path
from drf_spectacular.generators import SchemaGenerator

from resolver.api.openapi.error_responses import ERROR

FILE = Path(__file__).with_name("openapi.json")
EXAMPLES_FILE = Path(__file__).with_name("examples.json")
EXAMPLES: dict[str, list[dict[str, Any]]] = json.loads(EXAMPLES_FILE.read_text(encoding="utf-8"))
"""Examples of each object. Those of answers are answers that a test got, and wrote."""
MEDIA_TYPE = "application/vnd.oai.openapi+json"

_EMPTY = {"type": "string", "maxLength": 0}

CHOICES = {"LookupRequest": ("input", "inputs"), "LookupResult": ("lookup", "problem")}
"""Objects that have one of two members."""


def build_document() -> dict[str, Any]:
    """Return the document of the views as they are. `write_document` keeps it."""
    generator = SchemaGenerator(patterns=[path("api/v1/", include("resolver.api.urls"))])
    document: dict[str, Any] = generator.get_schema(request=None, public=True)
    return document


def format_document(document: dict[str, Any]) -> str:
    """Return the text of the file."""
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def write_document() -> None:
    """Write the file anew."""
    FILE.write_text(format_document(build_document()), encoding="utf-8")


def read_document() -> bytes:
    """Return the file; below a path with the address of this portal and the name of its cookie."""
    content = FILE.read_bytes()
    if not settings.URL_PREFIX:
        return content
    document = json.loads(content)
    document["servers"] = [{"url": settings.URL_PREFIX}]
    document["components"]["securitySchemes"]["session"]["name"] = settings.SESSION_COOKIE_NAME
    return format_document(document).encode()


def complete_components(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Complete the objects: a hook of drf-spectacular. Answers have all their members, but of CHOICES one of two;
    requests no unknown ones. Each member gets its example from the example of its object."""
    schemas = result["components"]["schemas"]
    for name, schema in schemas.items():
        if name.endswith("Request"):
            schema["additionalProperties"] = False
        else:
            schema["required"] = [one for one in schema["properties"] if one not in CHOICES.get(name, ())]
        if name in CHOICES:
            schema["oneOf"] = [{"required": [one]} for one in CHOICES[name]]
        examples = EXAMPLES.get(name, [])
        if examples:
            schema["examples"] = examples
        for member, shape in schema["properties"].items():
            for ours in ("readOnly", "x-spec-enum-id"):
                shape.pop(ours, None)
            if shape.get("default") == "":  # nothing chosen, which is no word of an enumeration
                del shape["default"]
            if _EMPTY in (ways := shape.get("oneOf", ())):  # the other way allows an empty text too
                shape.pop("oneOf")
                shape |= next(way for way in ways if way != _EMPTY)
            if of_member := [one[member] for one in examples if member in one]:
                shape["examples"] = of_member[:1]
    schemas["Error"] = ERROR
    for address, item in result["paths"].items():
        # drf-spectacular takes a body without required members for one to leave out.
        if "requestBody" in (post := item.get("post", {})):
            post["requestBody"]["required"] = True
        for status, response in post.get("responses", {}).items():
            if status in ("201", "202") and (links := _build_links(result["paths"], f"{address}/{{id}}")):
                response["links"] = links
    return result


def _build_links(paths: Mapping[str, Any], made: str) -> dict[str, Any]:
    """Return the operations on an object that was made, and how they take its id from the answer."""
    return {
        operation["operationId"]: {
            "operationId": operation["operationId"],
            "parameters": {"id": "$response.body#/id"},
            "description": f"{operation['summary']}, by its id.",
        }
        for address, item in paths.items()
        if address == made or address.startswith(f"{made}/")
        for operation in item.values()
        if all(each["name"] == "id" for each in operation["parameters"] if each["in"] == "path")
    }

"""A caller that compares every answer of the API with the OpenAPI document."""

import json
from copy import deepcopy
from functools import cache
from typing import Any

from django.test import Client
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from resolver.api.openapi.document import FILE

METHODS = ("get", "post", "put", "patch", "delete")
PROBLEM = "application/problem+json"
DOCUMENT = json.loads(FILE.read_text(encoding="utf-8"))


def _make_strict() -> Any:
    """The document, in which an answer with a member that is not described breaks its schema."""
    document = deepcopy(DOCUMENT)
    for schema in document["components"]["schemas"].values():
        schema["additionalProperties"] = False
    return document


_REGISTRY = Registry().with_resource("urn:doc", Resource.from_contents(_make_strict(), DRAFT202012))


def make_validator(schema: Any) -> Draft202012Validator:
    """A validator of a schema that may point into the document."""
    return Draft202012Validator(
        _name_document(schema), registry=_REGISTRY, format_checker=Draft202012Validator.FORMAT_CHECKER
    )


def _name_document(schema: Any) -> Any:
    """The schema with pointers that name the document."""
    if isinstance(schema, dict):
        return {
            key: f"urn:doc{value}" if key == "$ref" and value.startswith("#") else _name_document(value)
            for key, value in schema.items()
        }
    return [_name_document(one) for one in schema] if isinstance(schema, list) else schema


@cache
def _find_validator(path: str, method: str, status: str, media_type: str) -> Draft202012Validator:
    return make_validator(DOCUMENT["paths"][path][method]["responses"][status]["content"][media_type]["schema"])


NOT_ALWAYS = {"RateLimit", "RateLimit-Policy", "Idempotent-Replayed"}


class SchemaClient(Client):
    """A caller whose every answer is compared with what the document says of its address, method and status.
    `seen`: the operations that have answered, with the statuses. `json_answers`: the schema and the body of answers."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.seen: set[tuple[str, int]] = set()
        self.json_answers: list[tuple[Any, Any]] = []

    def request(self, **request: Any) -> Any:
        response = super().request(**request)
        match, method = response.resolver_match, request["REQUEST_METHOD"].lower()
        if match is None or match.namespace != "api" or match.url_name == "nothing" or method not in METHODS:
            return response
        path = "/" + match.route.replace("<uuid:pk>", "{id}").replace("<int:line>", "{line}")
        operation = DOCUMENT["paths"][path].get(method)
        if operation is None:
            assert response.status_code in (401, 403, 405, 500), response.status_code
            return response
        self.seen.add((operation["operationId"], response.status_code))
        self._compare(path, method, operation, response)
        return response

    def _compare(self, path: str, method: str, operation: Any, response: Any) -> None:
        said = operation["responses"].get(str(response.status_code))
        assert said is not None, f"{method} {path} says nothing of {response.status_code}: {response.content!r}"
        for header in said.get("headers", {}):
            assert response.headers.get(header) or header in NOT_ALWAYS, header
        if "content" not in said:
            assert response.content == b""
            return
        media_type = response.headers["Content-Type"].partition(";")[0]
        assert {media_type, "*/*"} & set(said["content"]), f"{method} {path} says nothing of {media_type}"
        if media_type.endswith("json") and not response.streaming:
            self.json_answers.append((said["content"][media_type]["schema"], response.json()))
            errors = _find_validator(path, method, str(response.status_code), media_type).iter_errors(response.json())
            assert [error.message for error in errors] == [], f"{method} {path} {response.status_code}"

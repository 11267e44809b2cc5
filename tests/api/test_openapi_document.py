"""The OpenAPI document: complete, valid, and what the views are today."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from openapi_spec_validator import OpenAPIV31SpecValidator

from resolver.api import urls
from resolver.api.openapi.document import FILE, build_document, format_document
from resolver.api.openapi.views import IndexSerializer
from resolver.api.problem_types import ProblemException
from tests.api.schema_client import DOCUMENT, METHODS, make_validator

SCHEMAS = DOCUMENT["components"]["schemas"]
OPERATIONS = [
    pytest.param(item[method], id=f"{method} {path}")
    for path, item in DOCUMENT["paths"].items()
    for method in METHODS
    if method in item
]


def members(schema: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every named member of an object, at any depth."""
    if schema:
        for name, shape in schema.get("properties", {}).items():
            yield f"{path}.{name}", shape
            yield from members(shape, f"{path}.{name}")
        yield from members(schema.get("items", {}), path)


def test_the_file_is_what_the_views_say_today() -> None:
    assert FILE.read_text(encoding="utf-8") == format_document(build_document()), "run: manage.py writeschema"


def test_an_installed_portal_does_not_write_into_its_package(settings: Any) -> None:
    before, settings.INSTALLED = FILE.stat().st_mtime_ns, True
    with pytest.raises(CommandError, match="for a clone of the repository"):
        call_command("writeschema")
    assert FILE.stat().st_mtime_ns == before


def test_the_document_is_valid_openapi_3_1() -> None:
    assert DOCUMENT["openapi"].startswith("3.1")
    OpenAPIV31SpecValidator(DOCUMENT).validate()


def test_every_field_has_a_sentence_and_an_example() -> None:
    found = [(f"{name}{path}", shape) for name, schema in SCHEMAS.items() for path, shape in members(schema)]
    assert len(found) > 100
    assert [name for name, shape in found if not shape.get("description", "").endswith(".")] == []
    assert [name for name, shape in found if "examples" not in shape] == []


def test_every_object_has_a_sentence() -> None:
    assert [name for name, schema in SCHEMAS.items() if not schema.get("description", "").endswith(".")] == []


def test_the_example_of_every_object_keeps_its_schema() -> None:
    for name, schema in SCHEMAS.items():
        for example in schema.get("examples", []):
            assert list(make_validator(schema).iter_errors(example)) == [], name
            if not name.endswith("Request"):
                wanted = [one for one in schema["properties"] if one in schema["required"] or one in example]
                assert list(example) == wanted, name


def test_the_example_of_every_field_keeps_its_schema() -> None:
    for name, schema in SCHEMAS.items():
        for path, shape in members(schema):
            for example in shape["examples"]:
                assert list(make_validator(shape).iter_errors(example)) == [], f"{name}{path}"


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_operation_parameter_and_answer_has_a_sentence(operation: Any) -> None:
    assert operation["summary"]
    assert operation["description"].endswith(".")
    for parameter in operation.get("parameters", ()):
        assert parameter["description"].endswith("."), parameter["name"]
        assert parameter["examples"], parameter["name"]
        for example in parameter["examples"].values():
            assert list(make_validator(parameter["schema"]).iter_errors(example["value"])) == [], parameter["name"]
    for status, response in operation["responses"].items():
        assert response["description"].endswith("."), status


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_error_has_a_sentence_and_an_example_that_keeps_its_schema(operation: Any) -> None:
    for status, response in operation["responses"].items():
        if status.startswith("2") or status == "304":
            continue
        assert list(response["content"]) == ["application/problem+json"]
        content = response["content"]["application/problem+json"]
        assert content["examples"]
        for example in content["examples"].values():
            assert example["description"].endswith(".")
            assert example["value"]["status"] == int(status)
            assert list(make_validator(content["schema"]).iter_errors(example["value"])) == []


def test_every_type_of_error_is_in_the_document() -> None:
    named = {
        example["value"]["type"]
        for item in DOCUMENT["paths"].values()
        for method in METHODS
        for response in item.get(method, {}).get("responses", {}).values()
        for content in response.get("content", {}).values()
        for example in content.get("examples", {}).values()
    }
    kinds = {f"/problems/{kind.slug}" for kind in ProblemException.__subclasses__()}
    assert named == kinds | {"about:blank"}


def test_every_address_and_method_is_in_the_document() -> None:
    found = {(path, method) for path, item in DOCUMENT["paths"].items() for method in METHODS if method in item}
    named = set()
    for pattern in urls.urlpatterns:
        if pattern.name != "nothing":
            path = str(pattern.pattern).replace("<uuid:pk>", "{id}").replace("<int:line>", "{line}")
            view = pattern.callback.view_class  # type: ignore[union-attr]
            named |= {(f"/api/v1/{path}", method) for method in METHODS if hasattr(view, method)}
    assert found == named


def test_an_answer_with_a_new_object_links_to_all_that_can_be_done_with_it() -> None:
    made = DOCUMENT["paths"]["/api/v1/jobs"]["post"]["responses"]["202"]["links"]
    named = {
        item[method]["operationId"]
        for path, item in DOCUMENT["paths"].items()
        for method in METHODS
        if path.startswith("/api/v1/jobs/{id}") and method in item and "{line}" not in path
    }
    assert set(made) == named
    assert all(link["parameters"] == {"id": "$response.body#/id"} for link in made.values())
    for collection, linked in (
        ("lookups", {"getLookup", "deleteLookup", "getMetadata"}),
        ("webhooks", {"getWebhook", "deleteWebhook", "listDeliveries"}),
    ):
        links = DOCUMENT["paths"][f"/api/v1/{collection}"]["post"]["responses"]["201"]["links"]
        assert links.keys() == linked


@pytest.mark.django_db
def test_the_portal_sends_the_document(api: Client) -> None:
    response = api.get("/api/v1/schema")
    assert response.headers["Content-Type"] == "application/vnd.oai.openapi+json"
    assert response.json() == DOCUMENT


@pytest.mark.django_db
def test_the_index_names_addresses_that_answer(api: Client) -> None:
    index = api.get("/api/v1/").json()
    assert list(index) == list(IndexSerializer().fields)
    for name, address in index.items():
        assert address == f"http://testserver/api/v1/{name}"
        assert api.get(address).status_code == (405 if name == "inspections" else 200), name


def test_each_request_that_makes_an_object_of_a_collection_takes_an_idempotency_key() -> None:
    collections = {path: item["post"] for path, item in DOCUMENT["paths"].items() if "{" not in path and "post" in item}
    makers = {path: post for path, post in collections.items() if {"201", "202"} & set(post["responses"])}
    assert set(makers) >= {"/api/v1/jobs", "/api/v1/lookups", "/api/v1/webhooks"}
    for path, post in makers.items():
        assert "Idempotency-Key" in {parameter.get("name") for parameter in post.get("parameters", [])}, path

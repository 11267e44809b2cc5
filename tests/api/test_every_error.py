"""Every address and method of the API gives its errors in one shape: the table of addresses is walked."""

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from resolver.api import urls
from tests.api.conftest import assert_problem
from tests.api.schema_client import METHODS, SchemaClient

pytestmark = pytest.mark.django_db
ALL = (*METHODS, "head", "options", "trace")
CHANGES = ("post", "put", "patch", "delete")
JSON = {"content_type": "application/json"}


def routes() -> Iterator[tuple[str, Any]]:
    """Every address with its view; objects have an id that is nobody's."""
    for pattern in urls.urlpatterns:
        path = str(pattern.pattern).replace("<uuid:pk>", str(uuid.UUID(int=4))).replace("<int:line>", "1")
        address = "nothing" if pattern.name == "nothing" else path
        yield f"/api/v1/{address}", pattern.callback.view_class  # type: ignore[union-attr]


ROUTES = [pytest.param(address, view, id=address) for address, view in routes()]
KNOWN = [pytest.param(address, view, id=address) for address, view in routes() if not address.endswith("nothing")]


def send(client: Client, method: str, address: str, body: bytes = b"{}", **options: Any) -> Any:
    return client.generic(method.upper(), address, body, **{**JSON, **options})


def assert_error(response: Any, status: int, method: str) -> None:
    """The shape of an error; an answer to HEAD has its headers alone."""
    if method == "head":
        assert response.status_code == status
        assert response.headers["Content-Type"] == "application/problem+json"
    else:
        assert_problem(response, status)


def test_the_table_is_walked_whole() -> None:
    assert len(ROUTES) == len(urls.urlpatterns) > 15


@pytest.mark.parametrize(("address", "view"), ROUTES)
def test_without_a_login_every_method_of_a_closed_portal_is_a_401_problem(
    api: SchemaClient, settings: Any, address: str, view: Any
) -> None:
    settings.DOIPORTAL_OPEN = False
    for method in ALL:
        response = send(api, method, address)
        assert_error(response, 401, method)
        assert response.headers["WWW-Authenticate"]


@pytest.mark.parametrize(("address", "view"), ROUTES)
def test_a_change_from_a_page_of_another_site_is_a_403_problem(api: SchemaClient, address: str, view: Any) -> None:
    for method in CHANGES:
        response = send(api, method, address, headers={"Sec-Fetch-Site": "cross-site"})
        assert assert_problem(response, 403)["type"] == "/problems/foreign-page"


@pytest.mark.parametrize(("address", "view"), KNOWN)
def test_a_change_of_a_login_without_a_csrf_token_is_a_403_problem(
    api: SchemaClient, user: User, address: str, view: Any
) -> None:
    api.force_login(user)
    for method in CHANGES:
        assert_problem(send(api, method, address), 403)


@pytest.mark.parametrize("method", ALL)
def test_an_address_that_is_none_is_a_404_problem(api: SchemaClient, method: str) -> None:
    assert_error(send(api, method, "/api/v1/nothing"), 404, method)


@pytest.mark.parametrize(("address", "view"), [one for one in KNOWN if str(uuid.UUID(int=4)) in str(one.id)])
def test_an_object_that_is_not_there_is_a_404_problem(api: SchemaClient, address: str, view: Any) -> None:
    for method in METHODS:
        if hasattr(view, method):
            assert_problem(send(api, method, address), 404)


@pytest.mark.parametrize(("address", "view"), KNOWN)
def test_a_wrong_method_is_a_405_problem_that_names_the_right_ones(api: SchemaClient, address: str, view: Any) -> None:
    allowed = {method.upper() for method in METHODS if hasattr(view, method)} | {"OPTIONS"}
    allowed |= {"HEAD"} if "GET" in allowed else set()
    for method in ALL:
        if method.upper() not in allowed:
            response = send(api, method, address)
            assert_error(response, 405, method)
            assert set(response.headers["Allow"].split(", ")) == allowed


@pytest.mark.parametrize("accept", ["text/html", "image/png", "nonsense", "application/json;q=0"])
@pytest.mark.parametrize(("address", "view"), KNOWN)
def test_no_accept_header_makes_a_406(api: SchemaClient, address: str, view: Any, accept: str) -> None:
    response = send(api, "get", address, headers={"Accept": accept})
    assert response.status_code in (200, 404, 405)


BODIES = ("inspections", "lookups", "jobs", "watches", "webhooks")


@pytest.mark.parametrize("method", CHANGES)
@pytest.mark.parametrize(("address", "view"), KNOWN)
def test_a_body_of_another_media_type_is_never_accepted(
    api: SchemaClient, address: str, view: Any, method: str
) -> None:
    response = send(api, method, address, b"<a/>", content_type="image/svg+xml")
    if not hasattr(view, method):
        assert_problem(response, 405)
    elif method == "patch" or address.endswith("/decisions"):  # the object is looked for first
        assert_problem(response, 404)
    else:
        assert_problem(response, 415)


@pytest.mark.parametrize("name", BODIES)
def test_a_body_that_is_too_long_is_a_413_problem(api: SchemaClient, settings: Any, name: str) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = settings.MAX_UPLOAD_BYTES = settings.LONGEST_BODY = 100
    options = {"content_type": "multipart/form-data; boundary=x"} if name == "jobs" else {}
    assert_problem(send(api, "post", f"/api/v1/{name}", b" " * 2_000_000, **options), 413)


@pytest.mark.parametrize(("address", "view"), KNOWN)
def test_a_fault_of_a_view_is_a_500_problem(
    api: SchemaClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, address: str, view: Any
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("secret")

    api.raise_request_exception = False
    for method in METHODS:
        if hasattr(view, method):
            monkeypatch.setattr(view, method, fail)
            response = send(api, method, address)
            assert_problem(response, 500)
            assert b"secret" not in response.content
            (line,) = [one for one in caplog.records if one.name == "resolver.api.errors"]
            assert line.getMessage() == f"Server error: {method.upper()} /{response.wsgi_request.resolver_match.route}"
            caplog.clear()

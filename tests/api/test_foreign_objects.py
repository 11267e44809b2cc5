"""No caller sees or changes what belongs to another, and a token that may only read changes nothing: the table of
addresses is walked.

A new collection of the API needs one entry in `MAKERS`; a new address below a collection needs none.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLPattern, reverse
from django.utils import timezone

from resolver.api import urls
from resolver.models import TokenScope
from resolver.services.logins.api_tokens import create_token
from tests.api.conftest import assert_problem, run
from tests.api.schema_client import METHODS, SchemaClient
from tests.object_routes import find_collection, find_object_routes

pytestmark = pytest.mark.django_db
CHANGES = ("post", "put", "patch", "delete")


def make_lookup(caller: Client) -> str:
    response = caller.post("/api/v1/lookups", {"input": "10.1000/182"}, "application/json")
    assert response.status_code == 201, response.content
    return str(response.json()["id"])


def make_job(caller: Client) -> str:
    response = caller.post("/api/v1/jobs", b"doi\n10.1000/182\n", "text/csv")
    assert response.status_code == 202, response.content
    run(response.json()["id"])
    return str(response.json()["id"])


def make_webhook(caller: Client) -> str:
    response = caller.post("/api/v1/webhooks", {"url": "https://192.0.3.1/events"}, "application/json")
    assert response.status_code == 201, response.content
    return str(response.json()["id"])


def make_watch(caller: Client) -> str:
    response = caller.post("/api/v1/watches", {"job": make_job(caller)}, "application/json")
    assert response.status_code == 201, response.content
    return str(response.json()["id"])


# Each collection, and how a caller makes an object of it: the function returns the object's id.
MAKERS: dict[str, Callable[[Client], str]] = {
    "lookups": make_lookup,
    "jobs": make_job,
    "watches": make_watch,
    "webhooks": make_webhook,
}
# Of each kind of caller one has objects. Who looks for them: a stranger of that kind, and the owners of the others.
STRANGERS = {"account ada": "account eve", "token of bob": "token of dan", "first session": "second session"}
# Whose objects are always those of an account.
OF_ACCOUNTS = {"webhooks"}
# What else stands in addresses: a part that every object above has.
PARTS = {"line": 1}

ROUTES = find_object_routes(urls.urlpatterns)
OTHERS = [pattern for pattern in urls.urlpatterns if not pattern.pattern.converters and pattern.name != "nothing"]
EVERY_ROUTE = pytest.mark.parametrize("route", ROUTES)


def address_of(pattern: URLPattern, object_id: str) -> str:
    """The address of an object, or of a part of it."""
    parts: dict[str, Any] = {"pk": object_id} | PARTS
    return reverse(f"api:{pattern.name}", kwargs={name: parts[name] for name in pattern.pattern.converters})


def owners_of(collection: str) -> list[str]:
    """Those of the callers who have such an object."""
    return [name for name in STRANGERS if collection not in OF_ACCOUNTS or "session" not in name]


def methods_of(pattern: URLPattern) -> list[str]:
    """The methods of an address; the one that may remove the object is the last."""
    return [method for method in METHODS if hasattr(pattern.callback.view_class, method)]  # type: ignore[attr-defined]


def changing_methods_of(pattern: Any) -> list[str]:
    """The methods that a token of the scope `read` may not use."""
    if getattr(pattern.callback.view_class, "changes_nothing", False):
        return []
    return [method for method in methods_of(pattern) if method in CHANGES]


def send(caller: Client, method: str, address: str) -> Any:
    return caller.generic(method.upper(), address, b"{}", content_type="application/json")


def log_in(name: str) -> Client:
    client = SchemaClient()
    client.force_login(User.objects.create_user(name))
    return client


def make_token(account: User, scope: TokenScope = TokenScope.WRITE) -> Client:
    """A caller with a token, and without cookies."""
    _, key = create_token(account, scope, scope, now=timezone.now())
    return SchemaClient(headers={"Authorization": f"Bearer {key}"})


@dataclass
class ObjectsOfCallers:
    """Six callers, of whom no two are the same owner, and by collection the id of what each owner has."""

    callers: dict[str, Client]
    objects: dict[str, dict[str, str]]


@pytest.fixture(scope="module")
def stored(module_portal: Path) -> ObjectsOfCallers:
    callers = {
        "account ada": log_in("ada"),
        "account eve": log_in("eve"),
        "token of bob": make_token(User.objects.create_user("bob")),
        "token of dan": make_token(User.objects.create_user("dan")),
        "first session": SchemaClient(),
        "second session": SchemaClient(),
    }
    objects = {
        collection: {owner: make(callers[owner]) for owner in owners_of(collection)}
        for collection, make in MAKERS.items()
    }
    return ObjectsOfCallers(callers, objects)


@pytest.fixture
def callers(stored: ObjectsOfCallers, module_files: None) -> dict[str, Client]:
    """Clients of this test alone, with the cookies and tokens of those who have the objects."""
    found = {}
    for name, caller in stored.callers.items():
        found[name] = SchemaClient()
        found[name].defaults.update(caller.defaults)
        found[name].cookies.update(caller.cookies)
    return found


def test_every_address_with_an_object_has_an_entry_here() -> None:
    assert {find_collection(route) for route in ROUTES} == set(MAKERS)
    assert {name for pattern in ROUTES.values() for name in pattern.pattern.converters} == {"pk", *PARTS}
    assert len(ROUTES) + len(OTHERS) + 1 == len(urls.urlpatterns)


@EVERY_ROUTE
def test_an_object_of_another_owner_is_a_404_problem(
    stored: ObjectsOfCallers, callers: dict[str, Client], route: str
) -> None:
    pattern = ROUTES[route]
    for owner, object_id in stored.objects[find_collection(route)].items():
        address = address_of(pattern, object_id)
        for name in (STRANGERS[owner], *STRANGERS):
            for method in methods_of(pattern) if name != owner else ():
                response = send(callers[name], method, address)
                assert response.status_code == 404, f"{name}: {method} {address} of {owner}"
                assert_problem(response, 404)
        for method in methods_of(pattern):
            assert send(callers[owner], method, address).status_code != 404, f"{owner}: {method} {address}"


def test_no_address_without_an_object_names_one_of_another_owner(
    stored: ObjectsOfCallers, callers: dict[str, Client]
) -> None:
    readable = [reverse(f"api:{pattern.name}") for pattern in OTHERS if "get" in methods_of(pattern)]
    made = {
        object_id: (owner, f"/api/v1/{collection}")
        for collection, objects in stored.objects.items()
        for owner, object_id in objects.items()
    }
    seen: dict[str, list[tuple[str, str]]] = {object_id: [] for object_id in made}
    for name, caller in callers.items():
        for address in readable:
            answer = send(caller, "get", address).text
            for object_id in made:
                if object_id in answer:
                    seen[object_id].append((name, address))
    assert seen == {object_id: [place] for object_id, place in made.items()}


def test_only_reading_and_comparing_are_open_to_every_token() -> None:
    open_to_all = {
        str(pattern.pattern)
        for pattern in (*ROUTES.values(), *OTHERS)
        if not changing_methods_of(pattern) and set(methods_of(pattern)) & set(CHANGES)
    }
    assert open_to_all == {"inspections", "works/compare"}


@pytest.mark.parametrize("pattern", [one for one in (*ROUTES.values(), *OTHERS) if changing_methods_of(one)], ids=str)
def test_a_token_that_may_only_read_changes_nothing(
    stored: ObjectsOfCallers, callers: dict[str, Client], pattern: URLPattern
) -> None:
    reader, writer = make_token(User.objects.get(username="bob"), TokenScope.READ), callers["token of bob"]
    route = str(pattern.pattern)
    address = address_of(pattern, stored.objects[find_collection(route)]["token of bob"] if route in ROUTES else "")
    for method in changing_methods_of(pattern):
        response = send(reader, method, address)
        assert assert_problem(response, 403)["type"] == "/problems/read-only-token", f"{method} {address}"
        assert send(writer, method, address).status_code not in (403, 404), f"{method} {address}"

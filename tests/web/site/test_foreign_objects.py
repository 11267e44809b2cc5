"""No page shows or changes what belongs to another: the table of addresses is walked.

A new kind of object with pages of its own needs one entry in `MAKERS`; a new address below one needs none.
"""

import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import URLPattern, resolve, reverse
from django.utils import timezone

from resolver.models import ApiToken, Job, TokenScope, Webhook
from resolver.services.logins.api_tokens import create_token
from resolver.web import urls
from tests.object_routes import find_collection, find_object_routes
from tests.web.conftest import run

ACCOUNTS = ("account ada", "account eve")
SESSIONS = ("session one", "session two")
TOKEN = "token of ada"
# Of each kind one has objects. Those who look for them are a stranger without any, the other owner, and a token, which
# no page knows, not even that of the owner's account.
ACCOUNT, SESSION = ACCOUNTS[0], SESSIONS[0]
STRANGERS = {ACCOUNT: (ACCOUNTS[1], SESSION, TOKEN), SESSION: (ACCOUNT, SESSIONS[1], TOKEN)}


def make_lookup(owner: Client) -> str:
    return made_by(owner.post("/lookups", {"text": "10.1000/182"}))


def make_draft(owner: Client) -> str:
    return made_by(owner.post("/lookups", {"text": "10.1000/182\n10.1000/456"}))


def make_job(owner: Client) -> str:
    draft = owner.post("/jobs/new", {"file": SimpleUploadedFile("list.csv", b"doi\n10.1000/182\n10.1000/182.\n")})
    job_id = made_by(owner.post(draft["Location"]))
    run(Job.objects.get(pk=job_id))
    return job_id


def make_token(owner: Client) -> str:
    assert owner.post("/account/tokens", {"name": "nightly", "scope": "read", "days": "365"}).status_code == 200
    return str(ApiToken.objects.latest("pk").pk)


def make_webhook(owner: Client) -> str:
    assert owner.post("/webhooks", {"url": "https://192.0.3.1/x", "events": ["job.failed"]}).status_code == 200
    return str(Webhook.objects.latest("created_at").pk)


def make_watch(owner: Client) -> str:
    return made_by(owner.post(f"/jobs/{make_job(owner)}/watch", {"every": "week", "depth": "existence"}))


def made_by(response: Any) -> str:
    """The id of the object to whose page an answer leads."""
    return str(resolve(response["Location"]).kwargs["pk"])


# The first part of the addresses, how an owner makes such an object, and who can own one.
MAKERS: dict[str, tuple[Callable[[Client], str], tuple[str, ...]]] = {
    "lookups": (make_lookup, (ACCOUNT, SESSION)),
    "drafts": (make_draft, (ACCOUNT, SESSION)),
    "jobs": (make_job, (ACCOUNT, SESSION)),
    "watches": (make_watch, (ACCOUNT, SESSION)),
    "account": (make_token, (ACCOUNT,)),
    "webhooks": (make_webhook, (ACCOUNT,)),
}
# What everybody may open: help, and what has a secret in its address.
OPEN_TO_ALL = {
    "help/outcomes/<slug:code>",
    "help/problems/<slug:code>",
    "shared/<str:token>",
    "watches/<str:token>/feed",
    "mail/confirm/<int:account>/<str:token>",
    "mail/stop/<str:token>",
}
# What else stands in addresses: parts that every object above has.
PARTS = {"line": 1}
# What forms send that answer 404 without their fields.
FIELDS = {"decision": "accepted", "expected": "1", "action": "1"}

ALL_ROUTES = find_object_routes(urls.urlpatterns)
ROUTES = {route: pattern for route, pattern in ALL_ROUTES.items() if route not in OPEN_TO_ALL}
COMPARED = {find_collection(route) for route, pattern in ROUTES.items() if "other" in pattern.pattern.converters}


def address_of(pattern: URLPattern, **ids: str) -> str:
    return reverse(str(pattern.name), kwargs={name: (PARTS | ids)[name] for name in pattern.pattern.converters})


def addresses_of(pattern: URLPattern, theirs: list[str], mine: list[str]) -> Iterator[str]:
    """Every address with an object of theirs; with two objects, one of them may be mine."""
    yield address_of(pattern, pk=theirs[0], other=theirs[-1])
    if "other" in pattern.pattern.converters:
        yield address_of(pattern, pk=theirs[0], other=mine[0])
        yield address_of(pattern, pk=mine[0], other=theirs[0])


def kind_of(visitor: str) -> str:
    return visitor.partition(" ")[0]


def is_refused(response: Any) -> bool:
    """Whether the answer says nothing of an object: not found, a wrong method, the login, or the end of polling."""
    to_login = response.status_code == 302 and response["Location"].startswith("/accounts/login/?")
    return to_login or response.status_code in (404, 405, 286)  # 286: an open page stops polling


def open_or_send(visitor: Client, address: str) -> list[Any]:
    """What the address answers to a link, and to a form."""
    return [visitor.get(address), visitor.post(address, FIELDS)]


@dataclass
class OwnedObjects:
    """Two accounts, two anonymous sessions, the token of an account, and by collection what each owner has."""

    token: str
    visitors: dict[str, Client]
    objects: dict[str, dict[str, list[str]]]


@pytest.fixture(scope="module")
def stored(module_portal: Path) -> OwnedObjects:
    visitors = {name: Client() for name in (*ACCOUNTS, *SESSIONS)}
    accounts = {name: User.objects.create_user(name) for name in ACCOUNTS}
    for name, account in accounts.items():
        visitors[name].force_login(account)
    _, token = create_token(accounts[ACCOUNT], "program", TokenScope.WRITE, now=timezone.now())
    objects = {collection: make_objects(collection, visitors) for collection in MAKERS}
    return OwnedObjects(token, visitors, objects)


def make_objects(collection: str, visitors: dict[str, Client]) -> dict[str, list[str]]:
    """By owners, the ids of one object, or two where two can be compared."""
    make, owners = MAKERS[collection]
    return {owner: [make(visitors[owner]) for _ in range(1 + (collection in COMPARED))] for owner in owners}


@pytest.fixture
def visitors(stored: OwnedObjects, module_files: None) -> dict[str, Client]:
    """Clients of this test alone, with the cookies of those who have the objects."""
    found = {TOKEN: Client(headers={"Authorization": f"Bearer {stored.token}"})}
    for name, visitor in stored.visitors.items():
        found[name] = Client()
        found[name].cookies.update(visitor.cookies)
    return found


def test_every_address_with_an_object_has_an_entry_here() -> None:
    assert ALL_ROUTES.keys() >= OPEN_TO_ALL
    assert {find_collection(route) for route in ROUTES} == set(MAKERS)
    assert {name for pattern in ROUTES.values() for name in pattern.pattern.converters} == {"pk", "other", *PARTS}


@pytest.mark.parametrize("route", ROUTES)
def test_an_object_of_another_owner_is_answered_like_one_that_is_not_there(
    stored: OwnedObjects, visitors: dict[str, Client], route: str
) -> None:
    pattern, objects = ROUTES[route], stored.objects[find_collection(route)]
    nobodys = "0" if find_collection(route) == "account" else str(uuid.UUID(int=4))
    missing = address_of(pattern, pk=nobodys, other=nobodys)
    refused = {
        kind_of(name): [response.status_code for response in open_or_send(visitors[name], missing)]
        for name in (ACCOUNTS[1], SESSIONS[1], TOKEN)
    }
    for owner in objects:
        for name in STRANGERS[owner]:
            for address in addresses_of(pattern, objects[owner], objects.get(name, [nobodys])):
                answers = open_or_send(visitors[name], address)
                seen = f"{name}: {address} of {owner}"
                assert all(map(is_refused, answers)), seen
                assert [response.status_code for response in answers] == refused[kind_of(name)], seen
        own = address_of(pattern, pk=objects[owner][0], other=objects[owner][-1])
        answers = open_or_send(visitors[owner], own)
        assert not all(map(is_refused, answers)), f"{owner}: {own}"
        assert 404 not in {response.status_code for response in answers}, f"{owner}: {own}"


def test_no_page_without_an_object_names_one_of_another_owner(
    stored: OwnedObjects, visitors: dict[str, Client]
) -> None:
    pages = [reverse(str(pattern.name)) for pattern in urls.urlpatterns if str(pattern.pattern) not in ALL_ROUTES]
    made = {owner: {*stored.objects["lookups"][owner], *stored.objects["jobs"][owner]} for owner in STRANGERS}
    for name, visitor in visitors.items():
        shown = b"".join(visitor.get(page).getvalue() for page in pages)
        named = {owner: {one for one in objects if one.encode() in shown} for owner, objects in made.items()}
        assert named == {owner: objects if owner == name else set() for owner, objects in made.items()}, name

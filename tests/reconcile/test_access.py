"""Who may ask: pages of any origin without a cookie; on a closed portal whoever has a token."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from resolver.models import TokenScope
from resolver.services.logins.api_tokens import create_token, revoke_token
from tests.reconcile.conftest import ELSEWHERE

pytestmark = pytest.mark.django_db

ADDRESSES = [
    "/reconcile",
    "/reconcile/quick",
    "/reconcile/search",
    "/reconcile/preview",
    "/reconcile/entities",
    "/reconcile/properties",
    "/reconcile/proposals",
]
QUERIES = {"queries": '{"q0": {"query": "10.5555/plain"}}'}


@pytest.fixture
def user(db: None) -> User:
    return User.objects.create_user("ada", password="a long enough word")


@pytest.fixture
def token(user: User) -> str:
    return create_token(user, "OpenRefine", TokenScope.READ, now=timezone.now())[1]


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS", "DELETE"])
def test_every_answer_can_be_read_by_pages_of_any_origin(address: str, method: str, client: Client) -> None:
    for target in (address, f"{address}/wrong-token"):
        response = client.generic(method, target)
        assert response["Access-Control-Allow-Origin"] == "*"
        assert response["Cross-Origin-Resource-Policy"] == "cross-origin"
        assert not response.has_header("Access-Control-Allow-Credentials")
        assert not response.cookies


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_preflight_passes_with_and_without_a_token(address: str, client: Client, settings: Any) -> None:
    wanted = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}
    for settings.DOIPORTAL_OPEN in (True, False):
        for target in (address, f"{address}/any"):
            response = client.options(target, headers=wanted)
            assert response.status_code == 204
            assert "content-type" in response["Access-Control-Allow-Headers"].lower()
            assert ("POST" in response["Access-Control-Allow-Methods"]) == (address in ADDRESSES[:3])


def test_a_form_of_another_site_is_answered_without_a_form_token(client: Client) -> None:
    assert client.post("/reconcile", QUERIES).status_code == 200
    assert client.post("/lookups", {"text": "10.5555/plain"}).status_code == 403, "as all other forms are not"


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_closed_portal_answers_401_without_a_token(address: str, client: Client, user: User, settings: Any) -> None:
    settings.DOIPORTAL_OPEN = False
    client.force_login(user)
    for target in (address, f"{address}/doiportal_wrong", f"{address}/{'x' * 5000}"):
        response = client.get(target, {"id": "10.5555/plain"})
        assert (response.status_code, response["WWW-Authenticate"]) == (401, 'Bearer realm="doiportal"')
        assert response.json()["status"] == 401


def test_a_closed_portal_answers_whoever_has_a_token(client: Client, token: str, settings: Any) -> None:
    settings.DOIPORTAL_OPEN = False
    for address in ADDRESSES[:3]:
        found = client.post(f"{address}/{token}", QUERIES).json()
        assert [one["id"] for one in found["q0"]["result"]] == ["10.5555/plain"]
    assert client.post(f"/reconcile/preview/{token}?id=10.5555/plain").status_code == 405
    assert client.get(f"/reconcile/preview/{token}?id=10.5555/plain").status_code == 200
    assert client.get(f"/reconcile/entities/{token}?prefix=10.5555/plain").json()["result"]


def test_every_address_in_a_manifest_has_the_token(client: Client, token: str, settings: Any) -> None:
    settings.DOIPORTAL_OPEN = False
    for address in ADDRESSES[:3]:
        manifest = client.get(f"{address}/{token}").json()
        suggest, extend = manifest["suggest"], manifest["extend"]["propose_properties"]
        for place in (*suggest.values(), extend):
            assert place["service_path"].endswith(f"/{token}")
            assert client.get(f"{place['service_path']}?prefix=").status_code == 200
        assert f"/{token}?id={{{{id}}}}" in manifest["preview"]["url"]


@pytest.mark.parametrize("is_open", [True, False])
def test_a_token_that_was_revoked_or_has_ended_is_refused(
    is_open: bool, client: Client, user: User, settings: Any
) -> None:
    settings.DOIPORTAL_OPEN = is_open
    token, key = create_token(user, "old", TokenScope.WRITE, now=timezone.now())
    assert client.get(f"/reconcile/{key}").status_code == 200
    revoke_token(token)
    assert client.get(f"/reconcile/{key}").status_code == 401
    _, ended = create_token(user, "ended", TokenScope.READ, now=timezone.now() - timedelta(days=9), days=1)
    assert client.get(f"/reconcile/{ended}").status_code == 401


def test_an_account_that_is_closed_has_no_access(client: Client, user: User, token: str) -> None:
    user.is_active = False
    user.save()
    assert client.get(f"/reconcile/{token}").status_code == 401


def test_the_language_of_the_browser_changes_no_answer_for_programs() -> None:
    answers = [
        Client(headers={**ELSEWHERE, "Accept-Language": language}).get("/reconcile").json() for language in ("de", "en")
    ]
    assert answers[0] == answers[1]


def test_an_error_of_the_portal_is_told_as_a_problem(client: Client, settings: Any) -> None:
    settings.MAX_INSPECTED = None  # nothing can go on with that
    client.raise_request_exception = False
    response = client.post("/reconcile", QUERIES)
    assert (response.status_code, response["Content-Type"]) == (500, "application/problem+json")
    assert response["Access-Control-Allow-Origin"] == "*"
    assert "Traceback" not in response.content.decode()


def test_a_host_that_is_not_ours_is_told_as_a_problem(client: Client) -> None:
    response = client.get("/reconcile", headers={"Host": "evil.example"})
    assert (response.status_code, response["Content-Type"]) == (400, "application/problem+json")

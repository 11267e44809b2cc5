"""API tokens: who may do what with one, and when it is refused."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from resolver.models import ApiToken, Job, Lookup, TokenScope
from resolver.services.accounts.owners import get_user_owner
from resolver.services.logins.api_tokens import create_token
from tests.api.conftest import Post, assert_problem

LIST = b"doi\n10.1000/182\n"


def make_key(user: User, scope: TokenScope = TokenScope.WRITE, **options: Any) -> str:
    _, key = create_token(user, f"test {ApiToken.objects.count()}", scope, now=timezone.now(), **options)
    return key


def bearing(key: str, word: str = "Bearer") -> dict[str, str]:
    return {"Authorization": f"{word} {key}"}


@pytest.mark.parametrize("word", ["Bearer", "Token", "bearer"])
def test_a_token_acts_for_its_account(post: Post, user: User, settings: Any, word: str):
    settings.DOIPORTAL_OPEN = False
    response = post("lookups", {"input": "10.1000/182"}, headers=bearing(make_key(user), word))
    assert response.status_code == 201, response.content
    assert Lookup.objects.get().owner == get_user_owner(user)


def test_a_token_needs_no_csrf_token_and_sets_no_cookie(api: Client, user: User):
    response = api.post(
        "/api/v1/lookups", {"input": "10.1000/182"}, "application/json", headers=bearing(make_key(user))
    )
    assert response.status_code == 201
    assert not response.cookies


@pytest.mark.parametrize("word", ["Bearer", "Token"])
@pytest.mark.parametrize("key", ["wrong", "doiportal_" + "x" * 43, "x" * 5_000])
def test_an_unknown_token_is_refused_on_an_open_portal_too(api: Client, db: None, word: str, key: str):
    response = api.get("/api/v1/jobs", headers=bearing(key, word))
    assert "wrong, has ended or was revoked" in assert_problem(response, 401)["detail"]
    assert response["WWW-Authenticate"] == 'Bearer realm="doiportal"'


@pytest.mark.parametrize("header", ["Bearer", "Bearer a b", "Token ä"])
def test_a_malformed_header_is_refused(api: Client, db: None, header: str):
    assert_problem(api.get("/api/v1/jobs", headers={"Authorization": header}), 401)


def test_a_token_without_the_word_before_it_is_not_taken_for_no_token(post: Post, user: User):
    refused = post("lookups", {"input": "10.1000/182"}, headers={"Authorization": make_key(user)})
    assert "Bearer" in assert_problem(refused, 401)["detail"]
    assert not Lookup.objects.exists()


@pytest.mark.parametrize("header", ["Basic YWRhOng=", "Digest username=ada", ""])
def test_the_login_of_a_server_in_front_is_ignored(api: Client, db: None, header: str):
    assert api.get("/api/v1/jobs", headers={"Authorization": header}).status_code == 200


def test_a_token_works_until_it_ends(api: Client, user: User):
    key = make_key(user, days=1)
    assert api.get("/api/v1/jobs", headers=bearing(key)).status_code == 200
    ApiToken.objects.update(ends_at=timezone.now())
    assert_problem(api.get("/api/v1/jobs", headers=bearing(key)), 401)


def test_a_token_of_an_account_that_is_not_active_is_refused(api: Client, user: User):
    key = make_key(user)
    User.objects.update(is_active=False)
    assert_problem(api.get("/api/v1/jobs", headers=bearing(key)), 401)


def test_a_token_ends_with_its_account(api: Client, user: User):
    key = make_key(user)
    user.delete()
    assert_problem(api.get("/api/v1/jobs", headers=bearing(key)), 401)


def test_only_a_hash_of_the_key_is_stored(user: User):
    key = make_key(user)
    stored = ApiToken.objects.values().get()
    assert not [column for column, value in stored.items() if key in str(value) or str(value) in (key[10:],)]
    assert len(stored["digest"]) == 64


def test_the_last_use_is_remembered_to_the_minute(api: Client, user: User):
    key = make_key(user)
    api.get("/api/v1/jobs", headers=bearing(key))
    first = ApiToken.objects.get().last_used_at
    api.get("/api/v1/jobs", headers=bearing(key))
    assert first is not None
    assert ApiToken.objects.get().last_used_at == first
    ApiToken.objects.update(last_used_at=first - timedelta(minutes=2))
    api.get("/api/v1/jobs", headers=bearing(key))
    assert ApiToken.objects.get().last_used_at > first


def test_a_token_sees_nothing_of_another_account(api: Client, upload: Post, user: User):
    mine = upload(LIST, headers=bearing(make_key(user))).json()["id"]
    stranger = User.objects.create_user("eve", password="a long enough word")
    assert_problem(api.get(f"/api/v1/jobs/{mine}", headers=bearing(make_key(stranger))), 404)
    assert api.get(f"/api/v1/jobs/{mine}", headers=bearing(make_key(user))).status_code == 200


def test_a_token_takes_nothing_over_from_a_session(api: Client, upload: Post, user: User):
    anonymous = upload(LIST).json()["id"]
    api.get("/api/v1/jobs", headers=bearing(make_key(user)))
    assert Job.objects.get(pk=anonymous).owner.startswith("session:")
    assert api.get(f"/api/v1/jobs/{anonymous}").status_code == 200


def test_a_token_that_may_only_read_has_its_texts_read(post: Post, user: User):
    key = make_key(user, TokenScope.READ)
    assert post("inspections", {"inputs": ["10.1000/182"]}, headers=bearing(key)).status_code == 200

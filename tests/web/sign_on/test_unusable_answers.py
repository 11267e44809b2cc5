"""Providers that answer what they should not: nobody is logged in, and a page says what to do."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.contrib.auth.models import User
from django.test import Client

from resolver.proxy import identity_requests
from tests.openid_provider import CLIENT, SECRET, WrittenProvider
from tests.web.conftest import text_of
from tests.web.sign_on.conftest import START, start, use_provider

Written = Callable[[WrittenProvider], Any]


@pytest.fixture
def written(settings: Any) -> Iterator[WrittenProvider]:
    with WrittenProvider() as provider:
        use_provider(settings, provider.url)
        yield provider


def finish(client: Client, provider: WrittenProvider) -> Any:
    return client.get(provider.back(start(client)))


def test_right_answers_log_the_person_in(visitor: Client, written: WrittenProvider) -> None:
    assert finish(visitor, written).status_code == 302
    assert User.objects.get().username == "ada"


def test_a_provider_without_a_userinfo_endpoint_says_all_in_the_id_token(
    visitor: Client, written: WrittenProvider
) -> None:
    description = written.description()
    del description["userinfo_endpoint"]
    written.answers["/.well-known/openid-configuration"] = lambda: description
    claims = {"preferred_username": "grace", "groups": ["library"]}
    written.answers["/token"] = lambda: {"access_token": "a", "id_token": written.id_token(**claims)}
    assert finish(visitor, written).status_code == 302
    assert User.objects.get().username == "grace"


def test_what_the_id_token_says_counts_more_than_what_userinfo_says(visitor: Client, written: WrittenProvider) -> None:
    token = written.id_token(groups=["staff"])
    written.answers["/token"] = lambda: {"access_token": "a", "id_token": token}
    assert finish(visitor, written).status_code == 403


@pytest.mark.parametrize(
    ("methods", "in_header"),
    [(None, True), (["client_secret_post"], False), (["client_secret_basic", "client_secret_post"], True)],
)
def test_the_secret_is_sent_as_the_provider_wants_it(
    visitor: Client, written: WrittenProvider, methods: list[str] | None, in_header: bool
) -> None:
    more = {} if methods is None else {"token_endpoint_auth_methods_supported": methods}
    written.answers["/.well-known/openid-configuration"] = lambda: written.description(**more)
    assert finish(visitor, written).status_code == 302
    (sent,) = [(body, headers) for path, body, headers in written.requests if path == "/token"]
    assert ("Authorization" in sent[1], "client_secret" in sent[0]) == (in_header, not in_header)
    assert "code_verifier" in sent[0]
    assert all(headers["User-Agent"].startswith("doiportal/") for _, _, headers in written.requests)


@pytest.mark.parametrize("algorithm", ["RS256", "RS512", "PS256", "PS384", "ES256"])
def test_a_key_that_names_no_algorithm_is_for_those_of_its_kind(
    visitor: Client, written: WrittenProvider, algorithm: str
) -> None:
    key = ec.generate_private_key(ec.SECP256R1()) if algorithm == "ES256" else written.key
    written.answers["/jwks"] = lambda: {"keys": ["no key", {"kid": "1"}, written.public_key(key)]}
    written.answers["/token"] = lambda: {"access_token": "a", "id_token": written.id_token(key, algorithm)}
    assert finish(visitor, written).status_code == 302
    assert User.objects.get().username == "ada"


@pytest.mark.parametrize(
    ("named", "algorithm"),
    [("RS256", "PS256"), ("PS256", "RS256"), ("RS256", "HS256"), (None, "HS256"), (None, "none")],
)
def test_a_token_by_another_algorithm_than_that_of_the_key_logs_nobody_in(
    visitor: Client, written: WrittenProvider, named: str | None, algorithm: str
) -> None:
    key = written.public_key(**({} if named is None else {"alg": named}))
    secret = {"HS256": key["n"], "none": ""}.get(algorithm, written.key)  # what is public is no secret
    written.answers["/jwks"] = lambda: {"keys": [key]}
    written.answers["/token"] = lambda: {"access_token": "a", "id_token": written.id_token(secret, algorithm)}
    assert finish(visitor, written).status_code == 502
    assert not User.objects.exists()


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("/token", lambda one: {"access_token": "a", "id_token": one.id_token(one.other_key)}),
        ("/token", lambda one: {"access_token": "a", "id_token": one.id_token("", "none")}),
        ("/token", lambda one: {"access_token": "a", "id_token": one.id_token("x" * 32, "HS256")}),
        ("/token", lambda one: {"access_token": "a", "id_token": one.id_token(aud="another client")}),
        ("/token", lambda one: {"access_token": "a", "id_token": one.id_token(iss="https://elsewhere.example")}),
        ("/token", lambda one: {"access_token": "a", "id_token": one.id_token(exp=1)}),
        ("/token", lambda one: {"access_token": "a", "id_token": one.id_token(sub="x" * 192)}),
        ("/token", lambda one: {"access_token": "a", "id_token": "no token"}),
        ("/token", lambda _: {"access_token": "a"}),
        ("/token", lambda _: {"access_token": "a", "expires_in": "soon"}),
        ("/token", lambda _: {"error": "invalid_client"}),
        ("/token", lambda _: ["access_token"]),
        ("/token", lambda _: b"<html>"),
        ("/jwks", lambda _: {}),
        ("/jwks", lambda _: {"keys": [{"kty": "RSA"}]}),
        ("/jwks", lambda _: {"keys": ["RSA"]}),
        ("/jwks", lambda _: []),
        ("/userinfo", lambda _: {"sub": "2", "preferred_username": "root", "groups": "library"}),
        ("/userinfo", lambda _: {"preferred_username": "root", "groups": "library"}),
        ("/userinfo", lambda _: 401),
        ("/userinfo", lambda _: []),
    ],
)  # fmt: skip
def test_an_answer_that_is_not_right_logs_nobody_in(
    visitor: Client, written: WrittenProvider, path: str, answer: Written
) -> None:
    written.answers[path] = lambda: answer(written)
    page = finish(visitor, written)
    assert page.status_code == 502
    assert "sent an answer that we can’t use" in text_of(page)
    assert not User.objects.exists()
    assert visitor.get("/").status_code == 302


@pytest.mark.parametrize("path", ["/token", "/jwks", "/userinfo"])
def test_a_provider_with_a_fault_is_away(visitor: Client, written: WrittenProvider, path: str) -> None:
    written.answers[path] = lambda: 503
    assert finish(visitor, written).status_code in {502, 503}
    assert not User.objects.exists()


@pytest.mark.parametrize(
    "description",
    [
        lambda one: one.description(issuer="https://elsewhere.example"),
        lambda one: one.description(issuer=None),
        lambda one: one.description(token_endpoint=7),
        lambda _: [],
        lambda _: b"<html>",
        lambda _: 404,
    ],
)
def test_a_description_that_is_not_right_stops_the_login_at_its_start(
    visitor: Client, written: WrittenProvider, description: Written
) -> None:
    written.answers["/.well-known/openid-configuration"] = lambda: description(written)
    assert visitor.post(START).status_code == 502


def test_a_provider_whose_answer_never_ends_is_away(
    visitor: Client, written: WrittenProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(identity_requests, "TIME_LIMIT", identity_requests.TIME_LIMIT._replace(total=0.5))
    written.answers["/.well-known/openid-configuration"] = lambda: (b" " for _ in iter(lambda: time.sleep(0.1), 1))
    assert visitor.post(START).status_code == 503


def test_an_id_token_with_a_number_counts_once(visitor: Client, written: WrittenProvider) -> None:
    token = written.id_token(jti="7")
    written.answers["/token"] = lambda: {"access_token": "a", "id_token": token}
    assert finish(visitor, written).status_code == 302
    assert finish(Client(), written).status_code == 502


def test_what_failed_is_logged_on_one_line_without_secrets(
    visitor: Client, written: WrittenProvider, caplog: pytest.LogCaptureFixture
) -> None:
    written.answers["/token"] = lambda: {"error": "invalid_client", "error_description": "a\nb"}
    finish(visitor, written)
    said = [record.getMessage() for record in caplog.records if record.name == "doiportal.logins"]
    assert len(said) == 1
    assert "invalid_client" in said[0]
    assert "\n" not in said[0]
    assert SECRET not in caplog.text
    assert CLIENT not in said[0]

"""The account page: tokens made, shown once, revoked."""

import re
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from resolver.models import ApiToken, TokenScope
from resolver.services.logins import api_tokens
from tests.web.conftest import html_of, text_of

FORM = {"name": "nightly check", "scope": "write", "days": "365"}


@pytest.fixture
def ada(visitor: Client) -> Client:
    visitor.force_login(User.objects.create_user("ada"))
    return visitor


def key_on(page: object) -> str:
    return "".join(re.findall(r'<code class="whole" id="key">(\w[\w-]+)</code>', html_of(page)))


@pytest.mark.parametrize("address", ["/account", "/account/tokens/1/revoke"])
def test_without_a_login_there_is_no_account_page(visitor: Client, address: str):
    assert visitor.get(address)["Location"] == f"/accounts/login/?next={address}"


def test_a_new_token_is_shown_once_and_works(ada: Client):
    page = ada.post("/account/tokens", FORM)
    key = key_on(page)
    assert "It isn’t stored here and can’t be shown again." in text_of(page)
    assert page["Cache-Control"].find("no-store") >= 0
    assert Client().get("/api/v1/jobs", headers={"Authorization": f"Bearer {key}"}).status_code == 200
    later = ada.get("/account")
    assert key not in html_of(later)
    assert "nightly check Read and write" in text_of(later)


@pytest.mark.parametrize(("scope", "path"), [("write", "lookups"), ("read", "jobs")])
def test_a_new_tokens_first_command_holds_it_and_asks_for_what_it_may(ada: Client, scope: str, path: str):
    page = ada.post("/account/tokens", FORM | {"scope": scope})
    command = unescape("".join(re.findall(r'<pre id="first-curl"[^>]*>(.*?)</pre>', html_of(page), re.DOTALL)))
    assert f"http://testserver/api/v1/{path} " in command
    assert f'-H "Authorization: Bearer {key_on(page)}"' in command


def test_the_form_sent_twice_makes_one_token(ada: Client):
    ada.post("/account/tokens", FORM)
    again = ada.post("/account/tokens", FORM)
    assert (again.status_code, ApiToken.objects.count()) == (422, 1)
    assert "You have a token with this name." in text_of(again)
    assert not key_on(again)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"name": ""}, "Enter what the token is for"),
        ({"name": "x" * 101}, "at most 100"),
        ({"scope": "all"}, "valid choice"),
        ({"days": "7"}, "valid choice"),
    ],
)
def test_a_form_with_a_mistake_says_it_and_makes_nothing(ada: Client, changed: dict[str, str], sentence: str):
    page = ada.post("/account/tokens", FORM | changed)
    assert (page.status_code, ApiToken.objects.count()) == (422, 0)
    assert sentence in text_of(page)


@pytest.mark.parametrize(("days", "lasts"), [("30", 30), ("", None)])
def test_a_token_lasts_as_long_as_chosen(ada: Client, days: str, lasts: int | None):
    ada.post("/account/tokens", FORM | {"days": days})
    token = ApiToken.objects.get()
    assert (token.ends_at and (token.ends_at - token.created_at).days) == lasts


def test_a_revoked_token_is_refused_at_once(ada: Client):
    key = key_on(ada.post("/account/tokens", FORM))
    token = ApiToken.objects.get()
    assert "nightly check" in text_of(ada.get(f"/account/tokens/{token.pk}/revoke"))
    page = ada.post(f"/account/tokens/{token.pk}/revoke", follow=True)
    assert "The token “nightly check” was revoked." in text_of(page)
    assert Client().get("/api/v1/jobs", headers={"Authorization": f"Bearer {key}"}).status_code == 401


def test_nobody_sees_or_revokes_the_token_of_another(ada: Client):
    eve = User.objects.create_user("eve")
    token, _ = api_tokens.create_token(eve, "evening", TokenScope.READ, now=timezone.now())
    assert "evening" not in text_of(ada.get("/account"))
    assert ada.post(f"/account/tokens/{token.pk}/revoke").status_code == 404
    assert ApiToken.objects.filter(pk=token.pk).exists()


def test_an_account_has_a_bounded_number_of_tokens(ada: Client, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(api_tokens, "MOST_TOKENS", 1)
    ada.post("/account/tokens", FORM)
    page = ada.post("/account/tokens", FORM | {"name": "another"})
    assert "You have 1 tokens, the most possible. Revoke one first." in text_of(page)
    assert ApiToken.objects.count() == 1


def test_a_token_that_has_ended_says_so(ada: Client):
    ada.post("/account/tokens", FORM)
    ApiToken.objects.update(ends_at=timezone.now())
    assert "expired Revoke nightly check" in text_of(ada.get("/account"))


def test_the_account_page_says_what_is_left_of_the_daily_quotas(ada: Client, settings: Any) -> None:
    assert "Today" not in text_of(ada.get("/account"))
    settings.MAX_LISTS_PER_DAY, settings.MAX_REQUESTS_PER_DAY = 20, 1
    assert ada.get("/api/v1/jobs").status_code == 200
    said = text_of(ada.get("/account"))
    assert "You can check 20 more lists today, of 20 a day." in said
    assert "You can send 0 more requests to the API today, of 1 a day." in said

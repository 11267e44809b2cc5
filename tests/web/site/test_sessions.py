"""Sessions of accounts: which key they have, what ends them, and how their cookies may be used."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client

PASSWORD = "Ä long enough wörd, of any characters" + 60 * "x"
ADMIN = "another long enough word"


@pytest.fixture(autouse=True)
def _quick_hash(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada", password=PASSWORD)


def log_in(client: Client) -> None:
    answer = client.post("/accounts/login/", {"username": "ada", "password": PASSWORD})
    assert answer.status_code == 302


def test_a_login_takes_another_key_and_the_old_one_opens_nothing(ada: User, visitor: Client) -> None:
    visitor.post("/lookups", {"text": "10.1000/182"})
    before = visitor.cookies["sessionid"].value
    log_in(visitor)
    assert visitor.cookies["sessionid"].value != before
    thief = Client()
    thief.cookies["sessionid"] = before
    assert thief.get("/account").status_code == 302
    assert not Session.objects.filter(session_key=before).exists()


def test_after_the_logout_the_key_opens_nothing(ada: User, visitor: Client) -> None:
    log_in(visitor)
    key = visitor.cookies["sessionid"].value
    assert visitor.post("/accounts/logout/").status_code == 302
    thief = Client()
    thief.cookies["sessionid"] = key
    assert thief.get("/account").status_code == 302
    assert not Session.objects.filter(session_key=key).exists()


def _switch_off(account: User) -> None:
    account.is_active = False
    account.save()


def _set_password(account: User) -> None:
    administrator = Client()
    administrator.force_login(User.objects.create_superuser("eve", password=ADMIN))
    form = {"password1": ADMIN, "password2": ADMIN, "usable_password": "true"}
    assert administrator.post(f"/admin/auth/user/{account.pk}/password/", form).status_code == 302


@pytest.mark.parametrize("end", [_switch_off, _set_password, User.delete])
def test_an_administrator_ends_all_sessions_of_an_account(ada: User, end: Callable[[User], Any]) -> None:
    browsers = [Client(), Client()]
    for browser in browsers:
        log_in(browser)
        assert browser.get("/account").status_code == 200
    end(ada)
    assert [browser.get("/account").status_code for browser in browsers] == [302, 302]


@pytest.mark.parametrize("is_https", [True, False])
def test_scripts_and_other_sites_get_no_cookie_and_https_alone_carries_it(
    ada: User, visitor: Client, settings: Any, is_https: bool
) -> None:
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = settings.LANGUAGE_COOKIE_SECURE = is_https
    visitor.get("/accounts/login/")
    visitor.post("/language", {"language": "de", "next": "/"})
    log_in(visitor)
    assert set(visitor.cookies) == {"sessionid", "csrftoken", "language", "known-browser"}
    for cookie in visitor.cookies.values():
        assert (cookie["httponly"], cookie["samesite"], bool(cookie["secure"])) == (True, "Lax", is_https), cookie.key


def test_every_page_that_needs_a_login_has_the_way_out(ada: User, visitor: Client, settings: Any) -> None:
    settings.DOIPORTAL_OPEN = False
    log_in(visitor)
    for address in ("/", "/history", "/jobs", "/account", "/webhooks", "/account/delete", "/accounts/password/"):
        assert 'action="/accounts/logout/"' in visitor.get(address).text, address


def test_a_password_field_hides_what_is_typed_and_lets_programs_fill_it_in(ada: User, visitor: Client) -> None:
    login = visitor.get("/accounts/login/").text
    log_in(visitor)
    fields = [login, visitor.get("/accounts/password/").text, visitor.get("/account/delete").text]
    for page in fields:
        assert 'type="password"' in page
        assert 'autocomplete="' in page
        assert "onpaste" not in page


def test_a_password_may_be_long_and_of_any_characters_and_counts_as_typed(ada: User, visitor: Client) -> None:
    log_in(visitor)
    new = " ß ÄÖÜ 漢字 only spaces and letters " * 4
    form = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    assert visitor.post("/accounts/password/", form).status_code == 302
    for typed, status in ((new.strip(), 200), (new.lower(), 200), (new[:-1], 200), (new, 302)):
        assert Client().post("/accounts/login/", {"username": "ada", "password": typed}).status_code == status


@pytest.mark.django_db
def test_a_new_portal_has_no_account() -> None:
    assert not User.objects.exists()

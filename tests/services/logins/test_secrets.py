"""What nobody may guess: made by chance, of 128 bits or more, another one each time."""

import hashlib
from collections.abc import Callable
from math import log2
from types import SimpleNamespace

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.core import signing
from django.http import HttpResponse
from django.utils import timezone

from resolver.models import Job, TokenScope
from resolver.services.accounts.owners import get_session_owner
from resolver.services.jobs.sharing import share_job
from resolver.services.logins import known_browsers
from resolver.services.logins.api_tokens import PREFIX, create_token
from resolver.services.webhooks import registration

pytestmark = pytest.mark.django_db
BASE64, HEXADECIMAL, LETTERS_AND_DIGITS = 64, 16, 36


def _account() -> User:
    return User.objects.get_or_create(username="ada")[0]


def _token() -> str:
    name = str(timezone.now().timestamp())
    return create_token(_account(), name, TokenScope.READ, now=timezone.now())[1].removeprefix(PREFIX)


def _share_link() -> str:
    job = Job.objects.create(owner="user:1", created_at=timezone.now())
    share_job(job)
    return job.share_token


def _webhook() -> str:
    webhook = registration.create_webhook(
        _account(), url="https://8.8.8.8/", name="", events=[], portal="", now=timezone.now()
    )
    return webhook.secret.removeprefix(registration.PREFIX).rstrip("=")


def _known_browser() -> str:
    answer = HttpResponse()
    known_browsers.remember_browser(answer, "ada")
    (cookie,) = answer.cookies.values()
    return signing.loads(cookie.value, salt=known_browsers._SALT)[1]


def test_the_cookie_of_a_known_browser_does_not_tell_whose_it_is() -> None:
    answer = HttpResponse()
    known_browsers.remember_browser(answer, "ada")
    (cookie,) = answer.cookies.values()
    owner, _ = signing.loads(cookie.value, salt=known_browsers._SALT)
    guesses = {"ada", *(hashlib.new(kind, b"ada").hexdigest()[: len(owner)] for kind in ("sha256", "sha1", "md5"))}
    assert owner not in guesses
    assert known_browsers.get_known_browser(SimpleNamespace(COOKIES={cookie.key: cookie.value}), "ada")


def _session() -> str:
    session = SessionStore()
    session.create()
    return str(session.session_key)


def _owner() -> str:
    return get_session_owner({}).partition(":")[2]


@pytest.mark.parametrize(
    ("make", "letters"),
    [
        (_token, BASE64),
        (_share_link, BASE64),
        (_webhook, BASE64),
        (_owner, BASE64),
        (_known_browser, HEXADECIMAL),
        (_session, LETTERS_AND_DIGITS),
    ],
)
def test_a_secret_has_128_bits_and_is_another_each_time(make: Callable[[], str], letters: int) -> None:
    one, other = make(), make()
    assert one != other
    assert len(one) * log2(letters) >= 128

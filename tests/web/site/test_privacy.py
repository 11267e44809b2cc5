"""The page on privacy says what holds for this portal."""

from typing import Any

import pytest
from django.conf import settings as django_settings
from django.contrib.auth.models import User
from django.test import Client

from tests.web.conftest import html_of, text_of


def test_it_needs_no_login_and_every_page_leads_to_it(visitor: Client, settings: Any) -> None:
    settings.DOIPORTAL_OPEN = False
    assert visitor.get("/privacy").status_code == 200
    assert 'href="/privacy"' in html_of(visitor.get("/accounts/login/"))
    assert "sessionid" not in visitor.cookies


def test_it_says_for_how_long_by_the_settings(visitor: Client, settings: Any) -> None:
    settings.KEEP_DAYS, settings.ACCOUNT_SESSION_DAYS, settings.ANSWERS_FRESH_HOURS = 1234, 3, 1.5
    page = text_of(visitor.get("/privacy"))
    assert "Lookups 1,234 days" in page
    assert "Lists 1,234 days after their check ended" in page
    assert "365 days, and 3 after a login" in page
    assert "without who requested them 2 hours" in page
    settings.KEEP_DAYS = 0
    assert "Lookups Until you delete them Lists Until you delete them" in text_of(visitor.get("/privacy"))


def test_it_names_every_cookie_that_the_portal_sets(visitor: Client) -> None:
    User.objects.create_user("ada", password="a long enough word")
    visitor.get("/accounts/login/")
    visitor.post("/language", {"language": "en", "next": "/"})
    visitor.post("/accounts/login/", {"username": "ada", "password": "a long enough word"})
    form = {"old_password": "a long enough word", "new_password1": "another word of it"}
    again = {"new_password2": form["new_password1"]}
    assert visitor.post("/accounts/password/", form | again).status_code == 302
    assert "known-browser" in visitor.cookies
    assert "messages" in visitor.cookies
    page = html_of(visitor.get("/privacy"))
    assert not [name for name in visitor.cookies if f"<code>{name}</code>" not in page]
    assert django_settings.SESSION_COOKIE_NAME in page


@pytest.mark.parametrize(
    ("setting", "value", "said"),
    [
        ("SENTRY_DSN", "https://key@sentry.example.org/1", "sentry.example.org gets reports of errors"),
        ("REMOTE_USER_HEADER", "X-Remote-User", "You log in at another server"),
        ("EMAIL_HOST", "mail.example.org", "a mail server gets your email address"),
    ],
)
def test_it_names_who_else_gets_something_if_it_is_so(
    visitor: Client, settings: Any, setting: str, value: str, said: str
) -> None:
    settings.DOI_PROXY_URL = "https://proxy.example.org/path"
    before = text_of(visitor.get("/privacy"))
    assert "The DOI proxy proxy.example.org gets the DOIs" in before
    assert said not in before
    setattr(settings, setting, value)
    after = visitor.get("/privacy")
    assert said in text_of(after)
    assert "key@" not in html_of(after)


def test_it_names_the_services_that_get_dois_and_says_that_titles_stay(visitor: Client, settings: Any) -> None:
    settings.METADATA_SERVICE_URL = "https://mirror.example.org/path"
    page = text_of(visitor.get("/privacy"))
    for host in ("api.crossref.org", "api.datacite.org", "data.medra.org", "mirror.example.org"):
        assert host in page
    assert "If you compare works, they get the DOIs only." in page
    settings.METADATA = False
    assert "never leave this server" not in text_of(visitor.get("/privacy"))


@pytest.mark.parametrize(
    ("privacy", "email", "said"),
    [
        ("", "", "Ask the people who run this portal."),
        ("", "library@example.org", 'href="mailto:library@example.org"'),
        ("data@example.org", "library@example.org", 'href="mailto:data@example.org"'),
        ("https://example.org/privacy?a=1&b=2", "", 'href="https://example.org/privacy?a=1&amp;b=2"'),
    ],
)
def test_it_says_whom_to_ask(visitor: Client, settings: Any, privacy: str, email: str, said: str) -> None:
    settings.PRIVACY_CONTACT, settings.CONTACT_EMAIL = privacy, email
    page = html_of(visitor.get("/privacy"))
    assert said in page
    assert page.count("mailto:") == ("mailto:" in said)


def test_it_says_what_a_search_sends_where_and_that_nothing_is_sent_by_itself(visitor: Client, settings: Any) -> None:
    settings.SEARCH_URL = "https://search.library.example/glutton"
    page = text_of(visitor.get("/privacy"))
    assert "If you search for a missing DOI, we send title, author, journal and year" in page
    assert "to search.library.example, and nothing about you" in page
    assert "never sent by itself" in page
    assert "never leave this server" not in page
    settings.SEARCH = False
    page = text_of(visitor.get("/privacy"))
    assert "search.library.example" not in page
    assert "Searches without an account" not in page
    assert "The titles and the authors in your texts and lists never leave this server." in page

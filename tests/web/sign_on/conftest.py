"""A portal whose people log in at an OpenID provider, which is a process of its own."""

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from django.test import Client

from tests.openid_provider import CLIENT, SECRET, OpenIdProvider, openid_provider
from tests.web.conftest import html_of

START, BACK = "/accounts/oidc/login", "/accounts/oidc/callback"


@pytest.fixture(scope="session")
def provider() -> Iterator[OpenIdProvider]:
    with openid_provider() as running:
        yield running


def use_provider(settings: Any, url: str) -> None:
    settings.OIDC_SERVER_URL, settings.OIDC_NAME = url, "Example University"
    settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET = CLIENT, SECRET
    settings.OIDC_USER_GROUPS, settings.OIDC_ADMIN_GROUPS = ["library"], ["it", "chiefs"]
    settings.DOIPORTAL_OPEN = False


def start(client: Client, /, address: str = START, **form: str) -> str:
    """Press the button on the page of the login; the address of the provider to which the browser is sent."""
    page = client.post(address, form)
    assert page.status_code == 200, html_of(page)
    found = re.search(r'http-equiv="refresh" content="0;url=([^"]+)"', html_of(page))
    assert found, html_of(page)
    return unescape(found[1])


def log_in(client: Client, provider: OpenIdProvider, subject: str = "1", /, **claims: Any) -> Any:
    """Log in as the person of this subject, whose claims are these; the answer of the portal."""
    provider.know(subject, **{"preferred_username": "ada", "groups": ["library"], **claims})
    return client.get(provider.confirm(start(client), subject))

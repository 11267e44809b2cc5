"""The web server below a path, behind a server that ends https, with an OpenID provider that only the HTTP proxy of the
network reaches."""

import re
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
import requests

from tests.openid_provider import CLIENT, SECRET, OpenIdProvider, openid_provider
from tests.portal_processes import ROOT
from tests.proxy.tunnel import Tunnel
from tests.saml_provider import UID, SamlProvider
from tests.setup.portal import serving

pytestmark = pytest.mark.slow

PROVIDER = "login.nowhere.invalid"  # no name server knows it
PUBLIC, PREFIX = "https://library.example.org", "/doi"
FRONT = {"Host": "library.example.org", "X-Forwarded-Proto": "https", "X-Forwarded-For": "198.51.100.7"}
ADA = {"preferred_username": "ada", "groups": ["/library", "/it"]}


@pytest.fixture
def provider() -> Iterator[OpenIdProvider]:
    with openid_provider() as running:
        yield running


class Browser:
    """What a browser keeps and sends; https ends before the portal."""

    def __init__(self, port: int) -> None:
        self._root = f"http://127.0.0.1:{port}"
        self._cookies: dict[str, str] = {}

    def send(self, method: str, path: str, origin: str = PUBLIC, **form: str) -> requests.Response:
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        headers = FRONT | {"Cookie": cookies, "Origin": origin, "Referer": f"{origin}/"}
        answer = requests.request(
            method, f"{self._root}{path}", data=form, headers=headers, allow_redirects=False, timeout=60
        )
        self._cookies |= answer.cookies.get_dict()
        return answer


def find(pattern: str, page: str) -> str:
    found = re.search(pattern, page)
    assert found, page
    return unescape(found[1])


def log_in_by_saml(browser: Browser, provider: SamlProvider) -> str:
    """The answer of the provider."""
    page = browser.send("GET", f"{PREFIX}/accounts/login/").text
    token = find('name="csrfmiddlewaretoken" value="([^"]+)"', page)
    leaving = browser.send("POST", f"{PREFIX}/accounts/saml/login", csrfmiddlewaretoken=token).text
    answer = provider.answer(find('http-equiv="refresh" content="0;url=([^"]+)"', leaving))
    sent = browser.send("POST", f"{PREFIX}/accounts/saml/acs", "https://login.example.edu", SAMLResponse=answer)
    assert sent.headers["Location"].startswith(f"{PREFIX}/accounts/saml/finish?answer=")
    assert browser.send("GET", sent.headers["Location"]).status_code == 302
    assert "grace" in browser.send("GET", f"{PREFIX}/account").text
    own = f'entityID="{PUBLIC}{PREFIX}/accounts/saml/metadata"'
    assert own in browser.send("GET", f"{PREFIX}/accounts/saml/metadata").text
    return answer


@pytest.fixture
def saml_provider() -> Iterator[SamlProvider]:
    with SamlProvider() as running:
        running.person.attributes[UID] = ["grace"]
        yield running


def test_people_log_in_through_all_that_stands_between(
    tmp_path: Path, provider: OpenIdProvider, saml_provider: SamlProvider
) -> None:
    with Tunnel(ports={PROVIDER: urlsplit(provider.url).port or 0}) as tunnel:
        told = {
            "OIDC_SERVER_URL": f"http://{PROVIDER}", "OIDC_CLIENT_ID": CLIENT, "OIDC_CLIENT_SECRET": SECRET,
            "OIDC_NAME": "Example University", "OIDC_USER_GROUPS": "/library", "OIDC_ADMIN_GROUPS": "/it",
            "HTTP_PROXY": f"http://127.0.0.1:{tunnel.port}", "NO_PROXY": "127.0.0.1", "DOIPORTAL_OPEN": "0",
            "URL_PREFIX": PREFIX, "CSRF_TRUSTED_ORIGINS": PUBLIC, "TRUSTED_PROXIES": "127.0.0.1",
            "ALLOWED_HOSTS": "library.example.org", "LOG_LEVEL": "DEBUG",
            "SAML_IDP_METADATA": f"{saml_provider.url}/metadata", "SAML_NAME": "Example College",
        }  # fmt: skip
        with serving(tmp_path, **told) as portal:
            browser = Browser(portal.port)
            page = browser.send("GET", f"{PREFIX}/accounts/login/").text
            assert "Log in with Example University" in page
            token = find('name="csrfmiddlewaretoken" value="([^"]+)"', page)
            form = {"csrfmiddlewaretoken": token, "next": f"{PREFIX}/account"}
            leaving = browser.send("POST", f"{PREFIX}/accounts/oidc/login", **form).text
            address = find('http-equiv="refresh" content="0;url=([^"]+)"', leaving)
            assert address.startswith(f"http://{PROVIDER}/oauth2/authorize?")
            assert parse_qs(urlsplit(address).query)["redirect_uri"] == [f"{PUBLIC}{PREFIX}/accounts/oidc/callback"]
            provider.know("1", **ADA)
            back = provider.confirm(address.replace(f"http://{PROVIDER}", provider.url), "1")
            arrived = browser.send("GET", back.removeprefix(PUBLIC))
            assert (arrived.status_code, arrived.headers["Location"]) == (302, f"{PREFIX}/account")
            assert "ada" in browser.send("GET", f"{PREFIX}/account").text
            assert browser.send("GET", f"{PREFIX}/admin/").status_code == 200
            answer = log_in_by_saml(Browser(portal.port), saml_provider)
            doctor = subprocess.run(
                [sys.executable, "manage.py", "doctor"],
                cwd=ROOT,
                env=portal.environment,
                capture_output=True,
                text=True,
                check=False,
            ).stdout
            assert f"http://{PROVIDER} is an OpenID provider, and answers." in doctor
            said = portal.printed + doctor
    assert all(PROVIDER in line for line in tunnel.lines)
    assert len(tunnel.lines) >= 5, "two descriptions, the token, the keys, the claims"
    assert SECRET not in said
    assert answer not in said
    code = parse_qs(urlsplit(back).query)["code"][0]
    assert code not in said

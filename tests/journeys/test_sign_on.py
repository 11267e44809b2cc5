"""Somebody logs in at a provider, in a browser that holds forms to the policy of their page, and cookies to a site."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.openid_provider import CLIENT, SECRET, OpenIdProvider, openid_provider
from tests.saml_provider import UID, SamlProvider
from tests.setup.portal import RunningPortal, serving

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def provider() -> Iterator[OpenIdProvider]:
    with openid_provider() as running:
        running.know("ada", preferred_username="ada", groups=["library"])
        running.know("eve", preferred_username="eve", groups=[])
        yield running


@pytest.fixture(scope="module")
def saml_provider() -> Iterator[SamlProvider]:
    with SamlProvider() as running:
        running.person.attributes[UID] = ["grace"]
        yield running


@pytest.fixture(scope="module")
def portal(
    tmp_path_factory: pytest.TempPathFactory, provider: OpenIdProvider, saml_provider: SamlProvider
) -> Iterator[RunningPortal]:
    told = {
        "OIDC_SERVER_URL": provider.url, "OIDC_CLIENT_ID": CLIENT, "OIDC_CLIENT_SECRET": SECRET,
        "OIDC_NAME": "Example University", "OIDC_USER_GROUPS": "library", "DOIPORTAL_OPEN": "0",
        "SAML_IDP_METADATA": f"{saml_provider.url}/metadata", "SAML_NAME": "Example College",
    }  # fmt: skip
    with serving(tmp_path_factory.mktemp("portal"), **told) as running:
        yield running


def log_in(page: Page, subject: str) -> None:
    page.get_by_role("button", name="Log in with Example University").click()
    page.fill("[name=sub]", subject)
    page.get_by_role("button", name="Authorize").first.click()


@pytest.mark.parametrize("scripts", [False, True])
def test_a_person_is_led_to_the_provider_and_back_to_the_page_they_wanted(
    browser: Browser, portal: RunningPortal, scripts: bool
) -> None:
    # localhost, not 127.0.0.1: another site than the provider's, whose redirect carries the cookie nonetheless
    context = browser.new_context(base_url=f"http://localhost:{portal.port}", java_script_enabled=scripts)
    context.set_default_timeout(15_000)
    page = context.new_page()
    page.goto("/history")
    log_in(page, "ada")
    page.wait_for_url("**/history")
    page.get_by_role("button", name="Log out").click()
    page.get_by_role("button", name="Log in with Example University").wait_for()
    context.close()


def test_a_person_without_a_group_sees_why(browser: Browser, portal: RunningPortal) -> None:
    context = browser.new_context(base_url=f"http://localhost:{portal.port}")
    context.set_default_timeout(15_000)
    page = context.new_page()
    page.goto("/")
    log_in(page, "eve")
    page.get_by_text("none of your groups may use this portal").wait_for()
    context.close()


def test_the_form_of_a_saml_provider_on_another_site_logs_the_person_in(
    browser: Browser, portal: RunningPortal
) -> None:
    context = browser.new_context(base_url=f"http://localhost:{portal.port}", java_script_enabled=False)
    context.set_default_timeout(15_000)
    page = context.new_page()
    page.goto("/history")
    before = {one["name"]: one["value"] for one in context.cookies()}
    page.get_by_role("button", name="Log in with Example College").click()
    page.get_by_role("button", name="Confirm").click()
    page.wait_for_url("**/history")
    page.get_by_text("grace").wait_for()
    assert before.keys() <= {one["name"] for one in context.cookies()}
    context.close()

"""Somebody logs in at a shared machine, works, and logs out: the way back shows nothing of it."""

import pytest
from playwright.sync_api import Browser

from tests.journeys.steps import look_up
from tests.setup.portal import RunningPortal

PASSWORD = "a long enough word"


@pytest.fixture(scope="module")
def account(portal: RunningPortal) -> str:
    command = ["createsuperuser", "--noinput", "--username", "grace", "--email", ""]
    portal.run_in_fork(*command, DJANGO_SUPERUSER_PASSWORD=PASSWORD)
    return "grace"


def test_the_way_back_shows_nothing(browser: Browser, portal: RunningPortal, account: str) -> None:
    context = browser.new_context(base_url=f"http://127.0.0.1:{portal.port}")
    context.set_default_timeout(15_000)
    page = context.new_page()
    page.goto("/accounts/login/")
    page.fill("[name=username]", account)
    page.fill("[name=password]", PASSWORD)
    page.click("main form button")
    page.get_by_text(account).wait_for()
    look_up(page, "10.5555/private-1")
    page.wait_for_url("**/lookups/*")
    result = page.url
    page.goto("/history")
    assert "10.5555/private-1" in page.inner_text("main")
    page.goto("/")
    page.get_by_role("button", name="Log out").click()
    page.get_by_role("link", name="Log in").wait_for()
    for _ in range(3):
        page.go_back()
        shown = page.content()
        assert "private-1" not in shown, page.url
        assert account not in shown, page.url
    assert page.goto(result).status == 404
    context.close()

"""Errors of fields: they say what to do, the field is described by them, and the list of errors leads to it."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client, override_settings

from resolver.models import Job
from tests.web.conftest import Look, html_of, run, text_of

LONG = "x" * 1001


@pytest.mark.parametrize("address", ["/history?q={long}", "/jobs?q={long}", "/jobs/{job}/rows?q={long}"])
def test_what_describes_a_field_is_on_the_page(upload: Look, visitor: Client, address: str) -> None:
    upload("doi\n10.1000/182\n")
    job = run(Job.objects.get())
    page = html_of(visitor.get(address.format(long=LONG, job=job.pk)))
    described = {name for names in re.findall(r'aria-describedby="([^"]+)"', page) for name in names.split()}
    assert "id_q_error" in described
    assert described <= set(re.findall(r' id="([^"]+)"', page))


@pytest.fixture
def ada(db: None) -> Client:
    client = Client()
    client.force_login(User.objects.create_user("ada", password="correct horse battery"))
    return client


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("/account/tokens", ["Name: Enter what the token is for, so that you recognize it later."]),
        ("/account/mail", ["Email address: Enter your email address."]),
        ("/account/delete", ["Current password: Enter your current password."]),
        (
            "/webhooks",
            ["Web address: Enter the address to which events are sent.", "Events: Select at least one event."],
        ),
        (
            "/accounts/password/",
            [
                "Current password: Enter your current password.",
                "New password: Enter a new password.",
                "New password again: Enter the new password again.",
            ],
        ),
    ],
)
def test_an_empty_field_of_an_account_says_what_to_enter(ada: Client, address: str, said: list[str]) -> None:
    with override_settings(EMAIL_HOST="127.0.0.1"):
        text = text_of(ada.post(address, {"scope": "read"}))
    assert [sentence for sentence in said if sentence not in text] == []
    assert "required" not in text


def test_an_empty_login_says_what_to_enter(db: None) -> None:
    text = text_of(Client().post("/accounts/login/"))
    assert "Username: Enter your username." in text
    assert "Password: Enter your password." in text
    assert "required" not in text


def test_the_list_of_errors_leads_to_the_first_of_the_choices(ada: Client) -> None:
    page = html_of(ada.post("/webhooks", {"url": "https://192.0.3.1/events"}))
    assert '<a href="#id_events_0">Events</a>' in page
    assert ' id="id_events_0"' in page


def test_a_group_of_choices_is_described_by_its_error(ada: Client) -> None:
    page = html_of(ada.post("/webhooks", {"url": "https://192.0.3.1/events"}))
    assert '<fieldset aria-describedby="id_events_error">' in page
    assert ' id="id_events_error"' in page

"""In whose turns a list is served: the account's, or those of the network address, whatever the session."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from resolver.models import Job, WaitingMessage
from resolver.services.accounts.owners import adopt_session, get_user_owner
from resolver.services.turns.turn_order import get_turn_owner
from tests.api.conftest import send_file

pytestmark = pytest.mark.django_db

LIST = "doi\n10.5555/one\n"


def upload_from(address: str, client: Client | None = None) -> Job:
    """Upload a list, as somebody new unless a client is named."""
    client = client or Client()
    client.defaults["REMOTE_ADDR"] = address
    answer = send_file(client, LIST)
    assert answer.status_code == 202, answer.content
    return Job.objects.get(pk=answer.json()["id"])


def test_new_sessions_of_one_address_share_its_turns() -> None:
    first, second, other = (upload_from(address) for address in ("192.0.2.1", "192.0.2.1", "192.0.2.2"))
    assert first.owner != second.owner
    assert get_turn_owner(first) == get_turn_owner(second) != get_turn_owner(other)


def test_so_do_all_addresses_of_one_ipv6_network() -> None:
    first, second, other = (upload_from(f"2001:db8:1:{end}") for end in ("2::1", "2:ffff::9", "3::1"))
    assert get_turn_owner(first) == get_turn_owner(second) != get_turn_owner(other)


def test_no_address_is_stored_with_a_list_or_sent_to_a_worker(
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    with django_capture_on_commit_callbacks():
        job = upload_from("192.0.2.1")
    assert job.sharer.startswith("address:")
    assert "192.0.2" not in f"{job.sharer} {list(WaitingMessage.objects.values_list())}"


def test_a_list_of_an_account_is_served_in_the_turns_of_the_account(user: User) -> None:
    client = Client()
    client.force_login(user)
    token = client.get("/").cookies["csrftoken"].value
    client.defaults["HTTP_X_CSRFTOKEN"] = token
    job = upload_from("192.0.2.1", client)
    assert (job.sharer, get_turn_owner(job)) == ("", get_user_owner(user))


def test_a_list_that_was_uploaded_before_the_login_is_served_in_the_turns_of_the_account(user: User, rf: Any) -> None:
    client = Client()
    job = upload_from("192.0.2.1", client)
    request = rf.get("/")
    request.session, request.user = client.session, user
    adopt_session(request)
    job.refresh_from_db()
    assert get_turn_owner(job) == get_user_owner(user)

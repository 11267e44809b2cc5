"""A list shared on purpose: read by whoever has the address, changed by nobody but its owner, taken back at once."""

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from resolver.models import Job
from tests.stored_list import StoredList
from tests.web.conftest import html_of, run, store_list, text_of


@pytest.fixture(scope="module")
def stored_list(module_portal: Path) -> StoredList:
    return store_list("doi\n10.1000/182\n", note="only for me")


@pytest.fixture
def job(stored_list: StoredList, module_files: None, visitor: Client) -> Job:
    return stored_list.give_to(visitor)


@pytest.fixture
def address(job: Job, visitor: Client) -> str:
    """Made by the button, and shown to its owner."""
    visitor.post(f"/jobs/{job.pk}/share")
    job.refresh_from_db()
    assert f"http://testserver/shared/{job.share_token}" in text_of(visitor.get(f"/jobs/{job.pk}/share"))
    return f"/shared/{job.share_token}"


def reading(job: Job) -> list[str]:
    return [f"/jobs/{job.pk}{end}" for end in ("", "/progress", "/rows", "/rows/1", "/results.csv", "/results.jsonl")]


def test_whoever_has_the_address_reads_the_list_without_the_owners_note(
    job: Job, address: str, stranger: Client
) -> None:
    assert stranger.get(reading(job)[0]).status_code == 404
    came = stranger.get(address)
    assert (came["Location"], came["X-Robots-Tag"]) == (f"/jobs/{job.pk}", "noindex, nofollow")
    assert all(stranger.get(path).status_code in {200, 286} for path in reading(job))
    assert "shared with you" in text_of(stranger.get(f"/jobs/{job.pk}"))
    said = text_of(stranger.get(f"/jobs/{job.pk}/follow"))
    assert "Shared with you" in said
    assert (
        f"To share it with others, use this link. The address of this page doesn’t work for them: http://testserver{address}"
        in said
    )
    assert "only for me" not in said
    assert "Check again" not in said
    said = text_of(stranger.get(f"/jobs/{job.pk}"))
    assert "or until you delete it" not in said
    assert "Kept until" in said
    job.refresh_from_db()
    assert job.note == "only for me"


def test_a_reader_changes_nothing_and_shares_nothing(job: Job, address: str, stranger: Client) -> None:
    stranger.get(address)
    for action in ("again", "cancel", "retry", "delete", "describe", "share", "share/stop"):
        assert stranger.post(f"/jobs/{job.pk}/{action}", {"name": "mine"}).status_code == 404
    assert stranger.get(f"/jobs/{job.pk}/share").status_code == 404
    assert stranger.get(f"/api/v1/jobs/{job.pk}").status_code == 404
    assert f"{job.pk}" not in html_of(stranger.get("/jobs"))
    assert Job.objects.get().name == ""


def test_who_reads_two_shared_lists_may_compare_them(job: Job, address: str, visitor: Client, stranger: Client) -> None:
    visitor.post(f"/jobs/{job.pk}/again")
    second = run(Job.objects.get(rerun_of=job))
    stranger.get(address)
    both = f"/jobs/{job.pk}/compare/{second.pk}"
    assert stranger.get(both).status_code == 404
    visitor.post(f"/jobs/{second.pk}/share")
    stranger.get(f"/shared/{Job.objects.get(pk=second.pk).share_token}")
    assert stranger.get(both).status_code == 200


def test_stopping_shuts_every_reader_out_at_once_and_a_new_address_does_not_let_them_in(
    job: Job, address: str, visitor: Client, stranger: Client
) -> None:
    stranger.get(address)
    page = visitor.post(f"/jobs/{job.pk}/share/stop", follow=True)
    assert "You stopped sharing this list." in text_of(page)
    assert stranger.get(address).status_code == 404
    assert all(stranger.get(path).status_code in {404, 286} for path in reading(job))
    assert "can’t view this list" in text_of(stranger.get(f"/jobs/{job.pk}/progress"))
    visitor.post(f"/jobs/{job.pk}/share")
    assert stranger.get(f"/jobs/{job.pk}").status_code == 404
    job.refresh_from_db()
    assert f"/shared/{job.share_token}" != address


def test_sharing_twice_keeps_the_address(job: Job, address: str, visitor: Client) -> None:
    visitor.post(f"/jobs/{job.pk}/share")
    job.refresh_from_db()
    assert address.endswith(job.share_token)
    assert "shared" in text_of(visitor.get("/jobs"))


def test_the_owner_who_opens_the_address_stays_the_owner(job: Job, address: str, visitor: Client) -> None:
    assert f'href="/jobs/{job.pk}/share"' in html_of(visitor.get(address, follow=True))


@pytest.mark.parametrize("token", ["", "x", "x" * 32, "%00" * 30, "x" * 500, "ü" * 30])
def test_what_is_no_token_leads_nowhere(job: Job, stranger: Client, token: str) -> None:
    assert stranger.get(f"/shared/{token}").status_code == 404


def test_a_closed_portal_asks_for_the_login_first(job: Job, address: str, stranger: Client, settings: Any) -> None:
    settings.DOIPORTAL_OPEN = False
    assert stranger.get(address)["Location"].startswith("/accounts/login/?next=/shared/")
    stranger.force_login(User.objects.create_user("ada"))
    assert "shared with you" in text_of(stranger.get(address, follow=True))

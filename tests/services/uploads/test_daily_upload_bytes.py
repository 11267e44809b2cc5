"""What one address may upload in a day without an account, in a file and in Redis."""

import errno
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import redis
from django.contrib.auth.models import AnonymousUser
from django.test import RequestFactory

from doi_reading.message import Message
from resolver.models import Job
from resolver.services.doi_limits.window_counts import compute_allowance
from resolver.services.http.request_run import ATTEMPT, RequestRun
from resolver.services.jobs.lifecycle import JobStillRunning
from resolver.services.storage.storage_errors import FilesUnreachable
from resolver.services.uploads.daily_upload_bytes import DAY, UploadLimitReached, count_upload
from resolver.services.uploads.reading_places import NoReadingPlace
from resolver.services.uploads.stored_uploads import UploadTooLarge
from resolver.sheets.errors import UnreadableFile
from tests.services_plugin import free_port

MB = 1_000_000


@pytest.fixture(autouse=True, params=["file", "Redis"])
def _store(request: pytest.FixtureRequest, settings: Any, tmp_path: Path, redis_url: str) -> Iterator[None]:
    settings.DOIPORTAL_DATA_DIR, settings.BYTES_PER_DAY = tmp_path, 10 * MB
    settings.REDIS_URL = redis_url if request.param == "Redis" else ""
    yield
    if settings.REDIS_URL:
        redis.Redis.from_url(redis_url).flushdb()


def upload(size: int, address: str = "192.0.2.1", *, account: bool = False, error: BaseException | None = None) -> None:
    """Upload a file. `error`: what storing it raises."""
    request = RequestFactory().get("/", REMOTE_ADDR=address)
    request.user = SimpleNamespace(is_authenticated=True) if account else AnonymousUser()  # type: ignore[assignment]
    with count_upload(request, size):
        if error is not None:
            raise error


def test_an_address_has_so_many_bytes_in_a_day_and_hears_when_more_fit() -> None:
    upload(6 * MB)
    with pytest.raises(UploadLimitReached) as refused:
        upload(5 * MB)
    assert "10 MB may be uploaded from your network address in a day, and 4 MB are left." in str(refused.value)
    assert str(refused.value).endswith("try again in 24 hours.")
    assert DAY - 1000 < refused.value.seconds <= DAY
    upload(4 * MB)


def test_a_network_of_ipv6_is_one_address_and_others_are_not() -> None:
    upload(10 * MB, "2001:db8:1:2::1")
    with pytest.raises(UploadLimitReached):
        upload(1, "2001:db8:1:2:ffff::9")
    upload(10 * MB, "2001:db8:1:3::1")
    upload(10 * MB)


def test_an_account_has_no_such_limit() -> None:
    for _ in range(3):
        upload(9 * MB, account=True)


def test_the_smallest_file_counts_too() -> None:
    upload(10 * MB - 3000)
    upload(1)
    with pytest.raises(UploadLimitReached):
        upload(1)


@pytest.mark.parametrize("error", [None, FilesUnreachable("away")])
def test_while_redis_is_away_uploads_are_taken(settings: Any, error: Exception | None) -> None:
    settings.REDIS_URL = f"redis://127.0.0.1:{free_port()}/0"
    for _ in range(2):
        with nullcontext() if error is None else pytest.raises(type(error)):
            upload(9 * MB, error=error)


@pytest.mark.parametrize(
    "error",
    [NoReadingPlace(), OSError(errno.ENOSPC, "full"), FilesUnreachable("away"), JobStillRunning(Job())],
    ids=["no place", "full disk", "storage away", "still running"],
)
def test_what_could_not_be_stored_just_now_is_given_back(error: Exception) -> None:
    for _ in range(3):
        with pytest.raises(type(error)):
            upload(6 * MB, error=error)
    upload(10 * MB)


@pytest.mark.parametrize("error", [UnreadableFile(Message("Damaged.")), UploadTooLarge(MB)], ids=str)
def test_a_file_that_is_refused_for_itself_counts(error: Exception) -> None:
    with pytest.raises(type(error)):
        upload(6 * MB, error=error)
    with pytest.raises(UploadLimitReached):
        upload(6 * MB)


def test_a_request_that_the_server_runs_again_gives_its_bytes_back_once() -> None:
    attempt = ATTEMPT.set(RequestRun())
    try:
        upload(6 * MB)
        for _ in range(2):
            with pytest.raises(NoReadingPlace):
                upload(6 * MB, error=NoReadingPlace())
    finally:
        ATTEMPT.reset(attempt)
    upload(10 * MB)
    with pytest.raises(UploadLimitReached):
        upload(1)


def test_a_file_larger_than_the_whole_is_refused() -> None:
    with pytest.raises(UploadLimitReached) as refused:
        upload(11 * MB)
    assert refused.value.seconds == DAY


def test_a_request_that_the_server_runs_again_counts_once() -> None:
    attempt = ATTEMPT.set(RequestRun())
    try:
        upload(6 * MB)
        upload(6 * MB)
    finally:
        ATTEMPT.reset(attempt)
    upload(4 * MB)


def test_zero_is_no_limit(settings: Any) -> None:
    settings.BYTES_PER_DAY = 0
    upload(10**12)


def test_the_wait_is_that_of_the_window() -> None:
    allowance = compute_allowance({0: 6, 900: 4}, 1000, 5, 10, fits=False, window=DAY)
    assert (allowance.left, allowance.wait, allowance.full_in) == (0, DAY - 1000, DAY - 100)

"""The portal's files in the bucket of a real S3 server."""

from collections.abc import Iterator
from typing import Any

import pytest

from doiportal.upload_storage_setting import env_files
from resolver.services.health import heartbeats
from resolver.services.turns import scheduler
from tests.s3_server import S3Server


@pytest.fixture(scope="session")
def s3_server() -> Iterator[S3Server]:
    with S3Server() as server:
        yield server


@pytest.fixture
def use_files(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What sets FILES_URL."""

    def use(url: str) -> None:
        monkeypatch.setenv("FILES_URL", url)
        settings.STORAGES = {**settings.STORAGES, "default": env_files("FILES_URL")}

    yield use
    heartbeats._last.until = 0.0
    scheduler.leave_files_to_others(0)


@pytest.fixture
def bucket(s3_server: S3Server, use_files: Any) -> Iterator[S3Server]:
    use_files(s3_server.files_url)
    yield s3_server
    s3_server.empty()


@pytest.fixture
def away(use_files: Any) -> None:
    """Object storage where nothing listens."""
    use_files("s3://key:secret@doiportal-files/portal?endpoint=http://127.0.0.1:9&region=us-east-1")

"""A disk without room, which to a process is a bound on the size of the files that it writes."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.faults import lists
from tests.faults.portal import KillablePortal, Visitor

pytestmark = pytest.mark.slow

ROOM = 500_000  # bytes
BIG = 50_000  # lines


@contextmanager
def no_room(portal: KillablePortal, name: str) -> Iterator[None]:
    processes = portal.children(name)
    for process in processes:
        process.rlimit(resource.RLIMIT_FSIZE, (ROOM, resource.RLIM_INFINITY))
    try:
        yield
    finally:
        for process in processes:
            process.rlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


@pytest.fixture
def stored(portal: KillablePortal) -> "Stored":
    return Stored(Path(portal.environment["DOIPORTAL_DATA_DIR"]))


class Stored:
    """The files of uploads, on their way and kept."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._before = self._files()

    def _files(self) -> set[Path]:
        return {*self._folder.glob("incoming/*"), *self._folder.glob("uploads/*")}

    @property
    def new(self) -> set[Path]:
        return self._files() - self._before


def test_an_upload_for_which_there_is_no_room_is_refused_and_leaves_nothing(
    portal: KillablePortal, visitor: Visitor, label: str, stored: Stored
) -> None:
    visitor.ask("POST", "/api/v1/lookups", json={"input": "10.1000/182"})
    lines = lists.lines(label, BIG)
    with no_room(portal, "web"):
        answer = visitor.send(lines)
        assert (answer.status_code, answer.headers["Content-Type"]) == (507, "application/problem+json")
        problem = answer.json()
        assert (problem["type"], problem["status"]) == ("/problems/storage-full", 507)
        assert "full or read-only" in problem["detail"]
        assert stored.new == set()
        assert visitor.ask("GET", "/api/v1/jobs").json()["results"] == []
    assert visitor.send(lines[:100]).status_code == 202


def test_the_page_says_so_too(portal: KillablePortal, visitor: Visitor, label: str, stored: Stored) -> None:
    form = visitor.ask("GET", "/jobs/new")
    token = {"csrfmiddlewaretoken": form.cookies["csrftoken"]}
    file = ("list.csv", "\n".join(lists.lines(label, BIG)).encode())
    with no_room(portal, "web"):
        answer = visitor.ask("POST", "/jobs/new", files={"file": file}, data=token)
    assert answer.status_code == 507
    assert "storage is full or read-only" in answer.text
    assert stored.new == set()

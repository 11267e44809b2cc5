"""Loading a list of retractions: exchanged as a whole, or kept."""

import os
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction

from resolver.models import RetractionEvent, RetractionLoad
from resolver.proxy.file_downloads import NoDownload
from resolver.services.retractions import load as loading
from resolver.services.retractions.find import find_events
from resolver.services.retractions.list_file import SOURCE, UnusableList
from resolver.services.retractions.load import (
    find_current_load,
    find_refused_load,
    load_if_due,
    load_retractions,
)
from tests.proxy.raw_server import RawServer, http
from tests.retraction_list import SAMPLE, build_list, event
from tests.services.conftest import NOW

pytestmark = pytest.mark.django_db(transaction=True)
HUNDRED = build_list(event(f"10.5555/{number}") for number in range(100))


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def write(content: bytes) -> str:
        path = tmp_path / "list.csv"
        path.write_bytes(content)
        return str(path)

    return write


@pytest.fixture
def server(settings: Any) -> Iterator[RawServer]:
    """A server of the sample, which may be on this machine."""
    settings.WEBHOOK_ALLOW_PRIVATE = True
    with RawServer(lambda request: http(200, SAMPLE.read_bytes(), Content_Type="text/csv")) as server:
        yield server


def names() -> set[str]:
    return set(RetractionEvent.objects.values_list("name", flat=True))


def test_a_list_takes_the_place_of_the_one_before(write: Any) -> None:
    load_retractions(write(HUNDRED), now=NOW)
    assert len(names()) == 100
    load = load_retractions(write(build_list(event(f"10.5555/b{number}") for number in range(60))), now=NOW)
    assert len(names()) == 60
    assert load == find_current_load()
    assert (load.rows, load.events, len(load.sha256), load.origin) == (60, 60, 64, "list.csv")


def test_the_day_of_the_list_is_the_day_of_its_file(write: Any) -> None:
    path = write(HUNDRED)
    long_ago = datetime(2020, 5, 4, 12, tzinfo=UTC).timestamp()
    os.utime(path, (long_ago, long_ago))
    assert str(load_retractions(path, now=NOW).listed_on) == "2020-05-04"
    os.utime(path)  # later than NOW, as by another clock
    assert load_retractions(path, now=NOW).listed_on == NOW.date()


@pytest.mark.parametrize("content", [b"<html>\n", HUNDRED[:-100], b"", HUNDRED.decode().encode("utf-16")])
def test_a_refused_file_leaves_the_list_before_and_is_noted(write: Any, content: bytes) -> None:
    load_retractions(write(HUNDRED), now=NOW)
    with pytest.raises(UnusableList):
        load_retractions(write(content), now=NOW + timedelta(days=1))
    assert len(names()) == 100
    current, refused = find_current_load(), find_refused_load()
    assert current
    assert current.at == NOW
    assert refused
    assert refused.trouble.startswith("The ")


def test_a_list_with_less_than_half_of_the_events_needs_a_word(write: Any) -> None:
    load_retractions(write(HUNDRED), now=NOW)
    fewer = write(build_list(event(f"10.5555/{number}") for number in range(49)))
    with pytest.raises(UnusableList, match="less than half of the 100"):
        load_retractions(fewer, now=NOW)
    assert len(names()) == 100
    load_retractions(fewer, now=NOW, allow_fewer=True)
    assert len(names()) == 49


def test_a_thousand_events_of_one_doi_cost_a_lookup_no_more(write: Any) -> None:
    many = [event("10.5555/many", day=f"1/1/{1000 + number}") for number in range(1500)]
    load_retractions(write(build_list(many)), now=NOW)
    assert RetractionEvent.objects.count() == loading.MOST_EVENTS_OF_NAME
    assert len(find_events(["10.5555/MANY"])["10.5555/many"]) == 20


def test_a_file_that_is_missing_is_an_error_of_its_own(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load_retractions(str(tmp_path / "none.csv"), now=NOW)


def test_a_list_is_loaded_from_an_address(server: RawServer) -> None:
    load = load_retractions(f"{server.url}/list.csv", now=NOW)
    assert (load.rows, load.events, load.listed_on) == (20, 18, NOW.date())
    assert load.origin == f"{server.url}/list.csv"


@pytest.mark.parametrize("url", ["http://8.8.8.8/list.csv", "https://127.0.0.1/list.csv", "ftp://8.8.8.8/list.csv"])
def test_an_address_that_is_not_public_or_not_https_is_refused(url: str) -> None:
    with pytest.raises(NoDownload, match="can't be used"):
        load_retractions(url, now=NOW)


def test_the_setting_loads_the_list_once_a_week(server: RawServer, settings: Any) -> None:
    assert load_if_due(NOW) is None
    settings.RETRACTIONS_URL = f"{server.url}/list.csv"
    assert load_if_due(NOW)
    assert load_if_due(NOW + timedelta(days=6)) is None
    assert load_if_due(NOW + timedelta(days=8))
    assert len(server.requests) == 2


def test_a_refused_list_is_tried_again_a_day_later(settings: Any) -> None:
    settings.WEBHOOK_ALLOW_PRIVATE = True
    with RawServer(lambda request: http(503, "")) as server:
        settings.RETRACTIONS_URL = server.url
        for hours in (0, 1, 23, 25):
            assert load_if_due(NOW + timedelta(hours=hours)) is None
        assert len(server.requests) == 2
    refused = find_refused_load()
    assert refused
    assert refused.trouble == "The server answered with HTTP 503."


def test_old_attempts_are_removed_but_not_the_load_that_counts(write: Any) -> None:
    first = load_retractions(write(HUNDRED), now=NOW)
    for hours in range(1, loading.KEPT_LOADS + 5):
        with pytest.raises(UnusableList):
            load_retractions(write(b"<"), now=NOW + timedelta(hours=hours))
    assert RetractionLoad.objects.count() == loading.KEPT_LOADS + 1
    assert find_current_load() == first


def test_two_loads_at_once_leave_one_list(write: Any, tmp_path: Path) -> None:
    path = write(HUNDRED)

    def load() -> None:
        load_retractions(path, now=NOW)
        connection.close()

    threads = [threading.Thread(target=load) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert RetractionEvent.objects.count() == 100


def test_readers_see_the_list_before_until_the_new_one_is_there(write: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    load_retractions(write(HUNDRED), now=NOW)
    seen = list[int]()
    insert = loading.raw_sql.insert_rows

    def insert_while_another_reads(*arguments: Any) -> None:
        insert(*arguments)
        reader = threading.Thread(target=count)
        reader.start()
        reader.join()

    def count() -> None:
        seen.append(RetractionEvent.objects.count())
        connection.close()

    monkeypatch.setattr(loading, "_ROWS_AT_ONCE", 30)
    monkeypatch.setattr(loading.raw_sql, "insert_rows", insert_while_another_reads)
    load_retractions(write(build_list(event(f"10.5555/b{number}") for number in range(90))), now=NOW)
    assert seen == [100, 100, 100]
    assert RetractionEvent.objects.count() == 90


def test_a_load_that_fails_half_way_leaves_the_list_before(write: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    load_retractions(write(HUNDRED), now=NOW)
    with transaction.atomic():
        monkeypatch.setattr(loading, "_store_load", lambda load: 1 / 0)
        with pytest.raises(ZeroDivisionError), transaction.atomic():
            load_retractions(write(build_list([event(f"10.5555/b{number}") for number in range(90)])), now=NOW)
    assert RetractionEvent.objects.count() == 100


def test_a_name_is_found_in_any_case_and_with_its_source() -> None:
    load_retractions(str(SAMPLE), now=NOW)
    found = find_events(["10.5555/REINSTATED-1", "10.5555/fine", "10.5555/\0\ud800"])
    assert [*found] == ["10.5555/reinstated-1"]
    newest, before = found["10.5555/reinstated-1"]
    assert (newest.kind, newest.date, newest.source) == ("reinstatement", "2016-06-01", SOURCE)
    assert (before.kind, before.notice) == ("retraction", "10.5555/notice-12")


def test_without_a_list_nothing_is_found() -> None:
    assert find_events(["10.5555/retracted-1"]) == {}
    assert find_events([]) == {}

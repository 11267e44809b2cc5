"""How often a password may be guessed: per account and address, and over names and addresses that change."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from resolver.services.logins import attempts
from resolver.services.logins.attempts import WRONG_FOR_BOTH, WRONG_FOR_ONE, TooManyGuesses, Windows, begin_attempt
from resolver.services.logins.file_windows import FileWindows
from resolver.services.logins.redis_windows import RedisWindows

HERE, ELSEWHERE = "192.0.2.1", "192.0.2.2"


@pytest.fixture(params=["files", "Redis"])
def _store(request: pytest.FixtureRequest, settings: Any, tmp_path: Path, redis_url: str) -> Iterator[None]:
    settings.DOIPORTAL_DATA_DIR = tmp_path
    settings.REDIS_URL = redis_url if request.param == "Redis" else ""
    yield
    if settings.REDIS_URL:
        RedisWindows(settings.REDIS_URL, 1)._redis.flushdb()


@pytest.fixture
def store(_store: None) -> Windows:
    return attempts.get_shared_windows()


pytestmark = pytest.mark.usefixtures("_store")


def wrong(account: str, address: str, times: int, browser: str = "") -> None:
    for _ in range(times):
        begin_attempt(account, address, browser)


def test_after_ten_wrong_passwords_an_account_is_shut_to_that_address_for_a_quarter_of_an_hour():
    wrong("ada", HERE, WRONG_FOR_BOTH)
    with pytest.raises(TooManyGuesses) as refused:
        begin_attempt("ada", HERE)
    assert 0 < refused.value.seconds <= 15 * 60


def test_it_stays_open_to_other_addresses_and_the_address_to_other_accounts():
    wrong("ada", HERE, WRONG_FOR_BOTH)
    begin_attempt("ada", ELSEWHERE)
    begin_attempt("bob", HERE)


def test_the_right_password_takes_back_the_wrong_ones_before_it():
    wrong("ada", HERE, WRONG_FOR_BOTH - 1)
    begin_attempt("ada", HERE).forget_success()
    wrong("ada", HERE, WRONG_FOR_BOTH)
    with pytest.raises(TooManyGuesses):
        begin_attempt("ada", HERE)


def test_an_attempt_that_came_to_nothing_does_not_count():
    wrong("ada", HERE, WRONG_FOR_BOTH - 1)
    for _ in range(5):
        begin_attempt("ada", HERE).forget()
    begin_attempt("ada", HERE)


def test_refused_attempts_do_not_make_it_last_longer(store: Windows):
    wrong("ada", HERE, WRONG_FOR_BOTH)
    waits = []
    for _ in range(20):
        with pytest.raises(TooManyGuesses) as refused:
            begin_attempt("ada", HERE)
        waits.append(refused.value.seconds)
    assert waits == sorted(waits, reverse=True)


def test_names_that_change_do_not_get_an_address_further():
    for number in range(WRONG_FOR_ONE):
        begin_attempt(f"name-{number}", HERE)
    with pytest.raises(TooManyGuesses):
        begin_attempt("ada", HERE)
    begin_attempt("ada", ELSEWHERE)


def test_an_account_of_ones_own_does_not_either():
    for number in range(WRONG_FOR_ONE):
        begin_attempt(f"name-{number}", HERE)
        if number % 5 == 0:
            begin_attempt("mallory", HERE).forget_success()
    with pytest.raises(TooManyGuesses):
        begin_attempt("mallory", HERE)


def test_addresses_that_change_do_not_get_further_with_an_account():
    for number in range(WRONG_FOR_ONE):
        begin_attempt("ada", f"198.51.100.{number}")
    with pytest.raises(TooManyGuesses):
        begin_attempt("ada", HERE)
    begin_attempt("bob", HERE)


def test_nobody_is_shut_out_of_a_browser_that_they_know_by_what_strangers_do():
    for number in range(WRONG_FOR_ONE):
        begin_attempt("ada", f"198.51.100.{number}")
        begin_attempt(f"name-{number}", HERE)
    begin_attempt("ada", HERE, "known").forget_success()
    wrong("ada", HERE, WRONG_FOR_BOTH, "known")
    with pytest.raises(TooManyGuesses):
        begin_attempt("ada", HERE, "known")


def test_addresses_of_one_ipv6_network_count_as_one():
    for number in range(WRONG_FOR_BOTH):
        begin_attempt("ada", f"2001:db8::{number}")
    with pytest.raises(TooManyGuesses):
        begin_attempt("ada", "2001:db8::ffff")
    begin_attempt("ada", "2001:db8:0:1::1")


def test_of_forty_at_once_no_more_get_through_than_one_after_the_other():
    let_in = []

    def guess() -> None:
        with suppress(TooManyGuesses):
            let_in.append(begin_attempt("ada", HERE))

    guessers = [threading.Thread(target=guess) for _ in range(40)]
    for guesser in guessers:
        guesser.start()
    for guesser in guessers:
        guesser.join(30)
    assert len(let_in) == WRONG_FOR_BOTH


def test_a_wrong_password_is_forgotten_when_its_time_is_over(settings: Any, store: Windows):
    kind: Any = type(store)
    short = kind(settings.REDIS_URL or settings.DOIPORTAL_DATA_DIR / "short.sqlite3", 2.0)
    assert short.add("one", {"key": 1}) == 0
    assert 0 < short.add("two", {"key": 1}) <= 2.0
    threading.Event().wait(2.1)
    assert short.add("two", {"key": 1}) == 0


@pytest.mark.parametrize("name", ["", "\x00", "\ud800", "ä" * 100_000, "ada\x00192.0.2.1"])
def test_any_name_counts(name: str):
    wrong(name, HERE, WRONG_FOR_BOTH)
    with pytest.raises(TooManyGuesses):
        begin_attempt(name, HERE)


def test_what_is_kept_does_not_grow_with_what_is_refused(settings: Any, store: Windows):
    for number in range(WRONG_FOR_ONE + 30):
        try:
            begin_attempt(f"name-{number}", HERE)
        except TooManyGuesses:
            assert number >= WRONG_FOR_ONE
    if isinstance(store, FileWindows):
        with store._file.writing() as connection:
            assert connection.execute("SELECT count(*) FROM attempt").fetchone()[0] == 3 * WRONG_FOR_ONE


def test_a_key_tells_no_name_and_no_address(settings: Any):
    key = attempts._build_key("both", "ursula", HERE)
    assert "ursula" not in key
    assert HERE not in key
    settings.SECRET_KEY = "another" * 8
    assert attempts._build_key("both", "ursula", HERE) != key, "who tries all addresses needs our key"


def test_attempts_that_no_longer_count_are_removed_without_another(settings: Any, tmp_path: Path):
    settings.DOIPORTAL_DATA_DIR, settings.REDIS_URL = tmp_path, ""
    begin_attempt("ada", HERE)
    attempts.prune_attempts()
    assert _stored(tmp_path) == 3, "it counts for a quarter of an hour"
    FileWindows(tmp_path / "logins.sqlite3", seconds=0).prune()
    assert _stored(tmp_path) == 0


def _stored(folder: Path) -> int:
    with closing(sqlite3.connect(folder / "logins.sqlite3")) as connection:
        return connection.execute("SELECT count(*) FROM attempt").fetchone()[0]

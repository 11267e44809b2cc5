"""How often a password may be guessed: per account and address, and over names and addresses that change."""

import multiprocessing
import threading
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from resolver.models import PasswordWindow
from resolver.services.logins import attempts
from resolver.services.logins.attempts import (
    WINDOW_SECONDS,
    WRONG_FOR_BOTH,
    WRONG_FOR_ONE,
    TooManyGuesses,
    begin_attempt,
    prune_attempts,
)
from resolver.services.storage.clock import read_clock

HERE, ELSEWHERE = "192.0.2.1", "192.0.2.2"
FORK = multiprocessing.get_context("fork")

pytestmark = pytest.mark.django_db(transaction=True)


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
    begin_attempt("ada", HERE).forget(success=True)
    wrong("ada", HERE, WRONG_FOR_BOTH)
    with pytest.raises(TooManyGuesses):
        begin_attempt("ada", HERE)


def test_an_attempt_that_came_to_nothing_does_not_count():
    wrong("ada", HERE, WRONG_FOR_BOTH - 1)
    for _ in range(5):
        begin_attempt("ada", HERE).forget()
    begin_attempt("ada", HERE)


def test_refused_attempts_do_not_make_it_last_longer():
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
            begin_attempt("mallory", HERE).forget(success=True)
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
    begin_attempt("ada", HERE, "known").forget(success=True)
    wrong("ada", HERE, WRONG_FOR_BOTH, "known")
    with pytest.raises(TooManyGuesses):
        begin_attempt("ada", HERE, "known")


def test_addresses_of_one_ipv6_network_count_as_one():
    for number in range(WRONG_FOR_BOTH):
        begin_attempt("ada", f"2001:db8::{number}")
    with pytest.raises(TooManyGuesses):
        begin_attempt("ada", "2001:db8::ffff")
    begin_attempt("ada", "2001:db8:0:1::1")


def count_let_in(account: str, times: int) -> int:
    """How many of so many attempts from HERE are let in, one after the other."""
    let_in = 0
    for _ in range(times):
        with suppress(TooManyGuesses):
            begin_attempt(account, HERE)
            let_in += 1
    return let_in


def test_of_forty_at_once_no_more_get_through_than_one_after_the_other():
    let_in = []

    def guess() -> None:
        let_in.append(count_let_in("ada", 1))
        connection.close()

    guessers = [threading.Thread(target=guess) for _ in range(40)]
    for guesser in guessers:
        guesser.start()
    for guesser in guessers:
        guesser.join(30)
    assert sum(let_in) == WRONG_FOR_BOTH


def guess_names(names: list[str], answers: "multiprocessing.Queue[int]") -> None:
    """In a process of its own: two attempts with each name, and one more that is taken back."""
    let_in = sum(count_let_in(name, 2) for name in names)
    with suppress(TooManyGuesses):
        begin_attempt("mallory", ELSEWHERE).forget(success=True)
    answers.put(let_in)
    connection.close()


def test_of_several_processes_with_other_names_an_address_gets_no_further_than_one():
    """Their windows are the same in part, and they come to them in every order."""
    names = [f"name-{number}" for number in range(WRONG_FOR_ONE // 3)]
    answers = FORK.Queue()
    connection.close()  # a fork would share it
    orders = (names, names[::-1], names[5:] + names[:5], names[9:] + names[:9])
    guessers = [FORK.Process(target=guess_names, args=(order, answers)) for order in orders]
    for guesser in guessers:
        guesser.start()
    let_in = sum(answers.get(timeout=60) for _ in guessers)
    for guesser in guessers:
        guesser.join(10)
    assert [guesser.exitcode for guesser in guessers] == [0] * len(guessers)
    assert let_in == WRONG_FOR_ONE
    with pytest.raises(TooManyGuesses):
        begin_attempt("ada", HERE)


def test_a_wrong_password_is_forgotten_when_its_time_is_over(monkeypatch: pytest.MonkeyPatch):
    wrong("ada", HERE, WRONG_FOR_BOTH)
    now = read_clock()
    monkeypatch.setattr(attempts, "read_clock", lambda: now + timedelta(seconds=WINDOW_SECONDS - 5))
    with pytest.raises(TooManyGuesses) as refused:
        begin_attempt("ada", HERE)
    assert 0 < refused.value.seconds <= 5
    monkeypatch.setattr(attempts, "read_clock", lambda: now + timedelta(seconds=WINDOW_SECONDS))
    wrong("ada", HERE, WRONG_FOR_BOTH)


def test_after_the_clock_was_set_back_by_days_nobody_is_shut_out_for_days(monkeypatch: pytest.MonkeyPatch):
    wrong("ada", HERE, WRONG_FOR_BOTH)
    earlier = read_clock() - timedelta(days=2)
    monkeypatch.setattr(attempts, "read_clock", lambda: earlier)
    wrong("ada", HERE, WRONG_FOR_BOTH)


@pytest.mark.parametrize("name", ["", "\x00", "\ud800", "ä" * 100_000, "ada\x00192.0.2.1"])
def test_any_name_counts(name: str):
    wrong(name, HERE, WRONG_FOR_BOTH)
    with pytest.raises(TooManyGuesses):
        begin_attempt(name, HERE)


def test_what_is_kept_does_not_grow_with_what_is_refused():
    for number in range(WRONG_FOR_ONE + 30):
        try:
            begin_attempt(f"name-{number}", HERE)
        except TooManyGuesses:
            assert number >= WRONG_FOR_ONE
    kept = PasswordWindow.objects.values_list("attempts", flat=True)
    assert sum(map(len, kept)) == 3 * WRONG_FOR_ONE
    assert len(kept) == 2 * WRONG_FOR_ONE + 1


def test_a_key_tells_no_name_and_no_address(settings: Any):
    key = attempts._build_key("both", "ursula", HERE)
    assert "ursula" not in key
    assert HERE not in key
    settings.SECRET_KEY = "another" * 8
    assert attempts._build_key("both", "ursula", HERE) != key, "who tries all addresses needs our key"


def test_windows_without_an_attempt_that_counts_are_removed():
    begin_attempt("ada", HERE)
    prune_attempts(read_clock())
    assert PasswordWindow.objects.count() == 3, "it counts for a quarter of an hour"
    prune_attempts(read_clock() + timedelta(seconds=WINDOW_SECONDS))
    assert PasswordWindow.objects.count() == 0

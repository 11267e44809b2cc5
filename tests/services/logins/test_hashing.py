"""How many passwords are hashed at a time."""

import threading

import pytest
from django.contrib.auth.hashers import get_hasher

from resolver.services.logins.password_hasher import GatedHasher, HashGate, TooManyHashes
from tests.waiting import wait_until


def enter(gate: HashGate, release: threading.Event, came: list[str]) -> threading.Thread:
    def run() -> None:
        try:
            with gate.enter():
                came.append("in")
                release.wait(10)
        except TooManyHashes:
            came.append("busy")

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def test_one_is_let_in_one_waits_and_the_others_are_sent_away_at_once():
    gate, release = HashGate(patience=10), threading.Event()
    came: list[str] = []
    first = enter(gate, release, came)
    wait_until("1 came", lambda: len(came) >= 1)
    others = [enter(gate, release, came) for _ in range(5)]
    wait_until("5 came", lambda: len(came) >= 5)
    assert came == ["in", "busy", "busy", "busy", "busy"]
    release.set()
    for thread in (first, *others):
        thread.join(10)
    assert came[5:] == ["in"]


def test_who_waits_too_long_is_sent_away():
    gate, release = HashGate(patience=0.05), threading.Event()
    came: list[str] = []
    first = enter(gate, release, came)
    wait_until("1 came", lambda: len(came) >= 1)
    with pytest.raises(TooManyHashes), gate.enter():
        came.append("in")
    release.set()
    first.join(10)
    assert came == ["in"]


def test_what_fails_inside_leaves_the_gate_open():
    gate = HashGate()
    for _ in range(5):
        with pytest.raises(ValueError), gate.enter():
            raise ValueError
    with gate.enter():
        pass


def test_every_password_of_the_portal_goes_through_the_gate():
    assert isinstance(get_hasher(), GatedHasher)
    assert get_hasher().algorithm == "pbkdf2_sha256"  # accounts made before are read as ever

"""Who comes first: short lists, then accounts, then everyone else; and nobody waits for ever."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import cycle

import pytest

from resolver.models import Job, State, WaitingMessage
from resolver.services.jobs import retry
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.turns import scheduler, turn_order
from resolver.services.turns.turn_order import get_turn_owner, request_turn, take_wakeup
from tests.services.conftest import NOW, make_job, recover, serve

pytestmark = pytest.mark.django_db(transaction=True)

LONG = turn_order.SHORT_LIST_ROWS + 1


@pytest.fixture(autouse=True)
def _first_turn(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The fourth turn from here goes to whom has waited longest."""
    monkeypatch.setattr(turn_order, "_is_for_longest_waiting", cycle((False, False, False, True)))
    yield
    scheduler._open_files.clear()


def make(proxy: DoiProxy, owner: str, rows: int = LONG, sharer: str = "") -> Job:
    """Store a list, and let its owner wait for a turn, a second later than the one before."""
    number = Job.objects.count()
    text = "doi\n" + "".join(f"10.5555/turn{number}-{row}\n" for row in range(rows))
    job = make_job(text, proxy, owner=owner, sharer=sharer)
    request_turn(get_turn_owner(job), NOW + timedelta(seconds=number), lambda message: None)
    return job


def take_all() -> list[str]:
    return list(iter(take_wakeup, None))


def test_short_lists_come_first_then_accounts_then_everyone_else(proxy: DoiProxy) -> None:
    make(proxy, "session:1")
    make(proxy, "user:1")
    make(proxy, "session:2", turn_order.SHORT_LIST_ROWS)
    make(proxy, "user:2", turn_order.SHORT_LIST_ROWS)
    assert take_all() == ["user:2", "session:2", "user:1", "session:1"]


def test_of_equals_who_has_waited_longest_comes_first(proxy: DoiProxy) -> None:
    for owner in ("session:3", "session:1", "session:2"):
        make(proxy, owner)
    assert take_all() == ["session:3", "session:1", "session:2"]


def test_one_turn_in_four_goes_to_whom_has_waited_longest_so_nobody_waits_for_ever(proxy: DoiProxy) -> None:
    make(proxy, "session:1")
    for number in range(8):
        make(proxy, f"user:{number}")
    assert take_all().index("session:1") == 3


def test_a_message_that_is_sent_again_keeps_its_place(proxy: DoiProxy) -> None:
    make(proxy, "session:1")
    make(proxy, "session:2")
    WaitingMessage.objects.filter(owner="session:2").update(sent_at=NOW + timedelta(hours=1))
    assert [message.owner for message in recover(NOW + timedelta(minutes=1))] == ["session:1"]
    assert take_all() == ["session:1", "session:2"]


def test_all_lists_of_an_address_wait_for_one_turn_whatever_their_sessions(proxy: DoiProxy) -> None:
    for number in range(5):
        make(proxy, f"session:{number}", sharer="address:one")
    make(proxy, "session:other", sharer="address:other")
    assert take_all() == ["address:one", "address:other"]


def test_a_short_list_moves_its_address_up_and_is_served_before_the_long_ones(proxy: DoiProxy) -> None:
    make(proxy, "session:1", sharer="address:one")
    make(proxy, "user:1")
    short = make(proxy, "session:2", 5, sharer="address:one")
    assert take_wakeup() == "address:one"
    serve("address:one", proxy, turn=0.0001)
    assert list(Job.objects.exclude(served_at=None)) == [short]


def test_it_moves_its_address_up_once_only(proxy: DoiProxy) -> None:
    make(proxy, "session:1", sharer="address:one")
    make(proxy, "session:2", 5, sharer="address:one")
    make(proxy, "user:1")
    assert take_wakeup() == "address:one"
    serve("address:one", proxy, turn=0.0001)
    assert take_all() == ["user:1", "address:one"]


def test_a_short_list_that_is_checked_again_comes_first_again(proxy: DoiProxy) -> None:
    job = make(proxy, "session:1", 5)
    WaitingMessage.objects.all().delete()
    Job.objects.filter(pk=job.pk).update(state=State.CANCELLED, served_at=NOW)
    job.refresh_from_db()
    retry.retry_job(job, proxy=proxy, now=NOW)
    make(proxy, "user:1")
    request_turn(get_turn_owner(job), NOW + timedelta(minutes=1), lambda message: None)
    assert take_all() == ["session:1", "user:1"]


def test_the_runs_of_watches_wait_with_everyone_else(proxy: DoiProxy) -> None:
    job = make(proxy, "user:1", 5)
    Job.objects.filter(pk=job.pk).update(background=True)
    WaitingMessage.objects.all().delete()
    request_turn(turn_order.BACKGROUND, NOW, lambda message: None)
    make(proxy, "user:2")
    assert take_all() == ["user:2", turn_order.BACKGROUND]

"""The algorithm of the budget alone, with a clock of its own; and that Redis computes the same."""

import time
from random import Random
from uuid import uuid4

import orjson
import pytest
import redis

from resolver.proxy.limits import RedisBudget
from resolver.proxy.limits.budget_state import (
    FIRST_PROBE_SECONDS,
    LEAVES_ONE,
    NEXT_PROBE_SECONDS,
    PLACE_KEPT_SECONDS,
    TICK_SECONDS,
    BudgetLimits,
    BudgetState,
)
from resolver.proxy.limits.proxy_health import STOP_AFTER_REFUSALS, USUAL, ProxySignal, ProxySignalKind

START = 1000.0


def state() -> BudgetState:
    return BudgetState(START, 1_700_000_000.0)


def take(budget: BudgetState, limits: BudgetLimits, *permits: str) -> list[float | None]:
    """The wait for each permit, None where it was not given."""
    bookings = [budget.take(permit, limits) for permit in permits]
    return [round(booking.wait, 6) if booking.permit else None for booking in bookings]


@pytest.mark.parametrize("rate", [None, 0.0, -1.0, 10_000.0])
def test_without_a_rate_permits_are_given_at_once_up_to_the_concurrency(rate: float | None) -> None:
    budget, limits = state(), BudgetLimits.of(3, rate, 30.0)
    assert take(budget, limits, *"abcd") == [0, 0, 0, None]
    budget.give_back("b", limits)
    assert take(budget, limits, *"de") == [0, None]


def test_turns_are_an_interval_apart_and_begin_after_a_pause() -> None:
    budget, limits = state(), BudgetLimits.of(9, 10.0, 30.0)
    assert take(budget, limits, *"abc") == [0, 0.1, 0.2]
    budget.pause(2.0)
    budget.pause(1.0)
    assert take(budget, limits, *"de") == [2.0, 2.1]
    assert budget.renew("a", limits) == 2.0


def test_a_request_counts_towards_the_rate_until_a_second_after_its_end() -> None:
    budget, limits = state(), BudgetLimits.of(9, 2.0, 30.0)
    assert take(budget, limits, *"abc") == [0, 0.5, None]
    budget.now += 10
    assert take(budget, limits, "c") == [None], "two are under way"
    budget.give_back("a", limits)
    booking = budget.take("c", limits)
    assert not booking.permit
    assert 1.0 <= booking.wait <= 1.0 + TICK_SECONDS + 1e-6
    budget.now += booking.wait - 0.001
    assert take(budget, limits, "c") == [None]
    budget.now += 0.002
    assert take(budget, limits, "c") == [0]


def test_what_counts_towards_a_high_rate_takes_no_more_room_than_a_second_has_ticks() -> None:
    budget, limits = state(), BudgetLimits.of(9, 5000.0, 30.0)
    for _ in range(20_000):
        if budget.take("a", limits).permit:
            budget.give_back("a", limits)
        budget.now += 0.0005
    assert len(budget.ticks) <= 1 / TICK_SECONDS + 2
    assert 1_900 < sum(budget.counts) <= 2_100, "as many as came in a second"


def test_a_permit_that_was_given_up_stays_taken_for_a_while_and_one_whose_holder_is_gone_until_its_lease_ends() -> None:
    budget, limits = state(), BudgetLimits.of(2, None, 30.0)
    assert take(budget, limits, *"ab") == [0, 0]
    budget.give_back("a", limits, after=5.0)
    assert take(budget, limits, "c") == [None]
    budget.now += 5.1
    assert take(budget, limits, *"cd") == [0, None]
    budget.now += 25
    assert take(budget, limits, *"de") == [0, None]


def test_while_the_proxy_refuses_us_one_request_at_a_time_is_tried() -> None:
    budget, limits = state(), BudgetLimits.of(9, None, 30.0)
    for _ in range(STOP_AFTER_REFUSALS):
        budget.record(ProxySignal(ProxySignalKind.REFUSED), 100.0, USUAL, 1.0)
    assert take(budget, limits, *"ab")[0] == FIRST_PROBE_SECONDS
    assert [budget.renew(permit, limits) for permit in "abab"] == [0, NEXT_PROBE_SECONDS, 0, NEXT_PROBE_SECONDS]
    budget.give_back("a", limits)
    assert budget.renew("b", limits) == 0
    budget.now += 31
    assert budget.renew("c", limits) == 0, "the lease of the other one is over"


def test_who_has_waited_longest_gets_the_next_permit() -> None:
    budget, limits = state(), BudgetLimits.of(2, None, 30.0)
    assert take(budget, limits, "a", "b") == [0, 0]
    assert not budget.take("c", limits, "first").permit
    assert not budget.take("d", limits, "second").permit
    assert not budget.take("c", limits, "first").permit, "looking again keeps the place"
    budget.give_back("a", limits)
    assert take(budget, limits, "e") == [None], "who has no name leaves it to those who wait"
    assert not budget.take("d", limits, "second").permit
    assert budget.take("c", limits, "first") == ("c", 0, 1)
    budget.give_back("b", limits)
    assert not budget.take("f", limits, "newcomer").permit
    assert budget.take("d", limits, "second") == ("d", 0, 1)
    budget.give_back("c", limits)
    assert budget.take("f", limits, "newcomer") == ("f", 0, 0)


def test_those_who_wait_have_their_order_under_a_rate_too() -> None:
    budget, limits = state(), BudgetLimits.of(9, 2.0, 30.0)
    assert take(budget, limits, *"abc") == [0, 0.5, None]
    budget.give_back("a", limits)
    budget.now += 0.99
    assert not budget.take("c", limits, "first").permit
    assert not budget.take("d", limits, "second").permit
    budget.now += 2 * TICK_SECONDS
    assert not budget.take("d", limits, "second").permit
    assert budget.take("c", limits, "first").permit


def test_who_looks_no_more_loses_the_place_after_a_moment() -> None:
    budget, limits = state(), BudgetLimits.of(1, None, 30.0)
    take(budget, limits, "a")
    budget.take("b", limits, "gone")
    budget.give_back("a", limits)
    budget.now += PLACE_KEPT_SECONDS - 0.001
    assert take(budget, limits, "c") == [None]
    budget.now += 0.002
    assert take(budget, limits, "c") == [0]


def test_who_leaves_one_permit_leaves_it_beside_those_for_who_waits() -> None:
    budget, limits = state(), BudgetLimits.of(3, None, 30.0)
    assert [bool(budget.take(permit, limits, LEAVES_ONE).permit) for permit in "abc"] == [True, True, False]
    assert budget.take("c", limits, "person").permit
    assert not budget.take("d", limits, "another").permit
    budget.give_back("a", limits)
    budget.give_back("b", limits)
    assert not budget.take("e", limits, LEAVES_ONE).permit
    assert list(budget.waiting) == ["another"]


def test_a_rate_that_was_corrected_counts_at_once() -> None:
    budget, corrected = state(), BudgetLimits.of(4, 10.0, 30.0)
    mistaken = BudgetLimits.of(4, 0.0001, 30.0)
    assert take(budget, mistaken, "a") == [0]
    budget.give_back("a", mistaken)
    budget.now += 1.0
    assert take(budget, corrected, *"bcd") == pytest.approx([0.0, 0.1, 0.2])
    assert not budget.ticks


def test_redis_forgets_a_rate_that_was_corrected_too(redis_url: str) -> None:
    key = f"test:{uuid4()}"
    mistaken = RedisBudget(redis_url, 4, 0.0001, key=key, lease=30.0)
    mistaken.give_back(mistaken.take().permit)
    mistaken.take()
    mistaken.close()
    corrected = RedisBudget(redis_url, 4, 1.0, key=key, lease=30.0)
    booking = corrected.take()
    assert booking.permit
    assert booking.wait == 0.0
    corrected.close()


def test_a_state_that_an_earlier_version_stored_is_read() -> None:
    budget, limits = state(), BudgetLimits.of(9, 10.0, 30.0)
    take(budget, limits, *"abc")
    *stored, _ = orjson.loads(budget.to_json())
    assert BudgetState.from_json(orjson.dumps(stored), budget.now, budget.unix_time) == budget


def test_what_is_stored_comes_back() -> None:
    budget, limits = state(), BudgetLimits.of(9, 10.0, 30.0)
    take(budget, limits, *"abc")
    budget.take("d", BudgetLimits.of(1, 10.0, 30.0), "waiting")
    budget.give_back("a", limits)
    budget.record(ProxySignal(ProxySignalKind.REFUSED), 100.0, USUAL, 1.0)
    assert BudgetState.from_json(budget.to_json(), budget.now, budget.unix_time) == budget


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("rate", [None, 40.0, 6.0])
def test_redis_computes_the_same(redis_url: str, rate: float | None, seed: int) -> None:
    """The same story, told to both: what is granted, and the waits."""
    random, limits = Random(seed), BudgetLimits.of(5, rate, 30.0)
    stored = RedisBudget(redis_url, 5, rate, key=f"test:{uuid4()}", lease=30.0)
    clock = redis.Redis.from_url(redis_url)
    budget = state()
    names: dict[str, str] = {}

    def now() -> float:
        seconds, microseconds = clock.time()
        return float(seconds + microseconds / 1e6)

    def tick() -> None:
        budget.now = budget.unix_time = now()

    for step in range(60):
        if step in (20, 40):
            time.sleep(PLACE_KEPT_SECONDS + 0.1)
        tick()
        chosen = random.choice(["take"] * 4 + ["renew", "give back", "give up", "pause", "refused", "limited", "good"])
        permit = random.choice(list(names)) if names else ""
        on_the_edge = any(abs(number * TICK_SECONDS - budget.now) < 3 * TICK_SECONDS for number in budget.ticks)
        on_the_edge = on_the_edge or any(abs(until - budget.now) < 0.06 for until in budget.waiting.values())
        if chosen == "take" and not on_the_edge:
            waiter = random.choice(["", "", LEAVES_ONE, "ada", "eve", "bob"])
            taken, booking = stored.take(waiter), budget.take(str(step), limits, waiter)
            assert (bool(taken.permit), taken.others) == (bool(booking.permit), booking.others), (seed, step)
            if taken.permit:
                names[str(step)] = taken.permit
                assert taken.wait == pytest.approx(booking.wait, abs=0.1 + now() - budget.now)
        elif chosen == "pause":
            stored.pause(0.5)
            budget.pause(0.5)
        elif chosen in ("refused", "limited", "good"):
            signal = ProxySignal(ProxySignalKind(chosen))
            reaction = budget.record(signal, stored.full, stored.policy, 1.0)
            assert stored.record(signal, 1.0).health.pace == pytest.approx(reaction.health.pace)
        elif permit and chosen == "renew":
            assert stored.renew_wait(names[permit]) == pytest.approx(budget.renew(permit, limits), abs=0.1)
        elif permit:
            after = 5.0 if chosen == "give up" else 0.0
            stored.alert = True  # as `take` would have said of the health by now
            stored.give_back(names.pop(permit), after)
            budget.give_back(permit, limits, after)
    tick()
    assert stored.get_pause() == pytest.approx(budget.paused_for, abs=0.1)
    stored.close()
    clock.close()

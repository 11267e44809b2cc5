"""What follows from being told to slow down, refused and answered: the rule alone, with a clock of its own."""

import math
from itertools import pairwise

import pytest

from resolver.proxy.limits.proxy_health import (
    NUMBERS,
    SLOWEST_RATE,
    BackoffPolicy,
    ProxyHealth,
    ProxySignal,
    ProxySignalKind,
    Reaction,
    compute_full_pace,
    react,
)
from resolver.proxy.proxy_reply import ProxyReply, derive_service_signal, derive_signal

FULL = 64.0
POLICY = BackoffPolicy(longest_pause=60.0, first_pause=0.5, recovery=60.0)
GOOD, LIMITED, REFUSED = (
    ProxySignal(ProxySignalKind.GOOD),
    ProxySignal(ProxySignalKind.LIMITED),
    ProxySignal(ProxySignalKind.REFUSED, reason="HTTP 403"),
)


class Story:
    """Signals one after the other, each so many seconds after the one before."""

    def __init__(self, policy: BackoffPolicy = POLICY) -> None:
        self.now, self.health, self.policy = 1_000_000.0, ProxyHealth(), policy

    def hear(self, heard: ProxySignal, later: float = 0.0) -> Reaction:
        self.now += later
        reaction = react(self.health, heard, self.now, FULL, self.policy)
        self.health = reaction.health
        return reaction


def test_the_first_time_all_pause_and_from_the_second_on_the_pace_is_halved_down_to_a_floor() -> None:
    story = Story()
    paces = []
    for _ in range(9):
        story.hear(LIMITED, 2)
        paces.append(story.health.pace)
    assert paces == [0, 32, 16, 8, 4, 2, 1, 1, 1]


def test_being_told_several_times_within_a_second_counts_once_but_all_pause_anew() -> None:
    story = Story()
    story.hear(LIMITED)
    assert story.hear(LIMITED, 2).pause == 1
    for _ in range(30):
        assert story.hear(LIMITED, 0.03).pause == 1
    assert story.health.pace == 32


def test_pauses_of_our_own_choice_double_while_nothing_good_comes_and_are_bounded() -> None:
    story = Story()
    pauses = [story.hear(LIMITED, 40).pause for _ in range(9)]
    assert pauses == [0.5, 1, 2, 4, 8, 16, 30, 30, 30]


def test_a_pause_that_is_asked_for_is_kept_and_an_absurd_one_bounded_and_told() -> None:
    assert Story().hear(ProxySignal(ProxySignalKind.LIMITED, 7.0)).pause == 7
    reaction = Story().hear(ProxySignal(ProxySignalKind.LIMITED, 86_400.0))
    assert reaction.pause == 60
    assert "86,400 seconds; it gets 60 (PROXY_LONGEST_PAUSE)" in reaction.warning
    assert Story().hear(ProxySignal(ProxySignalKind.FAILED, 3.0)).pause == 3


def test_while_answers_are_good_the_pace_grows_in_equal_steps_back_to_the_full_one() -> None:
    story = Story()
    story.hear(LIMITED)
    story.hear(LIMITED, 2)
    story.hear(LIMITED, 2)
    paces = []
    while story.health.pace:
        story.hear(GOOD, 1)
        paces.append(story.health.pace)
    steps = {round(later - earlier, 6) for earlier, later in pairwise(paces[:-1])}
    assert steps == {round(FULL / 60, 6)}
    assert len(paces) == math.ceil((FULL - 16) / (FULL / 60))
    assert not story.health.alert


def test_a_silence_is_no_reason_to_go_faster() -> None:
    story = Story()
    story.hear(LIMITED)
    story.hear(LIMITED, 2)
    story.hear(GOOD, 500)
    assert story.health.pace == 32 + FULL / 60


def test_without_good_answers_nothing_grows_and_after_an_hour_of_silence_all_is_forgotten() -> None:
    story = Story()
    story.hear(LIMITED)
    story.hear(LIMITED, 2)
    kept = tuple(getattr(story.health, name) for name in NUMBERS)
    assert ProxyHealth.of(kept, story.now + 1800) == story.health
    assert ProxyHealth.of(kept, story.now + 3700) == ProxyHealth()
    assert ProxyHealth.of((math.nan, *kept[1:]), story.now) == ProxyHealth()


def test_three_refusals_in_a_row_are_told_once_in_five_minutes_and_twenty_stop_everyone() -> None:
    story = Story()
    reactions = [story.hear(REFUSED, 0.01) for _ in range(40)]
    assert [number for number, told in enumerate(reactions, 1) if told.error] == [3]
    assert "may have barred" in reactions[2].error
    assert [number for number, told in enumerate(reactions, 1) if told.pause] == [20]
    pauses = [story.hear(REFUSED, 61).pause for _ in range(7)]
    assert pauses == [4, 8, 16, 32, 60, 60, 60]
    assert story.health.barred
    assert story.health.stopped


def test_one_good_answer_ends_the_bar_and_the_pace_grows_from_the_floor() -> None:
    story = Story()
    began = story.now
    for _ in range(25):
        story.hear(REFUSED, 0.01)
    assert story.health.refused_since == began + 0.01
    story.hear(GOOD, 10)
    assert not story.health.barred
    assert not story.health.stopped
    assert 1 <= story.health.pace < 3


@pytest.mark.parametrize("kind", [kind for kind in ProxySignalKind if kind is not ProxySignalKind.GOOD])
def test_of_every_kind_but_two_the_last_one_is_kept_with_its_status(kind: ProxySignalKind) -> None:
    story = Story()
    story.hear(ProxySignal(kind, status=451))
    first = story.now
    story.hear(GOOD, 5)
    kept = (story.health.unusable_at, story.health.unusable_status)
    assert kept == ((0, 0) if kind is ProxySignalKind.OTHER else (first, 451))


def test_a_refusal_between_good_answers_is_nothing() -> None:
    story = Story()
    for _ in range(50):
        story.hear(REFUSED)
        assert not story.hear(REFUSED).error
        story.hear(GOOD, 0.1)
    assert story.health.refused == 0


@pytest.mark.parametrize(("rate", "pace"), [(10.0, 10.0), (None, 640.0), (0.0, 640.0)])
def test_without_a_rate_the_full_pace_is_that_of_the_slots(rate: float | None, pace: float) -> None:
    assert compute_full_pace(32, rate) == pace


PAGE = b" <!doctype html><title>Just a moment...</title>"


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (ProxyReply(200, b'{"responseCode":1}'), ProxySignalKind.GOOD),
        (ProxyReply(404, b'{"responseCode":100}'), ProxySignalKind.GOOD),
        (ProxyReply(200, b'[{"DOI":"10.1/a"}]'), ProxySignalKind.GOOD),
        (ProxyReply(403, b'{"responseCode":100}'), ProxySignalKind.GOOD),
        (ProxyReply(429, b'{"message":"too many"}'), ProxySignalKind.LIMITED),
        (ProxyReply(429, PAGE), ProxySignalKind.LIMITED),
        (ProxyReply(503, b""), ProxySignalKind.LIMITED),
        (ProxyReply(403, b'{"message":"forbidden"}'), ProxySignalKind.REFUSED),
        (ProxyReply(403, PAGE), ProxySignalKind.REFUSED),
        (ProxyReply(200, PAGE), ProxySignalKind.REFUSED),
        (ProxyReply(200, b"Please enable cookies", content_type="text/html; charset=utf-8"), ProxySignalKind.REFUSED),
        (ProxyReply(404, PAGE), ProxySignalKind.FAILED),
        (ProxyReply(500, PAGE), ProxySignalKind.FAILED),
        (ProxyReply(302, b"", location="https://elsewhere.example/"), ProxySignalKind.FAILED),
        (ProxyReply(200, b"garbage"), ProxySignalKind.FAILED),
    ],
)
def test_what_an_answer_says_of_how_we_are_received(reply: ProxyReply, kind: ProxySignalKind) -> None:
    assert derive_signal(reply).kind is kind


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (ProxyReply(302, b"", location="https://elsewhere.example/"), ProxySignalKind.OTHER),
        (ProxyReply(200, PAGE), ProxySignalKind.OTHER),
        (ProxyReply(404, PAGE), ProxySignalKind.OTHER),
        (ProxyReply(403, PAGE), ProxySignalKind.OTHER),
        (ProxyReply(200, b'{"title":"of a work"}'), ProxySignalKind.GOOD),
        (ProxyReply(429, PAGE), ProxySignalKind.LIMITED),
        (ProxyReply(500, PAGE), ProxySignalKind.FAILED),
    ],
)
def test_where_pages_and_redirects_are_answers_they_say_nothing_of_how_we_are_received(
    reply: ProxyReply, kind: ProxySignalKind
) -> None:
    assert derive_signal(reply, pages=True).kind is kind


AGENCY = BackoffPolicy(longest_pause=3600.0, failure_pause=60.0, heeds_rate=True, server="The service")


def stating(rate: float | None, kind: ProxySignalKind = ProxySignalKind.GOOD) -> ProxySignal:
    return ProxySignal(kind, rate=rate)


def test_a_lower_rate_that_a_service_says_holds_for_an_hour_after_it_was_said_last() -> None:
    story = Story(AGENCY)
    assert story.hear(stating(2.0)).health.pace == 2
    for _ in range(20):
        story.hear(GOOD, 100)
    assert story.health.pace == 2
    story.hear(GOOD, 1700)
    for _ in range(70):
        story.hear(GOOD, 1)
    assert story.health.pace == 0


def test_a_service_may_lower_the_rate_again_and_raise_it_up_to_the_settings_and_no_further() -> None:
    story = Story(AGENCY)
    paces = []
    for rate in (8.0, 2.0, 8.0, 1e9):
        story.hear(stating(rate))
        for _ in range(70):
            story.hear(stating(rate), 1)
        paces.append(story.health.pace)
    assert paces == [8, 2, 8, 0]


def test_no_rate_that_a_service_says_stops_all_and_none_is_obeyed_from_the_doi_proxy() -> None:
    assert Story(AGENCY).hear(stating(1e-9)).health.pace == SLOWEST_RATE
    assert Story().hear(stating(1.0)).health.pace == 0


def test_a_slower_pace_recovers_no_further_than_to_the_rate_that_the_service_says() -> None:
    story = Story(AGENCY)
    story.hear(stating(4.0))
    for _ in range(3):
        story.hear(LIMITED, 2)
    assert story.health.pace == 1
    for _ in range(200):
        story.hear(stating(4.0), 1)
    assert story.health.pace == 4


@pytest.mark.parametrize("kind", [ProxySignalKind.FAILED, ProxySignalKind.SILENT])
def test_a_service_out_of_order_gets_nothing_for_a_minute_and_then_one_attempt(kind: ProxySignalKind) -> None:
    story, failure = Story(AGENCY), ProxySignal(kind)
    assert [story.hear(failure, 1).pause for _ in range(4)] == [0, 0, 60, 60]
    assert story.hear(failure, 70).pause == 60
    story.hear(GOOD, 70)
    assert [story.hear(failure, 1).pause for _ in range(2)] == [0, 0]
    assert story.hear(failure, 400).pause == 0
    assert [Story().hear(failure).pause for _ in range(5)] == [0] * 5


@pytest.mark.parametrize(
    ("limit", "interval", "rate"),
    [
        ("3", "1s", 3.0),
        ("50", "1s", 50.0),
        ("100", "1m", 100 / 60),
        ("10", "5", 2.0),
        ("10", "500ms", 20.0),
        (" 3 ", " 1 S ", 3.0),
        ("0", "1s", 0.001),
        ("999999999999", "1s", 999999999999.0),
        ("3", "0s", None),
        ("3", None, None),
        (None, "1s", None),
        ("-3", "1s", None),
        ("3", "1 fortnight", None),
        ("3", "9" * 5000, None),
        ("9" * 5000, "1s", None),
        ("٣", "1s", None),
    ],
)
def test_a_rate_is_read_from_two_headers(limit: str | None, interval: str | None, rate: float | None) -> None:
    heard = ProxyReply(200, b"{}", rate_limit=limit, rate_interval=interval)
    assert derive_service_signal(heard).rate == (rate and pytest.approx(rate))


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (404, ProxySignalKind.GOOD),
        (406, ProxySignalKind.GOOD),
        (403, ProxySignalKind.FAILED),
        (429, ProxySignalKind.LIMITED),
        (503, ProxySignalKind.LIMITED),
        (502, ProxySignalKind.FAILED),
    ],
)
def test_a_service_that_answers_at_all_is_in_order(status: int, kind: ProxySignalKind) -> None:
    assert derive_service_signal(ProxyReply(status, PAGE)).kind is kind


@pytest.mark.parametrize("body", [PAGE, b"", b"\x00\xff", b'"{}"', b"\n<html>"])
def test_a_service_that_answers_nonsense_is_not_in_order_but_may_have_pages_for_a_name(body: bytes) -> None:
    assert derive_service_signal(ProxyReply(200, body)).kind is ProxySignalKind.FAILED
    assert derive_service_signal(ProxyReply(200, body), pages=True).kind is ProxySignalKind.GOOD
    for good in (b"{}", b" \n[]", b"\xef\xbb\xbf{}"):
        assert derive_service_signal(ProxyReply(200, good)).kind is ProxySignalKind.GOOD

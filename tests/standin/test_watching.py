"""What the sample proxy says of those who ask it, and how it refuses them when told to."""

from concurrent.futures import ThreadPoolExecutor

from resolver.standin.server import RequestStats, SampleProxyServer
from tests.standin.conftest import Caller


class StoppedClock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_second_may_begin_anywhere() -> None:
    clock = StoppedClock()
    watch = RequestStats(clock)
    for at in (100.0, 100.6, 100.9, 101.1, 101.5, 101.6, 103.0):
        clock.now = at
        watch.count_request()
        watch.count_reply(200)
    assert watch.most_in_a_second == 4  # from 100.6 on, and so from 100.9 on
    assert watch.last_second == 1
    assert watch.most_in_flight == 1


def test_what_is_in_flight_is_counted_and_said() -> None:
    watch = RequestStats()
    for _ in range(3):
        watch.count_request()
    watch.count_reply(200)
    watch.count_reply(0)
    watch.count_request()
    assert (watch.in_flight, watch.most_in_flight, watch.total) == (2, 3, 4)
    assert watch.line() == (
        "4 requests; in flight 2, most 3; in the last second 4, most in any second 4; 1 x cut, 1 x 200"
    )
    watch.forget()
    assert (watch.in_flight, watch.most_in_flight, watch.total, watch.last_second) == (2, 2, 0, 0)


def test_the_server_counts_what_comes_over_the_network() -> None:
    with SampleProxyServer(latency=0.8) as standin, ThreadPoolExecutor(4) as pool:
        list(pool.map(Caller(standin), ["/api/handles/10.5555/a"] * 4))
        assert (standin.watch.most_in_flight, standin.watch.most_in_a_second) == (4, 4)
        assert standin.watch.statuses == {200: 4}


def test_above_its_limit_it_answers_429_until_told_otherwise(get: Caller, standin: SampleProxyServer) -> None:
    standin.refuse(above=2)
    statuses = [get("/api/handles/10.5555/a").status for _ in range(4)]
    standin.refuse()
    assert statuses == [200, 200, 429, 429]
    assert get("/api/handles/10.5555/a").status == 200


def test_told_to_bar_everyone_it_answers_with_a_page(get: Caller, standin: SampleProxyServer) -> None:
    standin.refuse(everyone=True)
    got = get("/api/handles/10.5555/a")
    standin.refuse()
    assert (got.status, got.headers["content-type"]) == (403, "text/html;charset=utf-8")

"""Which RA in batches: bounded, in order, and halved when the service cannot take or answer one as a whole."""

import pytest

from resolver.domain.handle.answers import ProxyError, Unreachable, WhichRaAnswer
from tests.proxy import raw_server as raw
from tests.proxy.conftest import Ask
from tests.proxy.raw_server import RawServer, Request, http

NAMES = [f"10.1000/{number}" for number in range(120)]


def agencies_of(names: list[str]) -> list[WhichRaAnswer]:
    return [WhichRaAnswer(name, "Crossref") for name in names]


@pytest.mark.clause("R1", "R2")
def test_fifty_names_go_into_one_request(ask: Ask) -> None:
    with RawServer(lambda request: raw.agencies(request.names)) as server:
        assert ask(server.url).find_agencies(NAMES) == agencies_of(NAMES)
    assert sorted(len(request.names) for request in server.requests) == [20, 50, 50]


def test_a_request_stays_below_three_kilobytes(ask: Ask) -> None:
    names = [f"10.1000/{number}{'é' * 40}" for number in range(30)] + ["10.1000/" + "x" * 4000]
    with RawServer(lambda request: raw.agencies(request.names)) as server:
        assert ask(server.url).find_agencies(names) == agencies_of(names)
    assert all(len(target) < 3100 for target in server.targets if "xxx" not in target)
    assert len(server.requests) == 4


COMMAS = ["10.1/a", "10.1/b,c", "10.1/d,e", "10.1/f", "10.1/g,h", "10.1/i"]


@pytest.mark.clause("R2", "E6")
def test_names_with_a_comma_share_a_request_apart_from_the_others(ask: Ask) -> None:
    with RawServer(lambda request: raw.agencies(request.names)) as server:
        assert ask(server.url).find_agencies(COMMAS) == agencies_of(COMMAS)
    asked = sorted(target.removeprefix("/doiRA/") for target in server.targets)
    assert asked == ["10.1/a,10.1/f,10.1/i", "10.1/b%2Cc,10.1/d%2Ce,10.1/g%2Ch"]


def test_a_service_that_splits_after_decoding_harms_only_the_names_with_a_comma(ask: Ask) -> None:
    def answer(request: Request) -> bytes:
        return raw.agencies([part for name in request.names for part in name.split(",")])

    with RawServer(answer) as server:
        found = ask(server.url).find_agencies(COMMAS)
    assert [isinstance(verdict, WhichRaAnswer) for verdict in found] == ["," not in name for name in COMMAS]


@pytest.mark.clause("R1", "R3", "R5")
def test_agencies_and_statuses_come_as_they_are(ask: Ask) -> None:
    answer = [{"DOI": "10.1/A", "RA": "New Agency"}, {"DOI": "10.1/b", "status": "DOI does not exist"}]
    with RawServer(lambda request: http(200, answer)) as server:
        found = ask(server.url).find_agencies(["10.1/a", "10.1/b"])
    assert found == [WhichRaAnswer("10.1/a", "New Agency"), WhichRaAnswer("10.1/b", status="DOI does not exist")]


def test_no_names_need_no_request(ask: Ask) -> None:
    with RawServer(lambda request: raw.PAGE) as server:
        assert ask(server.url).find_agencies([]) == []
    assert server.requests == []


@pytest.mark.parametrize("status", [413, 414, 431])
def test_what_is_too_long_is_halved_at_once(ask: Ask, status: int) -> None:
    names = NAMES[:40]
    with RawServer(lambda r: raw.agencies(r.names) if len(r.names) <= 10 else http(status, "<html>")) as server:
        assert ask(server.url).find_agencies(names) == agencies_of(names)
    assert [len(request.names) for request in server.requests] == [40, 20, 10, 10, 20, 10, 10]


SPOILT = {
    "a list that is too short": lambda request: raw.agencies(request.names[1:]),
    "another order": lambda request: raw.agencies(request.names[::-1] if len(request.names) > 1 else ["10.1/other"]),
    "another name": lambda request: raw.agencies(["10.1/other", *request.names[1:]]),
    "a firewall's page": lambda request: http(403, "<html>blocked</html>"),
    "an inner error": lambda request: http(500, "oops"),
}


@pytest.mark.parametrize("how", SPOILT)
@pytest.mark.parametrize("bad", [{0}, {7}, {19}, {0, 1}, {3, 12}])
def test_a_name_that_spoils_the_answer_harms_only_itself(ask: Ask, how: str, bad: set[int]) -> None:
    names = NAMES[:20]
    spoilers = {names[index] for index in bad}

    def answer(request: Request) -> bytes:
        return SPOILT[how](request) if spoilers & set(request.names) else raw.agencies(request.names)

    with RawServer(answer) as server:
        found = ask(server.url).find_agencies(names)
    wrong = {index for index, verdict in enumerate(found) if not isinstance(verdict, WhichRaAnswer)}
    assert wrong == bad
    for index in bad:
        alone = [request for request in server.requests if request.names == [names[index]]]
        assert len(alone) == 3


@pytest.mark.parametrize(
    ("answer", "kind"), [(raw.PAGE, ProxyError), (http(403, ""), ProxyError), (http(500, ""), Unreachable)]
)
def test_a_service_that_answers_nothing_is_not_asked_for_each_name(ask: Ask, answer: bytes, kind: type) -> None:
    with RawServer(lambda request: answer) as server:
        found = ask(server.url).find_agencies(NAMES[:50])
    assert {type(verdict) for verdict in found} == {kind}
    assert len(server.requests) < 20


@pytest.mark.parametrize(("answer", "times"), [(raw.reset, 3), (http(503, ""), 3), (http(429, ""), 6)])
def test_a_service_that_is_away_is_asked_a_few_times(ask: Ask, answer: raw.Answer, times: int) -> None:
    with RawServer(lambda request: answer) as server:
        found = ask(server.url).find_agencies(NAMES[:50])
    assert {type(verdict) for verdict in found} == {Unreachable}
    assert len(server.requests) == times

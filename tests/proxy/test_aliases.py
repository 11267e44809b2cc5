"""An alias is followed to the record behind it, and no chain of them ends in a hang (P7)."""

import pytest

from resolver.domain.handle.answers import MissingHandle, ProxyError, Unreachable
from resolver.domain.handle.record import Record
from tests.proxy import raw_server as raw
from tests.proxy.conftest import Ask
from tests.proxy.raw_server import RawServer, Request


def chain(length: int) -> RawServer:
    """10.1/0 is an alias of 10.1/1, and so on up to 10.1/<length>, which has a URL."""

    def answer(request: Request) -> bytes:
        number = int(request.name.rpartition("/")[2])
        if number == length:
            return raw.record(request.name)
        return raw.record(request.name, ("URL", "https://old.example.org/"), ("HS_ALIAS", f"10.1/{number + 1}"))

    return RawServer(answer)


@pytest.mark.clause("P7")
@pytest.mark.parametrize("length", [1, 2, 20])
def test_up_to_twenty_aliases_are_followed(ask: Ask, length: int) -> None:
    with chain(length) as server:
        found = ask(server.url).resolve("10.1/0")
    assert isinstance(found.answer, Record)
    assert (found.answer.urls, found.alias_of, found.loop) == (("https://example.org/",), f"10.1/{length}", False)


@pytest.mark.clause("P7")
def test_a_longer_chain_counts_as_a_loop(ask: Ask) -> None:
    with chain(21) as server:
        found = ask(server.url).resolve("10.1/0")
    assert (found.alias_of, found.loop, len(server.requests)) == ("10.1/20", True, 21)


@pytest.mark.clause("P7")
@pytest.mark.parametrize(
    ("aliases", "end", "requests"),
    [
        ({"10.1/a": "10.1/A"}, "10.1/A", 1),
        ({"10.1/a": "10.1/b", "10.1/b": "10.1/A"}, "10.1/b", 2),
        ({"10.1/a": "10.1/b", "10.1/b": "10.1/c", "10.1/c": "10.1/B"}, "10.1/c", 3),
    ],
)
def test_a_loop_is_seen_in_any_case_of_letters(ask: Ask, aliases: dict[str, str], end: str, requests: int) -> None:
    with RawServer(lambda request: raw.record(request.name, ("HS_ALIAS", aliases[request.name]))) as server:
        found = ask(server.url).resolve("10.1/a")
    assert (found.alias_of, found.loop, len(server.requests)) == (end, True, requests)


@pytest.mark.clause("P7", "S12")
def test_a_short_doi_leads_to_the_doi_behind_it(ask: Ask) -> None:
    def answer(request: Request) -> bytes:
        return raw.record(request.name, *([("HS_ALIAS", "10.1021/JACS")] if request.name == "10/p54k" else []))

    with RawServer(answer) as server:
        assert ask(server.url).resolve("10/p54k").alias_of == "10.1021/JACS"


@pytest.mark.parametrize(
    ("behind", "kind"), [(raw.missing("10.1/b"), MissingHandle), (raw.PAGE, ProxyError), (raw.reset, Unreachable)]
)
def test_what_is_wrong_behind_an_alias_is_told_of_the_name_behind_it(ask: Ask, behind: raw.Answer, kind: type) -> None:
    with RawServer(lambda r: raw.record("10.1/a", ("HS_ALIAS", "10.1/b")) if r.name == "10.1/a" else behind) as server:
        found = ask(server.url).resolve("10.1/a")
    assert type(found.answer) is kind
    assert (found.alias_of, found.loop) == ("10.1/b", False)


@pytest.mark.parametrize("target", ["10.1/\ud800", ".", ".."])
def test_an_alias_that_cannot_be_written_in_a_url_is_a_proxy_error(target: str, ask: Ask) -> None:
    with RawServer(lambda request: raw.record("10.1/a", ("HS_ALIAS", target))) as server:
        assert isinstance(ask(server.url).resolve("10.1/a").answer, ProxyError)
    assert len(server.requests) == 1

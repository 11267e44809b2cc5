"""A proxy that was started again in between: connections that were kept are dead, and no name is lost to that."""

import threading

from resolver.domain.handle.answers import MissingHandle
from resolver.proxy.bulk_client import BulkClient
from resolver.proxy.client import ProxyClient
from resolver.proxy.limits import FileBudget
from tests.proxy import raw_server as raw
from tests.proxy.conftest import Ask, config_for
from tests.proxy.raw_server import RawServer, Request

KEPT = 4  # connections, one more than there are attempts


def server() -> RawServer:
    """Answers when so many have asked at once, until it was restarted; then cuts the connections made before."""
    together = threading.Barrier(KEPT)

    def answer(request: Request) -> raw.Answer:
        if not request.name.startswith("10.1/later"):
            together.wait(10)
        return raw.reset if request.stale else raw.missing(request.name)

    return RawServer(answer)


NAMES = [f"10.1/{number}" for number in range(KEPT)]


def test_an_attempt_after_a_failed_one_comes_on_a_new_connection(ask: Ask) -> None:
    """Also where the last one can still be used: nobody knows what stands behind it."""

    def answer(request: Request) -> raw.Answer:
        came.append(request.stale)
        proxy.restarts = 1
        return raw.missing("10.1/a") if len(came) > 1 else raw.http(500, "")

    came: list[bool] = []
    with RawServer(answer) as proxy:
        assert isinstance(ask(proxy.url).resolve("10.1/a").answer, MissingHandle)
    assert came == [False, False]


def test_in_the_middle_of_a_list(budget: FileBudget) -> None:
    with server() as proxy, BulkClient(config_for(proxy.url), budget) as bulk:
        bulk.resolve(NAMES)
        proxy.restarts += 1
        for number in range(3):
            name = f"10.1/later-{number}"
            assert isinstance(bulk.resolve([name])[name].answer, MissingHandle)


def test_between_two_lookups(budget: FileBudget) -> None:
    with server() as proxy, ProxyClient(config_for(proxy.url), budget) as client:
        people = [threading.Thread(target=client.resolve, args=(name,)) for name in NAMES]
        for person in people:
            person.start()
        for person in people:
            person.join()
        proxy.restarts += 1
        for number in range(3):
            assert isinstance(client.resolve(f"10.1/later-{number}").answer, MissingHandle)

"""The proxy that lists and the script are measured at."""

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import requests

from benchmarks.fast_proxy import FastProxy, fast_proxy
from resolver.standin.server import SampleProxyServer

RECORD, AGENCIES = "/api/handles/10.5555/a-1", "/doiRA/10.5555/a-1,10.5555/b(2)"


@pytest.fixture(scope="module")
def running() -> Iterator[FastProxy]:
    with fast_proxy(100) as proxy:
        yield proxy


@pytest.fixture
def proxy(running: FastProxy) -> FastProxy:
    running.reset()
    return running


def without_values(record: Any) -> Any:
    """A record with the kinds of its values alone."""
    return {**record, "values": [{**value, "data": value["data"]["format"]} for value in record["values"]]}


def test_a_record_and_agencies_have_the_shape_of_the_sample_proxys(proxy: FastProxy):
    with SampleProxyServer() as sample:
        records = [requests.get(server.url + RECORD, timeout=10) for server in (proxy, sample)]
        agencies = [requests.get(server.url + AGENCIES, timeout=10) for server in (proxy, sample)]
    ours, sampled = [without_values({**record.json()}) for record in records]
    for value in (*ours["values"], *sampled["values"]):
        del value["timestamp"]
    assert ours == sampled
    assert agencies[0].json() == agencies[1].json()
    assert len({answer.headers["Content-Type"] for answer in (*records, *agencies)}) == 1


def test_an_escaped_name_is_answered_as_it_is_meant(proxy: FastProxy):
    name = '10.5555/a"b,ü'
    record = requests.get(f"{proxy.url}/api/handles/10.5555/a%22b%2C%C3%BC?type=URL", timeout=10).json()
    agencies = requests.get(f"{proxy.url}/doiRA/10.5555/a%22b%2C%C3%BC,10.5555/c", timeout=10).json()
    assert record["handle"] == name
    assert [agency["DOI"] for agency in agencies] == [name, "10.5555/c"]


def test_requests_that_come_in_parts_and_together_are_answered_in_order(proxy: FastProxy):
    host, port = proxy.url.removeprefix("http://").split(":")
    request = "GET /api/handles/10.5555/{} HTTP/1.1\r\nHost: proxy\r\n\r\n"
    sent = "".join(request.format(name) for name in ("first", "second", "third")).encode()
    with socket.create_connection((host, int(port)), 10) as connection:
        received = b""
        for part in (sent[:10], sent[10:-2], sent[-2:]):
            connection.sendall(part)
            proxy.read_counts()  # once this is answered, the part before it has been read
        while received.count(b'"responseCode":1') < 3:
            received += connection.recv(1 << 16)
    places = [received.index(b'"handle":"10.5555/%s"' % name) for name in (b"first", b"second", b"third")]
    assert places == sorted(places)


def test_counts_tell_of_requests_names_and_the_most_in_flight_since_the_reset(proxy: FastProxy):
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda target: requests.get(proxy.url + target, timeout=10), (RECORD, RECORD, AGENCIES)))
    counts = proxy.read_counts()
    assert (counts.requests, counts.names, counts.in_flight, counts.most_in_flight) == (3, 2, 0, 3)
    assert 0.29 < counts.seconds < 3
    proxy.reset()
    assert proxy.read_counts() == type(counts)()


def test_another_address_is_not_found_and_not_counted(proxy: FastProxy):
    assert requests.get(f"{proxy.url}/10.5555/a-1", timeout=10).status_code == 404
    assert proxy.read_counts().requests == 0

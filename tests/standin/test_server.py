"""The server itself: what it counts, what it reads, and that it is fast enough to be measured against."""

import gc
import json
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from doi_reading import Doi, NotADoi, fold
from resolver.standin.records import UnreadableRecords, load_sample_records
from resolver.standin.server import SampleProxyServer
from tests.standin.conftest import Caller
from tests.waiting import wait_until

ROOT = Path(__file__).parents[2]


def test_requests_and_headers_are_kept_until_reset(get: Caller, standin: SampleProxyServer) -> None:
    get("/api/handles/10.5555/a%2Cb?type=URL")
    assert standin.requests == ["/api/handles/10.5555/a%2Cb?type=URL"]
    assert "Host" in standin.headers[0]
    standin.reset()
    assert (standin.requests, standin.headers, standin.watch.most_in_flight) == ([], [], 0)


def test_latency_delays_answers_that_overlap() -> None:
    with SampleProxyServer(latency=0.5) as slow, ThreadPoolExecutor(4) as pool:
        started = time.monotonic()
        assert [got.status for got in pool.map(Caller(slow), ["/api/handles/10.5555/a"] * 4)] == [200] * 4
        assert time.monotonic() - started >= 0.5
        assert slow.watch.most_in_flight == 4


def test_an_end_gives_up_the_answers_that_wait(caplog: pytest.LogCaptureFixture) -> None:
    with SampleProxyServer(latency=60) as slow, socket.create_connection(urlsplit(slow.url).netloc.split(":")) as one:
        one.sendall(b"GET /api/handles/10.5555/a HTTP/1.1\r\nHost: x\r\n\r\n")
        wait_until("the request waits for its answer", lambda: slow.watch.in_flight == 1)
    gc.collect()
    assert not caplog.records


def test_it_can_be_taken_for_an_http_proxy(get: Caller) -> None:
    assert get("http://doi.invalid/api/handles/10.1000/182").json["responseCode"] == 1


def test_a_taken_port_is_an_error(standin: SampleProxyServer) -> None:
    with pytest.raises(OSError, match="in use"):
        SampleProxyServer(port=int(standin.url.rpartition(":")[2])).start()


def test_own_records_replace_the_bundled_ones(tmp_path: Path) -> None:
    value = {"index": 1, "type": "URL", "data": {"format": "string", "value": "https://x/"}}
    path = tmp_path / "records.json"
    records = [{"doi": "10.9/A", "values": [value]}, {"doi": "10.9/empty", "values": []}]
    handles = [{"handle": "0.NA/10.9", "values": [value]}]
    path.write_text(json.dumps({"prefixes": {"10.9": "New"}, "records": records, "handles": handles}))
    with SampleProxyServer(path) as own:
        get = Caller(own)
        assert get("/10.9/a").headers["location"] == "https://x/"
        assert get("/doiRA/10.9/a").json == [{"DOI": "10.9/a", "RA": "New"}]
        assert get("/api/handles/10.1000/182").status == 404
        assert get("/api/handles/10.9/empty").json == {"responseCode": 200, "handle": "10.9/empty"}
        assert get("/api/handles/0.na/10.9").json["values"] == [value]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"records": [1]}', '{"records": [{"doi": "10.1/a"}]}', '{"records": 5}', "[" * 99999]
)
def test_records_of_another_shape_are_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "records.json"
    path.write_text(text)
    with pytest.raises(UnreadableRecords, match=r"records\.json"):
        load_sample_records(path)


def is_doi(name: str) -> bool:
    try:
        Doi.parse(name)
    except NotADoi:
        return False
    return True


def test_the_bundled_records_are_sound() -> None:
    collection = load_sample_records()
    assert len(collection.entries) > 60
    for name, entry in collection.entries.items():
        assert any(value.is_type("HS_ADMIN") for value in entry.record.values), name
        assert entry.record.urls or entry.record.alias or entry.record.has_locations or "sample-party" in name, name
        alias = entry.record.alias
        assert alias is None or fold(alias) in collection.entries
        assert bool(entry.ra) is is_doi(name), name

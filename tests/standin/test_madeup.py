"""The words that make a made-up name behave badly."""

import re
import time

import pytest

from resolver.domain.handle import proxy_json
from resolver.domain.handle.answers import ProxyError
from resolver.domain.handle.record import Record
from resolver.standin import generated_names
from resolver.standin.server import SampleProxyServer
from tests.standin.conftest import Caller


def record(get: Caller, suffix: str) -> Record:
    name = f"10.5555/{suffix}"
    answer = proxy_json.decode_record(get(f"/api/handles/{name}").body, name)
    assert isinstance(answer, Record)
    return answer


def test_an_ordinary_name_leads_to_its_landing_page(get: Caller) -> None:
    assert record(get, "abc.1").urls == ("https://example.org/landing/abc.1",)
    assert record(get, "notmissing").urls  # a word counts only when it stands alone


def test_two_urls_come_out_of_index_order(get: Caller) -> None:
    answer = record(get, "a-TWO-b")
    assert [value.index for value in answer.values] == [100, 2, 1]
    assert len(answer.urls) == 2


@pytest.mark.parametrize(
    ("suffix", "urls"), [("nourl", 0), ("loc", 0), ("unsafe", 1), ("deleted", 1), ("formats", 1), ("country", 1)]
)
def test_records_of_other_shapes(get: Caller, suffix: str, urls: int) -> None:
    answer = record(get, suffix)
    assert len(answer.urls) == urls
    assert answer.has_locations is (suffix in ("loc", "country"))


@pytest.mark.clause("A3", "A4", "A5")
def test_every_format_can_be_seen(get: Caller) -> None:
    answer = record(get, "formats")
    formats = {value.format for value in answer.values}
    assert formats == {"string", "base64", "hex", "site", "key", "newformat", "vlist", "admin"}
    assert {value.data for value in answer.values if value.format == "hex"} == {"\u00e9"}
    assert any(isinstance(value.raw["ttl"], str) for value in answer.values)


@pytest.mark.clause("P7")
def test_aliases_name_their_target_and_loops_come_back(get: Caller) -> None:
    assert record(get, "x-Alias-1").alias == "10.5555/x-target-1"
    assert record(get, "loop-1").alias == "10.5555/pool-1"
    assert record(get, "pool-1").alias == "10.5555/loop-1"
    assert record(get, "x-target-1").urls


@pytest.mark.parametrize(
    ("word", "status"),
    [("html", 200), ("garbage", 200), ("busy", 503), ("limit", 429), ("forbidden", 403), ("wrongname", 200)],
)
def test_a_fault_is_no_usable_answer(get: Caller, word: str, status: int) -> None:
    name = f"10.5555/{word}-1"
    got = get(f"/api/handles/{name}")
    assert got.status == status
    assert isinstance(proxy_json.decode_record(got.body, name), ProxyError)
    assert got.headers.get("retry-after") == ("1" if word == "limit" else None)


def test_reset_breaks_the_connection(get: Caller) -> None:
    with pytest.raises(ConnectionResetError):
        get("/api/handles/10.5555/reset")


def test_slow_waits(get: Caller) -> None:
    started = time.monotonic()
    assert record(get, "slow").urls
    assert time.monotonic() - started >= 1.9


def test_a_fault_with_once_happens_once(get: Caller, standin: SampleProxyServer) -> None:
    target = "/api/handles/10.5555/busy-once-1"
    assert [get(target).status for _ in range(3)] == [503, 200, 200]
    standin.reset()
    assert get(target).status == 503


@pytest.mark.clause("R3")
def test_which_ra_answers_whatever_the_word(get: Caller) -> None:
    words = sorted(generated_names.WORDS)
    items = get("/doiRA/" + ",".join(f"10.5555/{word}" for word in words)).json
    assert {item["DOI"] for item in items if "RA" not in item} == {"10.5555/missing"}


def test_every_word_is_told_in_the_help() -> None:
    told = generated_names.__doc__ or ""
    words = {re.sub("[0-9]+", "1", word) for word in generated_names.WORDS}
    assert [word for word in words if f"  {word} " not in told and f'"{word}"' not in told] == []

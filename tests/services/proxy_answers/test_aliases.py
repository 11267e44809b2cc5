"""Each handle's own record is stored under its own name, and an alias is followed through what is stored (P7)."""

from collections.abc import Mapping
from datetime import timedelta
from itertools import pairwise
from string import ascii_lowercase

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from resolver.domain.handle.answers import Answer, MissingHandle, ProxyError, Resolution, follow_aliases
from resolver.domain.handle.proxy_json import build_answer
from resolver.domain.handle.record import Record
from resolver.models import StoredAnswer, raw_sql
from resolver.services.lookups.look_up import create_lookup
from resolver.services.proxy_answers.cache import load_answers, load_records, store_answers
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.standin.server import SampleProxyServer
from tests.services.conftest import NOW

pytestmark = pytest.mark.django_db
PROXY = "https://doi.example"
DAY_AGO = NOW - timedelta(hours=24)


def record(name: str, alias: str = "") -> Record:
    kind, value = ("HS_ALIAS", alias) if alias else ("URL", "https://example.org/")
    values = [{"index": 1, "type": kind, "data": {"format": "string", "value": value}}]
    found = build_answer({"responseCode": 1, "handle": name, "values": values})
    assert isinstance(found, Record)
    return found


def resolved(name: str, records: Mapping[str, Answer]) -> Resolution:
    """What the proxy's clients make of these records."""
    way = follow_aliases(name)
    asked = next(way)
    while True:
        try:
            asked = way.send(records.get(asked, MissingHandle({"handle": asked})))
        except StopIteration as end:
            found: Resolution = end.value
            return found


NEXT = dict(pairwise(ascii_lowercase))
CHAINS = {
    "no alias": {"a": ""},
    "one alias": {"a": "b", "b": ""},
    "twenty aliases": {at: NEXT[at] for at in ascii_lowercase[:20]} | {"u": ""},
    "too many": {at: NEXT[at] for at in ascii_lowercase[:21]} | {"v": ""},
    "a loop": {"a": "b", "b": "c", "c": "A"},
    "of itself": {"a": "a"},
    "a loop further on": {"a": "b", "b": "c", "c": "b"},
    "into nothing": {"a": "b"},
}


@pytest.mark.clause("P7")
@pytest.mark.parametrize("chain", CHAINS)
def test_what_is_recalled_of_an_alias_is_what_was_learned(chain: str) -> None:
    records = {f"10.1/{name}": record(f"10.1/{name}", to and f"10.1/{to}") for name, to in CHAINS[chain].items()}
    learned = resolved("10.1/a", records)
    store_answers({"10.1/a": learned}, {}, proxy=PROXY, now=NOW)
    recalled = load_answers(["10.1/a"], proxy=PROXY, now=NOW).resolutions["10.1/a"].answer
    assert recalled == learned
    assert [handle for handle, _ in recalled.way] == [handle for handle, _ in learned.way]


@pytest.mark.clause("A1", "P7")
def test_each_handle_on_the_way_has_its_own_record() -> None:
    records = {"10.1/a": record("10.1/a", "10.1/B"), "10.1/B": record("10.1/B")}
    store_answers({"10.1/a": resolved("10.1/a", records)}, {}, proxy=PROXY, now=NOW)
    found = load_records(["10.1/A", "10.1/b"], proxy=PROXY, now=NOW)
    own = {name: stored.answer for name, stored in found.items()}
    assert own["10.1/a"].raw == {**records["10.1/a"].raw, "handle": "10.1/A"}
    assert own["10.1/b"].raw == {**records["10.1/B"].raw, "handle": "10.1/b"}
    assert StoredAnswer.objects.count() == 2


def test_an_alias_is_unknown_when_what_is_behind_it_is_not_stored_or_too_old() -> None:
    records = {"10.1/a": record("10.1/a", "10.1/b"), "10.1/b": record("10.1/b")}
    store_answers({"10.1/a": Resolution(records["10.1/a"])}, {}, proxy=PROXY, now=NOW)
    assert load_answers(["10.1/a"], proxy=PROXY, now=NOW).resolutions == {}
    store_answers({"10.1/b": Resolution(records["10.1/b"])}, {}, proxy=PROXY, now=DAY_AGO - timedelta(seconds=1))
    assert load_answers(["10.1/a"], proxy=PROXY, now=NOW).resolutions == {}
    store_answers({"10.1/b": Resolution(records["10.1/b"])}, {}, proxy=PROXY, now=DAY_AGO)
    assert "10.1/a" in load_answers(["10.1/a"], proxy=PROXY, now=NOW).resolutions


def test_of_a_failure_behind_an_alias_nothing_but_the_alias_is_stored() -> None:
    records = {"10.1/a": record("10.1/a", "10.1/b"), "10.1/b": ProxyError("x")}
    store_answers({"10.1/a": resolved("10.1/a", records)}, {}, proxy=PROXY, now=NOW)
    assert [stored.name for stored in StoredAnswer.objects.all()] == ["10.1/a"]
    assert load_answers(["10.1/a"], proxy=PROXY, now=NOW).resolutions == {}


@pytest.mark.parametrize("form", [{"alias_of": "10.1/b", "loop": False}, {"alias_of": None, "loop": True}])
def test_the_end_of_a_chain_that_was_once_stored_under_its_first_name_is_not_taken_for_its_record(
    form: dict[str, object],
) -> None:
    store_answers({"10.1/a": Resolution(record("10.1/b"))}, {}, proxy=PROXY, now=NOW)
    stored = StoredAnswer.objects.get()
    stored.record |= form
    stored.save()
    assert load_answers(["10.1/a"], proxy=PROXY, now=NOW).resolutions == {}
    assert load_records(["10.1/a"], proxy=PROXY, now=NOW) == {}


def test_a_record_that_was_once_stored_and_is_no_alias_counts_on() -> None:
    store_answers({"10.1/a": Resolution(record("10.1/a"))}, {}, proxy=PROXY, now=NOW)
    stored = StoredAnswer.objects.get()
    stored.record |= {"alias_of": None, "loop": False}
    stored.save()
    assert load_answers(["10.1/a"], proxy=PROXY, now=NOW).resolutions["10.1/a"].answer == Resolution(record("10.1/a"))


def test_names_that_are_no_aliases_cost_one_query_and_aliases_one_a_hop() -> None:
    records = {"10.1/a": record("10.1/a", "10.1/b"), "10.1/b": record("10.1/b", "10.1/c"), "10.1/c": record("10.1/c")}
    store_answers({name: resolved(name, records) for name in records}, {}, proxy=PROXY, now=NOW)
    others = [f"10.1/{number}" for number in range(raw_sql.MAX_SQLITE_NAMES - 3)]
    store_answers({name: Resolution(MissingHandle()) for name in others}, {}, proxy=PROXY, now=NOW)
    with CaptureQueriesContext(connection) as queries:
        load_answers([*others, "10.1/c"], proxy=PROXY, now=NOW)
    assert len(queries) == 1
    with CaptureQueriesContext(connection) as queries:
        known = load_answers([*others, "10.1/a"], proxy=PROXY, now=NOW).resolutions
    assert len(queries) == 3
    assert known["10.1/a"].answer == Resolution(records["10.1/c"], "10.1/c")


@pytest.mark.clause("P7")
def test_an_alias_looked_up_again_is_not_asked_for_again(proxy: DoiProxy, standin: SampleProxyServer) -> None:
    def ask() -> list[object]:
        found = create_lookup("10.5555/alias-stored", owner="user:1", proxy=proxy, now=NOW)
        return [found.outcome, found.alias_of, found.urls, found.record]

    before = len(standin.requests)
    first = ask()
    assert len(standin.requests) - before == 3  # its record, that of the name behind it, and Which RA
    assert ask() == first
    assert len(standin.requests) - before == 3

"""Stored answers: for a day, for one proxy, and never a failure."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from resolver.domain.handle.answers import MissingHandle, NoValues, ProxyError, Resolution, Unreachable, WhichRaAnswer
from resolver.domain.handle.proxy_json import build_answer
from resolver.models import StoredAnswer
from resolver.services.proxy_answers.cache import load_agencies, load_answers, load_records, store_answers
from resolver.services.proxy_answers.dated_answer import Found
from tests.services.conftest import NOW

pytestmark = pytest.mark.django_db
PROXY = "https://doi.example"
RAW = {
    "responseCode": 1,
    "handle": "10.1000/Abc",
    "values": [{"index": 1, "type": "URL", "data": {"format": "string", "value": "https://example.org/"}}],
}


def nested(depth: int) -> list[Any]:
    """Lists in lists: of this depth, nothing can write them as JSON."""
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


UNSTORABLE = build_answer(RAW | {"extra": nested(100_000)})


def test_a_record_and_its_agency_come_back_for_an_equivalent_name() -> None:
    store_answers({"10.1000/Abc": Resolution(build_answer(RAW))}, {}, proxy=PROXY, now=NOW)
    store_answers({}, {"10.1000/ABC": WhichRaAnswer("10.1000/ABC", ra="Crossref")}, proxy=PROXY, now=NOW)
    record = load_answers(["10.1000/abC"], proxy=PROXY, now=NOW).resolutions["10.1000/abc"].answer.answer
    assert record.raw["handle"] == "10.1000/abC"
    agency = load_agencies(["10.1000/abC"], proxy=PROXY, now=NOW)["10.1000/abc"].answer
    assert agency == WhichRaAnswer("10.1000/abC", ra="Crossref")
    assert StoredAnswer.objects.count() == 1


def test_answers_of_one_batch_are_stored_whether_a_name_has_both_or_one() -> None:
    records = {name: Resolution(MissingHandle()) for name in ("10.1/both", "10.1/record")}
    agencies = {name: WhichRaAnswer(name, ra="Crossref") for name in ("10.1/both", "10.1/agency")}
    store_answers(records, agencies, proxy=PROXY, now=NOW)
    names = ["10.1/both", "10.1/record", "10.1/agency"]
    assert load_records(names, proxy=PROXY, now=NOW).keys() == records.keys()
    assert load_agencies(names, proxy=PROXY, now=NOW).keys() == agencies.keys()


def test_a_record_that_cannot_be_stored_takes_no_other_answer_with_it(caplog: pytest.LogCaptureFixture) -> None:
    records = {name: Resolution(MissingHandle()) for name in ("10.1/both", "10.1/record")}
    agencies = {name: WhichRaAnswer(name, ra="Crossref") for name in ("10.1/bad", "10.1/both", "10.1/agency")}
    bad = {name: Resolution(UNSTORABLE) for name in ("10.1/bad", "10.1/bad-alone")}
    store_answers(records | bad, agencies, proxy=PROXY, now=NOW)
    names = ["10.1/bad", "10.1/bad-alone", "10.1/both", "10.1/record", "10.1/agency"]
    assert load_records(names, proxy=PROXY, now=NOW).keys() == records.keys()
    assert load_agencies(names, proxy=PROXY, now=NOW).keys() == agencies.keys()
    assert [each.getMessage() for each in caplog.records] == [
        f"The answer for a name of {number} characters cannot be stored" for number in (8, 14)
    ]


@pytest.mark.clause("S8")
def test_only_a_to_z_are_folded() -> None:
    store_answers({"10.1000/Á": Resolution(MissingHandle())}, {}, proxy=PROXY, now=NOW)
    assert load_answers(["10.1000/á"], proxy=PROXY, now=NOW).resolutions == {}


@pytest.mark.clause("P13")
@pytest.mark.parametrize(
    "recall",
    [
        load_records,
        load_agencies,
        lambda names, **known: load_answers(names, **known).resolutions,
        lambda names, **known: load_answers(names, **known).agencies,
    ],
    ids=["records", "agencies", "both: records", "both: agencies"],
)
def test_an_answer_is_fresh_for_24_hours(recall: Callable[..., Found[Any]]) -> None:
    agency = WhichRaAnswer("10.1000/1", ra="Crossref")
    store_answers({"10.1000/1": Resolution(NoValues())}, {"10.1000/1": agency}, proxy=PROXY, now=NOW)
    day = timedelta(hours=24)
    assert "10.1000/1" in recall(["10.1000/1"], proxy=PROXY, now=NOW + day)
    assert recall(["10.1000/1"], proxy=PROXY, now=NOW + day + timedelta(seconds=1)) == {}


@pytest.mark.parametrize("recall", [load_records, load_agencies])
@pytest.mark.parametrize(("minutes", "hours", "counts"), [(60, 24, 60), (5, 24, 5), (600, 1, 60), (0, 24, 0)])
def test_that_a_name_does_not_exist_counts_for_an_hour_or_as_the_settings_say(
    recall: Callable[..., Found[Any]], minutes: int, hours: int, counts: int, settings: Any
) -> None:
    settings.ABSENT_FRESH_MINUTES, settings.ANSWERS_FRESH_HOURS = float(minutes), float(hours)
    denied = WhichRaAnswer("10.1000/1", status="DOI does not exist")
    store_answers({"10.1000/1": Resolution(MissingHandle())}, {"10.1000/1": denied}, proxy=PROXY, now=NOW)
    until = NOW + timedelta(minutes=counts)
    assert "10.1000/1" in recall(["10.1000/1"], proxy=PROXY, now=until)
    assert recall(["10.1000/1"], proxy=PROXY, now=until + timedelta(seconds=1)) == {}
    both = load_answers(["10.1000/1"], proxy=PROXY, now=until + timedelta(seconds=1))
    assert (both.resolutions, both.agencies) == ({}, {})


@pytest.mark.parametrize("hours", [-1, 1])
def test_a_record_counts_unless_which_ra_has_denied_the_name_since(hours: int) -> None:
    name = "10.1000/Abc"
    denied = WhichRaAnswer(name, status="DOI does not exist")
    store_answers({name: Resolution(build_answer(RAW))}, {}, proxy=PROXY, now=NOW)
    store_answers({}, {name: denied}, proxy=PROXY, now=NOW + timedelta(hours=hours))
    assert len(load_records([name], proxy=PROXY, now=NOW + timedelta(hours=2))) == (hours < 0)


def test_answers_of_one_proxy_are_not_those_of_another() -> None:
    store_answers({"10.1000/1": Resolution(MissingHandle())}, {}, proxy=PROXY, now=NOW)
    assert load_answers(["10.1000/1"], proxy="https://other.example", now=NOW).resolutions == {}


def test_failures_are_not_stored() -> None:
    store_answers({"a": Resolution(ProxyError("x")), "b": Resolution(Unreachable("x"))}, {}, proxy=PROXY, now=NOW)
    store_answers({}, {"a": ProxyError("x"), "b": Unreachable("x")}, proxy=PROXY, now=NOW)
    assert not StoredAnswer.objects.exists()


@pytest.mark.parametrize("answer", [MissingHandle(), NoValues(), build_answer(RAW)])
def test_kinds_of_answers_come_back_as_they_were(answer: MissingHandle | NoValues) -> None:
    store_answers({"10.1000/Abc": Resolution(answer)}, {}, proxy=PROXY, now=NOW)
    assert load_answers(["10.1000/Abc"], proxy=PROXY, now=NOW).resolutions["10.1000/abc"].answer == Resolution(answer)


@pytest.mark.clause("S7")
def test_a_very_long_name_is_stored_too() -> None:
    name = "10.1000/" + "ž" * 20_000
    store_answers({name: Resolution(MissingHandle())}, {}, proxy=PROXY, now=NOW)
    assert name in load_records([name], proxy=PROXY, now=NOW)

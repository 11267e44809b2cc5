"""Stored answers: for a day, for one proxy, and never a failure."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from resolver.domain.handle.record import Agency, Missing, NoValues, ProxyError, Resolution, Unreachable
from resolver.domain.handle.wire import record_from_raw
from resolver.models import StoredAnswer
from resolver.services.proxy_answers.cache import Found, keep, stored_agencies, stored_records, stored_resolutions
from tests.services.conftest import NOW

pytestmark = pytest.mark.django_db
PROXY = "https://doi.example"
RAW = {
    "responseCode": 1,
    "handle": "10.1000/Abc",
    "values": [{"index": 1, "type": "URL", "data": {"format": "string", "value": "https://example.org/"}}],
}


def test_a_record_and_its_agency_come_back_for_an_equivalent_name() -> None:
    keep({"10.1000/Abc": Resolution(record_from_raw(RAW))}, {}, proxy=PROXY, now=NOW)
    keep({}, {"10.1000/ABC": Agency("10.1000/ABC", ra="Crossref")}, proxy=PROXY, now=NOW)
    record = stored_resolutions(["10.1000/abC"], proxy=PROXY, now=NOW)["10.1000/abc"].answer.answer
    assert record.raw["handle"] == "10.1000/abC"
    agency = stored_agencies(["10.1000/abC"], proxy=PROXY, now=NOW)["10.1000/abc"].answer
    assert agency == Agency("10.1000/abC", ra="Crossref")
    assert StoredAnswer.objects.count() == 1


@pytest.mark.clause("S8")
def test_only_a_to_z_are_folded() -> None:
    keep({"10.1000/Á": Resolution(Missing())}, {}, proxy=PROXY, now=NOW)
    assert stored_resolutions(["10.1000/á"], proxy=PROXY, now=NOW) == {}


@pytest.mark.clause("P13")
@pytest.mark.parametrize("recall", [stored_resolutions, stored_agencies])
def test_an_answer_is_fresh_for_24_hours(recall: Callable[..., Found[Any]]) -> None:
    agency = Agency("10.1000/1", ra="Crossref")
    keep({"10.1000/1": Resolution(Missing())}, {"10.1000/1": agency}, proxy=PROXY, now=NOW)
    day = timedelta(hours=24)
    assert "10.1000/1" in recall(["10.1000/1"], proxy=PROXY, now=NOW + day)
    assert recall(["10.1000/1"], proxy=PROXY, now=NOW + day + timedelta(seconds=1)) == {}


@pytest.mark.parametrize("hours", [-1, 1])
def test_a_record_counts_unless_which_ra_has_denied_the_name_since(hours: int) -> None:
    name = "10.1000/Abc"
    denied = Agency(name, status="DOI does not exist")
    keep({name: Resolution(record_from_raw(RAW))}, {}, proxy=PROXY, now=NOW)
    keep({}, {name: denied}, proxy=PROXY, now=NOW + timedelta(hours=hours))
    assert len(stored_records([name], proxy=PROXY, now=NOW + timedelta(hours=2))) == (hours < 0)


def test_answers_of_one_proxy_are_not_those_of_another() -> None:
    keep({"10.1000/1": Resolution(Missing())}, {}, proxy=PROXY, now=NOW)
    assert stored_resolutions(["10.1000/1"], proxy="https://other.example", now=NOW) == {}


def test_failures_are_not_stored() -> None:
    keep({"a": Resolution(ProxyError("x")), "b": Resolution(Unreachable("x"))}, {}, proxy=PROXY, now=NOW)
    keep({}, {"a": ProxyError("x"), "b": Unreachable("x")}, proxy=PROXY, now=NOW)
    assert not StoredAnswer.objects.exists()


@pytest.mark.parametrize("answer", [Missing(), NoValues(), record_from_raw(RAW)])
def test_kinds_of_answers_come_back_as_they_were(answer: Missing | NoValues) -> None:
    keep({"10.1000/Abc": Resolution(answer)}, {}, proxy=PROXY, now=NOW)
    assert stored_resolutions(["10.1000/Abc"], proxy=PROXY, now=NOW)["10.1000/abc"].answer == Resolution(answer)


@pytest.mark.clause("S7")
def test_a_very_long_name_is_stored_too() -> None:
    name = "10.1000/" + "ž" * 20_000
    keep({name: Resolution(Missing())}, {}, proxy=PROXY, now=NOW)
    assert name in stored_records([name], proxy=PROXY, now=NOW)
